// A word without break opportunities, for code that splits, measures or hashes words.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupOneWord = buildMarkupTrap(
  "markup-one-word",
  "one word of megabytes",
  (count) => `<p>${"a".repeat(count * 40)}</p>`,
);
