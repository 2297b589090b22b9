// Comments without an end: a search for `-->` from each opening is quadratic.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupOpenComments = buildMarkupTrap(
  "markup-open-comments",
  "comments without an end",
  (count) => `<p>Text</p>${"<!-- ".repeat(count * 4)}`,
);
