import type { Document } from "../contract/page/scrape.ts";
import type { Derived } from "../formats/derivation.ts";

export const TEXT_WITHHELD = `Its text was left out; onBlocked: "return" returns it.`;

/** The document of a block page without anything read from it: each format asked for is there and empty. */
export function withholdText(derived: Derived): Derived {
  const entries = Object.entries(derived.document).flatMap(([name, value]) =>
    // A profile of nothing would be taken for the site's.
    name === "branding" ? [] : [[name, emptyOf(value)] as const],
  );
  return { ...derived, document: Object.fromEntries(entries) as Partial<Document> };
}

function emptyOf(value: unknown): "" | [] | null {
  if (typeof value === "string") return "";
  return Array.isArray(value) ? [] : null;
}
