import type { Format } from "../contract/page/formats.ts";
import type { Document } from "../contract/page/scrape.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { listDeclared } from "../formats/index.ts";

export const TEXT_WITHHELD = `Its text was left out; onBlocked: "return" returns it.`;

/** Empties the document of a block page: each requested format is present without content. */
export function withholdText(
  derived: DerivedDocument,
  formats: readonly Format[],
): DerivedDocument {
  const document: Partial<Document> = {};
  for (const { declaration } of listDeclared(formats)) Object.assign(document, declaration.blank);
  return { ...derived, document, extraction: undefined };
}
