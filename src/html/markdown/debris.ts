// What stands in the text of a page and is no part of it: marks beside headings and listings, icons, what is said of windows.
import type { Element } from "domhandler";
import { attributeOf } from "../parse/tree.ts";
import type { Flow } from "./flow.ts";
import { isWindowNote } from "./idle-links.ts";
import { isBesideCode, isLigature, isPermalink } from "./labels.ts";
import { isInLink } from "./marks.ts";

/**
 * Whether classes have in them what is asked for here and of formulas (`formulaOf`). Those of most elements have not, so that one
 * question stands for seven.
 */
export const NOTABLE = /ma|katex|mjx|latex|tex2jax|mw-|lang|line-number|google/i;

/** Whether an element that has classes is left out. `isNotable`: what `NOTABLE` says of them. */
export function isDebris(element: Element, isNotable: boolean, flow: Flow): boolean {
  const { name } = element;
  if (isNotable || name === "a" || name === "i") {
    if (isPermalink(element, flow.headings > 0)) return true;
    if (isBesideCode(element, attributeOf(element, "class")) || isLigature(element)) return true;
  }
  if (name !== "span") return false;
  if (isInLink(flow.marks) && isWindowNote(element)) return true;
  if (flow.notes === 0) return false;
  return /(?:^|\s)(?:label|fn-label|brackets)(?:\s|$)/.test(attributeOf(element, "class"));
}
