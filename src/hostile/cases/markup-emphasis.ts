// Characters with a meaning in Markdown, which have to be escaped or paired.
import { markupTrap } from "../families/markup-trap.ts";

export const markupEmphasis = markupTrap(
  "markup-emphasis",
  "runs of characters that Markdown gives a meaning",
  (count) => `<p>${"*_`[".repeat(count * 2)}</p>`,
);
