// The verdict on a capture: what its page is, how much of it came, and whether a site says so only for the moment.
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
  // The headers of a page in a browser may be those of a check that it has passed.
  const verdict =
    capture.engine === "browser"
      ? judgeRendered(statusCode, evidence, body.length)
      : judge(statusCode, evidence, body.length, headers);
  const missing = findMissing(capture, options);
  return missing === undefined ? verdict : judgePart(verdict, missing);
}

/** With the verdict that holds when no other way of fetching is tried. */
export const concludeVerdict = <
  Judged extends { readonly verdict: Verdict; readonly derived: Pick<Derived, "evidence"> },
>(
  judged: Judged,
): Judged => ({ ...judged, verdict: acceptNoscript(judged.verdict, judged.derived.evidence) });

/**
 * Is it what a site says for the moment, or to some only: that it is busy or broken, a bot check, an application that nobody
 * opened? Then it is kept for who asks for the cache alone, and everybody else has it fetched anew.
 */
export function isPassing(
  { statusCode }: Pick<Capture, "statusCode">,
  { kind, escalate }: Verdict,
): boolean {
  return !hasContent(kind) && (escalate || statusCode >= 500 || PASSING.has(statusCode));
}

/** Request timeout, too early; too many requests has a remedy, see `Verdict`. */
const PASSING: ReadonlySet<number> = new Set([408, 425]);
