// Elements inside the text that are not part of it: marks beside headings and listings, icons,
// new-window notes.
import type { Element } from "domhandler";
import { readAttribute } from "../parse/tree.ts";
import type { ConversionState } from "./conversion-state.ts";
import { isNewWindowNote } from "./redundant-links.ts";
import { isBesideCode, isLigature, isPermalink } from "./labels.ts";
import { isInLink } from "./marks.ts";

/**
 * Matches classes that the checks here or `findFormula` look for. Most elements do not match, so one
 * test replaces seven.
 */
export const NOTABLE = /ma|katex|mjx|latex|tex2jax|mw-|lang|line-number|google/i;

/** True if an element with classes is left out. `isNotable`: result of `NOTABLE` on its classes. */
export function isArtifact(element: Element, isNotable: boolean, state: ConversionState): boolean {
  const { name } = element;
  if (isNotable || name === "a" || name === "i") {
    if (isPermalink(element, state.headings > 0)) return true;
    if (isBesideCode(element, readAttribute(element, "class")) || isLigature(element)) return true;
  }
  if (name !== "span") return false;
  if (isInLink(state.marks) && isNewWindowNote(element)) return true;
  if (state.notes === 0) return false;
  return /(?:^|\s)(?:label|fn-label|brackets)(?:\s|$)/.test(readAttribute(element, "class"));
}
