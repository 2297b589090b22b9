// Judges a capture: what the page is, whether it is complete, and whether the state is temporary.
import type { Capture, ParsedFile } from "../capture.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { hasContent } from "../contract/page/verdict.ts";
import { renders } from "../engines/registry.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { acceptNoscript, type CaptureFacts, type Verdict } from "../html/evidence/verdict.ts";
import { findMissing } from "./find-missing.ts";
import { findParsed } from "./check-support.ts";

export function collectFacts(
  capture: Capture,
  options: Pick<ScrapeOptions, "parsers">,
): CaptureFacts {
  const isRendered = renders(capture.engine);
  const file = findParsed(capture, options);
  return {
    statusCode: capture.statusCode,
    bodyBytes: capture.body.length,
    headers: isRendered ? [] : capture.headers,
    isRendered,
    isFile: file !== undefined,
    isBlankFile: file !== undefined && isBlank(file),
    missing: findMissing(capture, options),
  };
}

const isBlank = ({ markdown, pages, warnings }: ParsedFile): boolean =>
  warnings.length === 0 &&
  markdown.trim() === "" &&
  pages.every(({ blocks }) => blocks.length === 0);

/** The final verdict when no other attempt follows. */
export const finalizeVerdict = <
  Judged extends { readonly verdict: Verdict; readonly derived: Pick<DerivedDocument, "evidence"> },
>(
  judged: Judged,
): Judged => ({ ...judged, verdict: acceptNoscript(judged.verdict, judged.derived.evidence) });

/**
 * True if the page is a temporary or visitor-specific state: a server error, a bot check, an
 * unrendered application. Such a capture answers cache-only requests; all others fetch the page
 * again.
 */
export function isPassing(
  { statusCode }: Pick<Capture, "statusCode">,
  { kind, escalate }: Verdict,
): boolean {
  return !hasContent(kind) && (escalate || statusCode >= 500 || PASSING.has(statusCode));
}

/** Request timeout, too early. Too many requests has a remedy, see `Verdict`. */
const PASSING: ReadonlySet<number> = new Set([408, 425]);
