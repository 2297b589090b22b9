// Builds the document: the requested formats, the metadata of page and scrape, and one warning.
import type { Capture, ParsedFile } from "../capture.ts";
import type { Document, Metadata } from "../contract/page/scrape.ts";
import { hasContent } from "../contract/page/verdict.ts";
import { readMimeEssence } from "../engines/http-mime.ts";
import type { Verdict } from "../html/evidence/verdict.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { findStatusText } from "./status-text.ts";
import { TEXT_WITHHELD } from "./withhold-text.ts";

export type DocumentFacts = {
  readonly scrapeId: string;
  readonly capture: Capture;
  readonly derived: DerivedDocument;
  readonly verdict: Verdict;
  readonly creditsUsed: number;
  /** Undefined when the request was not eligible for the cache. */
  readonly cacheState: "hit" | "miss" | undefined;
  /** Milliseconds the scrape waited for a slot; 0 if it did not. */
  readonly queuedMs: number;
  /** Time zone that the page was shown, if the request set a location and the page was rendered. */
  readonly timezone?: string | undefined;
  /** See FetchResult. */
  readonly withoutBrowser?: string | undefined;
  readonly warnings: readonly string[];
  /** True if the formats were emptied because the page is a block page. */
  readonly isWithheld: boolean;
  /** The parsed file. */
  readonly file?: ParsedFile | undefined;
};

/**
 * Builds the document of one scrape. Its keys are exactly the requested formats, metadata, and
 * warning if there is one.
 */
export function buildDocument(facts: DocumentFacts): Document {
  const { capture, derived } = facts;
  const warnings = [
    ...facts.warnings,
    ...capture.warnings,
    ...(facts.file?.warnings ?? []),
    ...derived.warnings,
    ...listVerdictWarnings(facts.verdict),
    ...(facts.isWithheld ? [TEXT_WITHHELD] : []),
    ...(facts.withoutBrowser === undefined ? [] : [facts.withoutBrowser]),
  ];
  const document: Document = { ...derived.document, metadata: buildMetadata(facts) };
  if (facts.queuedMs > 0) {
    warnings.push(
      `The scrape waited ${facts.queuedMs} ms for a slot because the concurrency limit was reached.`,
    );
  }
  if (warnings.length > 0) document.warning = [...new Set(warnings)].join(" ");
  return document;
}

/** Pages that were read. Others, such as pictures that ran out of time, have nothing. */
export const countReadPages = ({ pages }: ParsedFile): number =>
  pages.filter(({ status, blocks }) => status === "ok" || blocks.length > 0).length;

function buildMetadata(facts: DocumentFacts): Metadata {
  const { capture, derived, verdict } = facts;
  const metadata: Metadata = {
    ...derived.metadata,
    sourceURL: capture.requestedUrl,
    url: capture.finalUrl,
    statusCode: capture.statusCode,
    verdict: verdict.kind,
    contentType: readContentType(capture),
    scrapeId: facts.scrapeId,
    proxyUsed: capture.proxyUsed,
    engine: capture.engine,
    creditsUsed: facts.creditsUsed,
    concurrencyLimited: facts.queuedMs > 0,
  };
  if (facts.file?.totalPages !== undefined) {
    metadata.numPages = countReadPages(facts.file);
    metadata.totalPages = facts.file.totalPages;
  }
  // Pages choose their meta tag names, so fields of the scrape are overwritten or removed.
  delete metadata.error;
  delete metadata.cacheState;
  delete metadata.cachedAt;
  if (derived.extraction !== undefined) metadata.extraction = derived.extraction;
  const error = describeError(capture.statusCode, verdict);
  if (error !== undefined) metadata.error = error;
  if (facts.cacheState !== undefined) metadata.cacheState = facts.cacheState;
  if (facts.cacheState === "hit") metadata.cachedAt = new Date(capture.fetchedAt).toISOString();
  if (facts.timezone !== undefined) metadata.timezone = facts.timezone;
  if (facts.queuedMs > 0) metadata.concurrencyQueueDurationMs = facts.queuedMs;
  return metadata;
}

/** The site's Content-Type with parameters, or the detected type if it differs. */
function readContentType({ contentType, mimeType }: Capture): string {
  return readMimeEssence(contentType) === mimeType ? contentType : mimeType;
}

function describeError(statusCode: number, verdict: Verdict): string | undefined {
  const status = findStatusText(statusCode);
  if (hasContent(verdict.kind) || verdict.kind === "empty" || verdict.kind === "error_page")
    return status;
  return status === undefined ? toSentence(verdict.reason) : `${status}: ${verdict.reason}`;
}

function listVerdictWarnings(verdict: Verdict): string[] {
  switch (verdict.kind) {
    case "content":
    case "error_page":
    // The capture or the file has its own warning.
    case "partial":
      return [];
    case "empty_shell":
      return [`${toSentence(verdict.reason)} It was fetched without a browser.`];
    case "bot_check":
    case "blocked":
      return [`This is not the content of the page: ${verdict.reason}.`];
    case "login":
    case "soft_404":
    case "empty":
      return [toSentence(verdict.reason)];
  }
}

const toSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
