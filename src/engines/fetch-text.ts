// Fetches a small text beside a site's pages: robots.txt, a sitemap. Through the gate and within
// limits like pages.
import { setTimeout as sleep } from "node:timers/promises";
import type { Capture } from "../capture.ts";
import { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch, MayRedirect } from "./http.ts";
import { parseRetryAfterMs } from "../runtime/retry-after.ts";

export type FetchedFile = {
  /** Status of the final response after redirects. */
  readonly status: number;
  /** URL after redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

export type FetchFileOptions = {
  readonly timeoutMs: number;
  /** Maximum decoded bytes; more is an error. */
  readonly maxBytes: number;
  /** Stops reading after this many bytes, unless the body is compressed. */
  readonly firstBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly mayRedirect?: MayRedirect | undefined;
};

export type FetchFile = (url: string, options: FetchFileOptions) => Promise<FetchedFile>;

/** Delays before the second and third attempt, if the host does not set one. */
const PAUSES_MS = [500, 1_500];
/** Longer Retry-After delays are not honoured, because a crawl waits for the file. */
const MAX_RETRY_AFTER_MS = 10_000;

/**
 * Throws the errors of the fetch. Retries twice after 429 or 503, after the delay the host asks
 * for. Certificates are not verified, like pages by default.
 */
export function createFetchFile(http: Engine<HttpFetch>): FetchFile {
  async function fetchOnce(wanted: HttpFetch, deadline: Deadline): Promise<Capture> {
    const outcome = await http.fetch(wanted, deadline);
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "unsuitable")
      throw new TargetError("SCRAPE_ALL_ENGINES_FAILED", `It lacks ${outcome.missing}.`);
    return outcome.capture;
  }
  return async (url, { timeoutMs, maxBytes, firstBytes, headers = {}, signal, mayRedirect }) => {
    using deadline = Deadline.start(timeoutMs, signal);
    const wanted = { url, skipTlsVerification: true, maxBytes, firstBytes, headers, mayRedirect };
    let capture = await fetchOnce(wanted, deadline);
    for (const pauseMs of PAUSES_MS) {
      const waitMs = computeRetryDelayMs(capture, pauseMs);
      if (waitMs === undefined || waitMs >= deadline.getTimeLeftMs()) break;
      await sleep(waitMs, undefined, { signal: deadline.signal });
      capture = await fetchOnce(wanted, deadline);
    }
    const { statusCode, finalUrl, contentType, body } = capture;
    return { status: statusCode, url: finalUrl, contentType, body };
  };
}

/** Returns the delay before the next attempt; undefined when there is none. */
function computeRetryDelayMs(
  { statusCode, headers }: Capture,
  pauseMs: number,
): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) return undefined;
  const header = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  const asked = parseRetryAfterMs(header, Date.now());
  if (asked !== undefined && asked > MAX_RETRY_AFTER_MS) return undefined;
  return Math.max(pauseMs, asked ?? 0);
}
