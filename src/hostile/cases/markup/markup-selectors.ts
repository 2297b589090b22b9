// Names that differ in every element, for code that groups elements by their names.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupSelectors = buildMarkupTrap(
  "markup-selectors",
  "classes and ids that differ in every element",
  (count) =>
    Array.from(
      { length: count },
      (_, index) => `<div class="c${index} d${index}" id="i${index}">t</div>`,
    ).join(""),
);
