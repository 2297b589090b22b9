// A small text of a site beside its pages: robots.txt, a sitemap. Fetched as pages are, through the gate, within bounds.
import { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import type { HttpFetch, MayRedirect } from "./http.ts";

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

/** Throws what a fetch fails with. Certificates are not verified, as with pages by default. */
export function createFetchFile(http: Engine<HttpFetch>): FetchFile {
  return async (url, { timeoutMs, maxBytes, firstBytes, headers = {}, signal, mayRedirect }) => {
    using deadline = Deadline.start(timeoutMs, signal);
    const outcome = await http.fetch(
      { url, skipTlsVerification: true, maxBytes, firstBytes, headers, mayRedirect },
      deadline,
    );
    if (outcome.kind === "failed") throw outcome.error;
    if (outcome.kind === "unsuitable")
      throw new TargetError("SCRAPE_ALL_ENGINES_FAILED", `It lacks ${outcome.missing}.`);
    const { statusCode, finalUrl, contentType, body } = outcome.capture;
    return { status: statusCode, url: finalUrl, contentType, body };
  };
}
