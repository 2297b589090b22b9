// A small text of a site beside its pages: robots.txt, a sitemap. Fetched as pages are, through the gate, within bounds.
import { setTimeout as sleep } from "node:timers/promises";
import type { Capture } from "../capture.ts";
import { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch, MayRedirect } from "./http.ts";
import { retryAfterMs } from "./retry-after.ts";

export type FetchedFile = {
  /** Of the final answer, redirects followed. */
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

export type FetchFileOptions = {
  readonly timeoutMs: number;
  /** Decoded; more is an error. */
  readonly maxBytes: number;
  /** So much is enough: what follows is not read, unless it is compressed. */
  readonly firstBytes?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly mayRedirect?: MayRedirect | undefined;
};

export type FetchFile = (url: string, options: FetchFileOptions) => Promise<FetchedFile>;

/** Before the second try and the third, where the host does not say how long to wait. */
const PAUSES_MS = [500, 1_500];
/** A host that wants more patience gets none: a crawl waits for the file. */
const MAX_PATIENCE_MS = 10_000;

/**
 * Throws what a fetch fails with. A host that answers 429 or 503 is asked again twice, after as long as it says. Certificates are
 * not verified, as with pages by default.
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
      const waitMs = patienceFor(capture, pauseMs);
      if (waitMs === undefined || waitMs >= deadline.timeLeftMs()) break;
      await sleep(waitMs, undefined, { signal: deadline.signal });
      capture = await fetchOnce(wanted, deadline);
    }
    const { statusCode, finalUrl, contentType, body } = capture;
    return { status: statusCode, url: finalUrl, contentType, body };
  };
}

/** How long to wait before the next try; undefined where there is to be none. */
function patienceFor({ statusCode, headers }: Capture, pauseMs: number): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) return undefined;
  const header = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
  const asked = retryAfterMs(header, Date.now());
  if (asked !== undefined && asked > MAX_PATIENCE_MS) return undefined;
  return Math.max(pauseMs, asked ?? 0);
}
