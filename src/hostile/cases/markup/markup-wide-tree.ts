// 400,000 siblings: code that looks at all siblings of each node is quadratic.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupWideTree = buildMarkupTrap(
  "markup-wide-tree",
  "elements beside each other",
  (count) => `<p>Wide.</p>${"<i>x</i>".repeat(count * 4)}`,
);
