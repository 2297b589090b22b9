// Nested lists and quotes: each level indents all lines below it, so Markdown grows with the square
// of the depth.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupDeepLists = buildMarkupTrap(
  "markup-deep-lists",
  "lists and quotes nested in each other",
  (count) => `${"<ul><li><blockquote>".repeat(count / 8)}end`,
);
