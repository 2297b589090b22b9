// One run of white space of megabytes: patterns such as `\s+$` take quadratic time.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupWhiteSpace = buildMarkupTrap(
  "markup-white-space",
  "a run of white space",
  (count) => `<p>a${" \n\t".repeat(count * 8)}b</p>`,
);
