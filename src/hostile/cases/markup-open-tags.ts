// Unterminated tags: a tokenizer that searches the closing bracket from each of them is quadratic.
import { markupTrap } from "../families/markup-trap.ts";

export const markupOpenTags = markupTrap(
  "markup-open-tags",
  "less-than signs and tags without an end",
  (count) => `<p>Text</p>${"<a ".repeat(count * 4)}`,
);
