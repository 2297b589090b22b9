import { type ChildNode, type Element, isTag, isText } from "domhandler";
import { readAttribute, foldSpace, hasAttribute, readText } from "../parse/tree.ts";

/**
 * Finds the element in an ordered-list item that only draws the item's number. The list already
 * numbers it, so the reader would see the number twice. `position` counts items from 0.
 */
export function findDrawnOrdinal(item: Element, position: number): Element | undefined {
  const list = item.parent;
  if (list === null || !isTag(list) || list.name !== "ol" || hasAttribute(list, "reversed"))
    return undefined;
  const start = Number.parseInt(readAttribute(list, "start"), 10);
  const value = Number.parseInt(readAttribute(item, "value"), 10);
  const number = Number.isNaN(value) ? (Number.isNaN(start) ? 1 : start) + position : value;
  let parent: Element = item;
  // Descends to the innermost element that starts the item.
  for (let level = 0; level < 6; level++) {
    const first = parent.children.find(isShown);
    if (first === undefined || !isTag(first)) return undefined;
    const text = foldSpace(readText(first, 20));
    const only = parent.children.filter(isShown).length === 1;
    if (isOrdinal(text, number)) return only ? undefined : first;
    parent = first;
  }
  return undefined;
}

/** True if the text is only this number: "3", "03", "3.", "3)" or "3:". */
function isOrdinal(text: string, number: number): boolean {
  const written = /^0?(-?\d+)[.):]?$/.exec(text)?.[1];
  return written === `${number}`;
}

function isShown(node: ChildNode): boolean {
  return isText(node) ? /\S/.test(node.data) : isTag(node);
}
