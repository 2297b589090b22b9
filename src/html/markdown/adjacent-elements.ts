// Adjacent elements without whitespace between them: whether they are visually separate, and
// whether one labels the other.
import { type Element, isTag } from "domhandler";
import { getClassNumber } from "../parse/nodes.ts";
import { readAttribute } from "../parse/tree.ts";
import { isLabel } from "./word-boundaries.ts";

/** True if an inline element directly follows another and both have their own style. */
export function isVisuallySeparate(element: Element): boolean {
  const { prev } = element;
  if (prev === null || !isTag(prev) || !hasClass(element)) return false;
  return hasClass(prev) || prev.name === "code" || prev.name === "time";
}

/**
 * True if the class of an element or of the one before it marks a label: the type of a field, a
 * tag, a version.
 */
export function isLabelled(element: Element): boolean {
  const { prev } = element;
  return (
    isLabel(readAttribute(element, "class")) ||
    (prev !== null && isTag(prev) && isLabel(readAttribute(prev, "class")))
  );
}

/** True if an element has a class attribute. */
export function hasClass(element: Element): boolean {
  const number = getClassNumber(element);
  return number > 0 || (number < 0 && element.attribs["class"] !== undefined);
}
