// Judges a capture: what the page is, whether it is complete, and whether the state is temporary.
import type { Capture } from "../capture.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { hasContent } from "../contract/page/verdict.ts";
import {
  acceptNoscript,
  judge,
  judgePart,
  judgeRendered,
  type Verdict,
} from "../engines/verdict.ts";
import type { Derived } from "../formats/derivation.ts";
import { findMissing } from "./find-missing.ts";
import { parsedOf } from "./unsupported.ts";

export function judgeCapture(
  capture: Capture,
  derived: Pick<Derived, "evidence">,
  options: Pick<ScrapeOptions, "parsers">,
): Verdict {
  const { statusCode, body, headers } = capture;
  const evidence = parsedOf(capture, options) === undefined ? derived.evidence : undefined;
  // In a browser the headers may be those of a passed bot check.
  const verdict =
    capture.engine === "browser"
      ? judgeRendered(statusCode, evidence, body.length)
      : judge(statusCode, evidence, body.length, headers);
  const missing = findMissing(capture, options);
  return missing === undefined ? verdict : judgePart(verdict, missing);
}

/** The final verdict when no other attempt follows. */
export const concludeVerdict = <
  Judged extends { readonly verdict: Verdict; readonly derived: Pick<Derived, "evidence"> },
>(
  judged: Judged,
): Judged => ({ ...judged, verdict: acceptNoscript(judged.verdict, judged.derived.evidence) });

/**
 * Whether the page is a temporary or visitor-specific state: a server error, a bot check, an
 * unrendered application. Such a capture answers cache-only requests; everyone else fetches anew.
 */
export function isPassing(
  { statusCode }: Pick<Capture, "statusCode">,
  { kind, escalate }: Verdict,
): boolean {
  return !hasContent(kind) && (escalate || statusCode >= 500 || PASSING.has(statusCode));
}

/** Request timeout, too early. Too many requests has a remedy, see `Verdict`. */
const PASSING: ReadonlySet<number> = new Set([408, 425]);
