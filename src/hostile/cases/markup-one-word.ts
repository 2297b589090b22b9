// A word without break opportunities, for code that splits, measures or hashes words.
import { markupTrap } from "../families/markup-trap.ts";

export const markupOneWord = markupTrap(
  "markup-one-word",
  "one word of megabytes",
  (count) => `<p>${"a".repeat(count * 40)}</p>`,
);
