// Formatting elements that are never closed are opened again in every following block (HTML
// standard, "reconstruct the active formatting elements").
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupOpenFormatting = buildMarkupTrap(
  "markup-open-formatting",
  "formatting elements that are never closed",
  (count) => `<p>${"<b><i><a href=x>".repeat(count / 20)}<p>`.repeat(3),
);
