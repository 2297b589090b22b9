import type { Format } from "../../src/contract/page/formats.ts";
import { derive } from "../../src/formats/derive.ts";
import type { DerivedDocument } from "../../src/formats/derivation.ts";
import { deriveInput } from "../derive-input.ts";

/** Derives the formats of a page at https://site.example/page as the worker threads do. */
export function derivePage(
  html: string,
  formats: readonly Format[],
  mimeType = "text/html",
): DerivedDocument {
  const contentType = `${mimeType}; charset=utf-8`;
  return derive(deriveInput(html, { formats, contentType, mimeType, reads: true }));
}

/** Returns the json format's draft for a schema. */
export function draftPage(html: string, schema: Record<string, unknown>, prompt?: string) {
  const { draft } = derivePage(html, [
    { type: "json", schema, prompt, checkPromptInjection: false, evidence: false },
  ]);
  if (draft === undefined) throw new Error("no draft");
  return draft;
}
