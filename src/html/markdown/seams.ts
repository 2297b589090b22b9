// Elements that stand side by side with nothing between: whether they are drawn apart, and whether one is a label of the other.
import { type Element, isTag } from "domhandler";
import { classNumberOf } from "../parse/nodes.ts";
import { attributeOf } from "../parse/tree.ts";
import { isLabel } from "./word-seams.ts";

/** Whether an inline element follows another one with nothing between, each with a style of its own. */
export function isDrawnApart(element: Element): boolean {
  const { prev } = element;
  if (prev === null || !isTag(prev) || !isClassed(element)) return false;
  return isClassed(prev) || prev.name === "code" || prev.name === "time";
}

/** Whether an element or the one before it is a label by its class: the type of a field, a tag, a version. */
export function isLabelled(element: Element): boolean {
  const { prev } = element;
  return (
    isLabel(attributeOf(element, "class")) ||
    (prev !== null && isTag(prev) && isLabel(attributeOf(prev, "class")))
  );
}

/** Whether an element has a class attribute. */
export function isClassed(element: Element): boolean {
  const number = classNumberOf(element);
  return number > 0 || (number < 0 && element.attribs["class"] !== undefined);
}
