import type { Document } from "../contract/page/scrape.ts";
import type { Derived } from "../formats/derivation.ts";

export const TEXT_WITHHELD = `Its text was left out; onBlocked: "return" returns it.`;

/** Empties the document of a block page: each requested format is present without content. */
export function withholdText(derived: Derived): Derived {
  const entries = Object.entries(derived.document).flatMap(([name, value]) =>
    // An empty branding profile would look like the site's.
    name === "branding" ? [] : [[name, emptyOf(value)] as const],
  );
  return { ...derived, document: Object.fromEntries(entries) as Partial<Document> };
}

function emptyOf(value: unknown): "" | [] | null {
  if (typeof value === "string") return "";
  return Array.isArray(value) ? [] : null;
}
