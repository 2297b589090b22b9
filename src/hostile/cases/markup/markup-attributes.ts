// One element with 100,000 attributes: a search for duplicates in a list is quadratic.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupAttributes = buildMarkupTrap(
  "markup-attributes",
  "one element with very many attributes",
  (count) => `<p ${Array.from({ length: count }, (_, index) => `a${index}=1`).join(" ")}>Text</p>`,
);
