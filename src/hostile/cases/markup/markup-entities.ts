// Character references that are incomplete or run into each other.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupEntities = buildMarkupTrap(
  "markup-entities",
  "character references without an end",
  (count) => `<p>${"&amp&#x41&".repeat(count)}</p>`,
);
