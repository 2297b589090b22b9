// The extractor of the json format as a step of a scrape: its program is loaded before the page is
// fetched, and its result is recorded afterwards.
import type { Identity } from "../account/identity.ts";
import { findFormat, type Format } from "../contract/page/formats.ts";
import { RequestError } from "../errors.ts";
import type { DerivedDocument, ExtractorRun, StoredProgram } from "../formats/derivation.ts";
import { NO_STORAGE_MESSAGE } from "./capabilities.ts";

export type LoadedProgram = StoredProgram & {
  /** Reason why its values may be missing, such as drift. */
  readonly warning?: string | undefined;
};

export type ExtractorPrograms = {
  /** Throws NOT_FOUND for ids that are unknown or of another account. */
  load(id: string, accountId: string): Promise<LoadedProgram>;
  /** Records the result of an extractor on a page; returns at once and never throws. */
  record(program: StoredProgram, run: ExtractorRun, identity: Identity | undefined): void;
};

/**
 * The program of the json format's extractor; undefined without one. Throws NOT_FOUND and
 * NOT_IMPLEMENTED.
 */
export async function loadExtractor(
  formats: readonly Format[],
  accountId: string | undefined,
  programs: ExtractorPrograms | undefined,
): Promise<LoadedProgram | undefined> {
  const id = findFormat(formats, "json")?.extractor;
  if (id === undefined) return undefined;
  if (programs === undefined || accountId === undefined)
    throw new RequestError("NOT_IMPLEMENTED", NO_STORAGE_MESSAGE);
  return await programs.load(id, accountId);
}

/** Adds the extractor's warning to the derived formats, and records its result. */
export function recordExtractor(
  derived: DerivedDocument,
  program: LoadedProgram | undefined,
  programs: ExtractorPrograms | undefined,
  identity: Identity | undefined,
): DerivedDocument {
  if (program === undefined || derived.extractorRun === undefined) return derived;
  programs?.record(program, derived.extractorRun, identity);
  const { warning } = program;
  return warning === undefined ? derived : { ...derived, warnings: [...derived.warnings, warning] };
}
