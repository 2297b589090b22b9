// Unterminated tags: a tokenizer that searches the closing bracket from each of them is quadratic.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupOpenTags = buildMarkupTrap(
  "markup-open-tags",
  "less-than signs and tags without an end",
  (count) => `<p>Text</p>${"<a ".repeat(count * 4)}`,
);
