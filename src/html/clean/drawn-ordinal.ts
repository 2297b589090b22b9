import { type ChildNode, type Element, isTag, isText } from "domhandler";
import { attributeOf, foldSpace, hasAttribute, textOf } from "../parse/tree.ts";

/**
 * The element in an item of an ordered list that only draws the item's number: the list numbers it anyway, and the reader
 * would see it twice. `position` counts items from 0.
 */
export function drawnOrdinal(item: Element, position: number): Element | undefined {
  const list = item.parent;
  if (list === null || !isTag(list) || list.name !== "ol" || hasAttribute(list, "reversed"))
    return undefined;
  const start = Number.parseInt(attributeOf(list, "start"), 10);
  const value = Number.parseInt(attributeOf(item, "value"), 10);
  const number = Number.isNaN(value) ? (Number.isNaN(start) ? 1 : start) + position : value;
  let parent: Element = item;
  // Down to the innermost element that begins the item.
  for (let level = 0; level < 6; level++) {
    const first = parent.children.find(isShown);
    if (first === undefined || !isTag(first)) return undefined;
    const text = foldSpace(textOf(first, 20));
    const only = parent.children.filter(isShown).length === 1;
    if (isOrdinal(text, number)) return only ? undefined : first;
    parent = first;
  }
  return undefined;
}

/** Whether a text is nothing but this number: "3", "03", "3.", "3)", "3:". */
function isOrdinal(text: string, number: number): boolean {
  const written = /^0?(-?\d+)[.):]?$/.exec(text)?.[1];
  return written === `${number}`;
}

function isShown(node: ChildNode): boolean {
  return isText(node) ? /\S/.test(node.data) : isTag(node);
}
