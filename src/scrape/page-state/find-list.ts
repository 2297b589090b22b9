// Finds the list in the data that a run of sibling elements shows, one element per entry.
import { isObject } from "../../runtime/is-object.ts";
import { isPlainElement, isSpace, type PlainElement, type PlainNode } from "./plain-tree.ts";
import { toKey } from "./seen-values.ts";
import type { Path, ValueIndex } from "./value-index.ts";

export type FoundList = {
  readonly level: number;
  readonly path: Path;
  readonly items: readonly unknown[];
  readonly elements: readonly PlainElement[];
  readonly hasSpace: boolean;
  /** Position behind the last element. */
  readonly end: number;
};

const MAX_VALUES = 40;
/** A list starts at one of the first elements of a run. */
const MAX_TRIES = 3;

/**
 * Returns the list whose entries stand from position `from` on. `isOwnEntry`: the element there is
 * itself the entry of a list.
 */
export function findList(
  nodes: readonly PlainNode[],
  from: number,
  indexes: readonly ValueIndex[],
  isOwnEntry: boolean,
): FoundList | undefined {
  const run = readRun(nodes, from);
  const isEntry = !isOwnEntry && isSingleEntry(run.elements);
  if (run.elements.length < 2 && !isEntry) return undefined;
  const known: string[] = [];
  const readAt = (at: number): string => (known[at] ??= collectTexts(run.elements[at]));
  let best: FoundList | undefined;
  let bestScore = 0;
  for (const index of indexes.toReversed())
    for (const { path, items } of index.lists) {
      if (items.length > run.elements.length || (items.length < 2 && !isEntry)) continue;
      const score = countShared(items, readAt);
      if (score === 0 || score < bestScore) continue;
      if (score === bestScore && items.length <= (best?.items.length ?? 0)) continue;
      bestScore = score;
      best = {
        level: index.level,
        path,
        items,
        elements: run.elements.slice(0, items.length),
        hasSpace: run.hasSpace,
        end: (run.ends[items.length - 1] ?? from) + 1,
      };
    }
  return best;
}

/** One element whose name promises more of its kind. */
const isSingleEntry = ([only, ...others]: readonly PlainElement[]): boolean =>
  others.length === 0 && (only?.name === "li" || only?.name === "tr");

/** Counts the equal elements directly before a position, up to one more than the limit. */
function countBefore(nodes: readonly PlainNode[], from: number): number {
  const first = nodes[from];
  let count = 0;
  for (let at = from - 1; at >= 0 && count <= MAX_TRIES; at--) {
    const node = nodes[at];
    if (node === undefined || first === undefined || !isPlainElement(first)) break;
    if (isSpace(node)) continue;
    if (!isPlainElement(node) || node.name !== first.name) break;
    count += 1;
  }
  return count;
}

function readRun(nodes: readonly PlainNode[], from: number) {
  const first = nodes[from];
  if (countBefore(nodes, from) > MAX_TRIES) return { elements: [], ends: [], hasSpace: false };
  const elements: PlainElement[] = [];
  const ends: number[] = [];
  let hasSpace = false;
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    if (node === undefined || first === undefined || !isPlainElement(first)) break;
    if (isSpace(node)) hasSpace = true;
    else if (isPlainElement(node) && node.name === first.name) {
      elements.push(node);
      ends.push(at);
    } else break;
  }
  return { elements, ends, hasSpace };
}

/** The element's texts and the attributes a reader or a crawl notices, as one text. */
function collectTexts(element: PlainElement | undefined): string {
  const parts: string[] = [];
  const visit = (node: PlainNode): void => {
    if (typeof node === "string") parts.push(node);
    else {
      for (const name of ["href", "src", "alt", "title"])
        parts.push(node.attributes.get(name) ?? "");
      for (const child of node.children) visit(child);
    }
  };
  if (element !== undefined) visit(element);
  return `\n${parts.join("\n")}\n`;
}

/** Counts the properties that every entry's element shows, and that differ between entries. */
function countShared(items: readonly unknown[], readAt: (at: number) => string): number {
  let shared: Map<string, Set<string>> | undefined;
  for (const [at, item] of items.entries()) {
    const text = readAt(at);
    const found = new Map<string, Set<string>>();
    for (const [key, value] of listValues(item))
      if (isIn(value, text) && (shared?.has(key) ?? true))
        found.set(key, new Set([...(shared?.get(key) ?? []), value]));
    if (found.size === 0) return 0;
    shared = found;
  }
  return [...(shared?.values() ?? [])].filter(({ size }) => size > 1 || items.length === 1).length;
}

const isIn = (value: string, text: string): boolean =>
  value.length > 2 ? text.includes(value) : text.includes(`\n${value}\n`);

/** The first values of an entry, to a depth of three. */
function listValues(item: unknown): [string, string][] {
  const found: [string, string][] = [];
  const visit = (value: unknown, path: Path): void => {
    if (found.length >= MAX_VALUES || path.length > 3) return;
    if (typeof value === "string" || typeof value === "number") {
      const text = String(value).trim();
      if (text !== "") found.push([toKey(path), text]);
    } else if (Array.isArray(value))
      for (const [at, inner] of value.entries()) visit(inner, [...path, at]);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(item, []);
  return found;
}
