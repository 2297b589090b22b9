// Characters with a meaning in Markdown, which have to be escaped or paired.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupEmphasis = buildMarkupTrap(
  "markup-emphasis",
  "runs of characters that Markdown gives a meaning",
  (count) => `<p>${"*_`[".repeat(count * 2)}</p>`,
);
