// Content that is in the page but only shown by script: parts streamed by React, and noscript text.
import {
  type ChildNode,
  type Document,
  type Element,
  isComment,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { rename } from "../parse/nodes.ts";
import { readAttribute, detachAll, setChildren, readText, walk } from "../parse/tree.ts";

/** Ids of a streamed part and of its placeholder. */
export const STREAMED_ID = /^[SP]:[\da-f]+$/i;
export const STREAMED_PLACE = /^[BP]:/;

/**
 * React sends late parts of a page as `<div hidden id="S:1">` at the end and moves them by script
 * to `<template id="B:1">`, replacing the provisional content. This does the same without the
 * script.
 */
export function insertStreamedParts(
  templates: readonly Element[],
  parts: readonly Element[],
): void {
  const places = new Map<string, Element>();
  for (const template of templates) places.set(readAttribute(template, "id").slice(2), template);
  const moves = new Map<ChildNode, Element>();
  const parents = new Set<ParentNode>();
  for (const part of parts) {
    delete part.attribs["hidden"];
    const place = places.get(readAttribute(part, "id").slice(2));
    if (place === undefined || place.parent === null || isInside(place, part)) continue;
    moves.set(place, part);
    parents.add(place.parent);
  }
  detachAll(moves.values());
  for (const parent of parents) setChildren(parent, withParts(parent.children, moves));
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

function isEnd(node: ChildNode): boolean {
  return isComment(node) && node.data === "/$";
}

function isInside(node: Element, outer: Element): boolean {
  for (let above = node.parent; above !== null; above = above.parent)
    if (above === outer) return true;
  return false;
}

/** Minimum characters in a noscript for it to replace the page. */
const MIN_NOSCRIPT_CHARACTERS = 250;

/** Replaces the page with its noscript text if that is the greater part of the page. */
export function expandNoscript(document: Document, present: readonly Element[]): void {
  if (
    !present.some(
      (element) => readText(element, 2 * MIN_NOSCRIPT_CHARACTERS).length > MIN_NOSCRIPT_CHARACTERS,
    )
  )
    return;
  const noscripts: { element: Element; characters: number }[] = [];
  let inside: { element: Element; characters: number } | undefined;
  let outside = 0;
  walk(
    document,
    (node) => {
      if (isText(node)) {
        const characters = node.data.trim().length;
        if (inside === undefined) outside += characters;
        else inside.characters += characters;
        return "skip";
      }
      if (!isTag(node) || node.name === "head" || node.name === "template") return "skip";
      if (node.name === "script" || node.name === "style") return "skip";
      if (node.name === "noscript" && inside === undefined) {
        inside = { element: node, characters: 0 };
        noscripts.push(inside);
      }
      return "children";
    },
    (element) => {
      if (element === inside?.element) inside = undefined;
    },
  );
  for (const { element, characters } of noscripts)
    if (characters > MIN_NOSCRIPT_CHARACTERS && characters > outside) {
      rename(element, "div");
      element.attribs = {};
    }
}
