// Adjacent elements without whitespace between them: whether they are visually separate, and
// whether one labels the other.
import { type Element, isTag } from "domhandler";
import { getClassNumber } from "../parse/nodes.ts";
import { foldSpace, readAttribute, readText } from "../parse/tree.ts";
import { isLabel } from "./word-boundaries.ts";

/**
 * True if an inline element directly follows another and both have their own style, or their parent
 * lays its children out in a row or grid.
 */
export function isVisuallySeparate(element: Element): boolean {
  const { prev } = element;
  if (prev === null || !isTag(prev)) return false;
  if (isInRow(element)) return true;
  return hasClass(element) && (hasClass(prev) || prev.name === "code" || prev.name === "time");
}

/** Class names of Tailwind and Bootstrap for a flex or grid container, at any width. */
const ROW_CLASS = /(?:^|\s)(?:(?:sm|md|lg|xl|2xl):|d-)?(?:inline-)?(?:flex|grid)(?:\s|$)/;
const ROW_STYLE = /display\s*:\s*(?:inline-)?(?:flex|grid)/i;

function isInRow({ parent }: Element): boolean {
  if (parent === null || !isTag(parent)) return false;
  const { class: classes, style } = parent.attribs;
  return (
    (classes !== undefined && ROW_CLASS.test(classes)) ||
    (style !== undefined && ROW_STYLE.test(style))
  );
}

/**
 * True if the class of an element or of the one before it marks a label: the type of a field, a
 * tag, a version. Neighbors in a row are apart as well.
 */
export function isLabelled(element: Element): boolean {
  const { prev } = element;
  return (
    isInRow(element) ||
    isLabel(readAttribute(element, "class")) ||
    isTypeName(element) ||
    (prev !== null && isTag(prev) && isLabel(readAttribute(prev, "class")))
  );
}

/** The type of a parameter, as API references write it behind the name. */
const TYPE_NAME =
  /^(?:(?:nullable|optional|required) )?(?:string|integer|number|boolean|object|array|enum|hash|float|timestamp)(?: \w+)?$/i;
const MAX_TYPE_CHARACTERS = 40;

const isTypeName = (element: Element): boolean =>
  TYPE_NAME.test(foldSpace(readText(element, MAX_TYPE_CHARACTERS + 1)));

/** True if an element has a class attribute. */
export function hasClass(element: Element): boolean {
  const number = getClassNumber(element);
  return number > 0 || (number < 0 && element.attribs["class"] !== undefined);
}
