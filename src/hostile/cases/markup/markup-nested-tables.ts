// Nested tables, which the HTML standard parses with a separate stack.
import { buildMarkupTrap } from "../../families/markup-trap.ts";

export const markupNestedTables = buildMarkupTrap(
  "markup-nested-tables",
  "tables nested in each other",
  (count) => `${"<table><tr><td>".repeat(count / 8)}end`,
);
