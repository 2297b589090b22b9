// Parts of a page that React streams: sent late as `<div hidden id="S:1">` and moved by script to
// `<template id="B:1">`, in place of the provisional content behind it. This does the same without
// the script.
import { type ChildNode, type Element, isComment, isTag, type ParentNode } from "domhandler";
import { detachAll, readAttribute, setChildren, walk } from "./tree.ts";

const PART_ID = /^[SP]:[\da-f]+$/i;
const PLACE_ID = /^[BP]:/;

const isPart = ({ name, attribs }: Element): boolean =>
  name !== "template" && attribs["hidden"] !== undefined && PART_ID.test(attribs["id"] ?? "");

/**
 * Puts each part in its place and shows it. Parts without a place are shown where they are; those
 * whose place is in themselves, or whose content would be deeper than `maxDepth`, stay hidden.
 * Returns true if the tree was changed.
 */
export function insertStreamedParts(
  templates: readonly Element[],
  candidates: readonly Element[],
  maxDepth: number,
): boolean {
  const parts = candidates.filter(isPart);
  if (parts.length === 0) return false;
  const places = new Map<string, Element>();
  for (const template of templates) {
    const id = readAttribute(template, "id");
    if (template.name === "template" && PLACE_ID.test(id)) places.set(id.slice(2), template);
  }
  const wanted = new Map<Element, Element>();
  for (const part of parts) {
    const place = places.get(readAttribute(part, "id").slice(2));
    if (place === undefined || place.parent === null) delete part.attribs["hidden"];
    else wanted.set(part, place);
  }
  const depths = new Depths(wanted);
  const moves = new Map<ChildNode, Element>();
  const parents = new Set<ParentNode>();
  for (const [part, place] of wanted) {
    const depth = depths.read(part);
    if (depth === undefined || depth + measureHeight(part) > maxDepth || place.parent === null)
      continue;
    delete part.attribs["hidden"];
    moves.set(place, part);
    parents.add(place.parent);
  }
  detachAll(moves.values());
  for (const parent of parents) setChildren(parent, withParts(parent.children, moves));
  return true;
}

/** Depths of parts at their places, which may be in other parts. */
class Depths {
  readonly #wanted: ReadonlyMap<Element, Element>;
  readonly #known = new Map<Element, number | undefined>();

  constructor(wanted: ReadonlyMap<Element, Element>) {
    this.#wanted = wanted;
  }

  /** Undefined if the place of a part is, by way of other parts, in the part itself. */
  read(part: Element): number | undefined {
    const chain: { part: Element; steps: number }[] = [];
    let depth: number | undefined = 0;
    const open = new Set<Element>();
    for (let at: Element | undefined = part; at !== undefined;) {
      if (this.#known.has(at)) {
        depth = this.#known.get(at);
        break;
      }
      if (open.has(at)) {
        depth = undefined;
        break;
      }
      open.add(at);
      let steps = 0;
      let above: ParentNode | null = this.#wanted.get(at)?.parent ?? null;
      while (above !== null && !(isTag(above) && this.#wanted.has(above))) {
        steps += 1;
        above = above.parent;
      }
      chain.push({ part: at, steps });
      at = above !== null && isTag(above) ? above : undefined;
    }
    for (const { part: inner, steps } of chain.toReversed()) {
      depth = depth === undefined ? undefined : depth + steps + 1;
      this.#known.set(inner, depth);
    }
    return this.#known.get(part);
  }
}

/** Levels of elements in a part. */
function measureHeight(part: Element): number {
  let depth = 0;
  let height = 0;
  walk(
    part,
    (node) => {
      if (!isTag(node)) return "skip";
      depth += 1;
      height = Math.max(height, depth);
      return "children";
    },
    () => {
      depth -= 1;
    },
  );
  return height;
}

/**
 * Returns the children with each part in its place, without the provisional content up to the
 * closing comment.
 */
function withParts(
  children: readonly ChildNode[],
  moves: ReadonlyMap<ChildNode, Element>,
): ChildNode[] {
  const ends: number[] = [];
  let end = -1;
  for (let at = children.length - 1; at >= 0; at--) {
    if (isEnd(children[at] as ChildNode)) end = at;
    ends[at] = end;
  }
  const kept: ChildNode[] = [];
  for (let at = 0; at < children.length; at++) {
    const child = children[at] as ChildNode;
    const part = moves.get(child);
    if (part === undefined) {
      kept.push(child);
      continue;
    }
    kept.push(part);
    // Without the closing comment the end of the provisional content is unknown.
    const after = ends[at] ?? -1;
    if (after !== -1) at = after - 1;
  }
  return kept;
}

const isEnd = (node: ChildNode): boolean => isComment(node) && node.data === "/$";
