// A tree 100,000 levels deep: recursive walks overflow the stack.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupDeepTree = buildMarkupTrap(
  "markup-deep-tree",
  "elements nested in each other",
  (count) => `<p>Deep.</p>${"<div>".repeat(count)}end`,
);
