// Content that a page brings but only shows by script: parts streamed by React, the text for readers without script.
import { type ChildNode, type Document, type Element, isComment, isTag, isText } from "domhandler";
import { attributeOf, detach, detachAll, hasAttribute, setChildren, walk } from "./tree.ts";

const STREAMED_ID = /^[SP]:[\da-f]+$/i;

/**
 * React sends late parts of a page as `<div hidden id="S:1">` at its end and moves them by script to where
 * `<template id="B:1">` stands, over what was shown meanwhile. This does the same without the script.
 */
export function placeStreamed(document: Document): void {
  const places = new Map<string, Element>();
  const parts: Element[] = [];
  walk(document, (node) => {
    if (!isTag(node)) return "skip";
    const id = attributeOf(node, "id");
    if (node.name === "template" && /^[BP]:/.test(id)) places.set(id.slice(2), node);
    else if (STREAMED_ID.test(id) && hasAttribute(node, "hidden")) parts.push(node);
    return "children";
  });
  for (const part of parts) {
    delete part.attribs["hidden"];
    const place = places.get(attributeOf(part, "id").slice(2));
    if (place === undefined || place.parent === null || isInside(place, part)) continue;
    detach(part);
    const siblings = [...place.parent.children];
    const at = siblings.indexOf(place);
    let end = at + 1;
    while (end < siblings.length && !isEnd(siblings[end] as ChildNode)) end++;
    // Without the closing comment nothing tells where the provisional content ends.
    const meanwhile =
      end < siblings.length ? siblings.splice(at, end - at) : siblings.splice(at, 1);
    const { parent } = place;
    detachAll(meanwhile);
    siblings.splice(at, 0, part);
    setChildren(parent, siblings);
  }
}

function isEnd(node: ChildNode): boolean {
  return isComment(node) && node.data === "/$";
}

function isInside(node: Element, outer: Element): boolean {
  for (let above = node.parent; above !== null; above = above.parent)
    if (above === outer) return true;
  return false;
}

/** Characters a noscript must hold before it can be the page. */
const ENOUGH = 250;

/** Where the text for readers without script is the greater part of a page, it becomes the page. */
export function openNoscript(document: Document): void {
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
    if (characters > ENOUGH && characters > outside) {
      element.name = "div";
      element.attribs = {};
    }
}
