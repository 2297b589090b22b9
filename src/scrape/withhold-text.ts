import type { Document } from "../contract/page/scrape.ts";
import type { Derived } from "../formats/derivation.ts";
import { FORMATS } from "../formats/index.ts";

export const TEXT_WITHHELD = `Its text was left out; onBlocked: "return" returns it.`;

const OMITTED: ReadonlySet<string> = new Set(
  FORMATS.flatMap(({ name, omittedWhenWithheld }) => (omittedWhenWithheld === true ? [name] : [])),
);

/** Empties the document of a block page: each requested format is present without content. */
export function withholdText(derived: Derived): Derived {
  const entries = Object.entries(derived.document).flatMap(([name, value]) =>
    OMITTED.has(name) ? [] : [[name, emptyOf(value)] as const],
  );
  return { ...derived, document: Object.fromEntries(entries) as Partial<Document> };
}

function emptyOf(value: unknown): "" | [] | null {
  if (typeof value === "string") return "";
  return Array.isArray(value) ? [] : null;
}
