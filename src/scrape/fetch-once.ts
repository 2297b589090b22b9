// One fetch by one engine, with the options that the engine needs.
import { collectEvidenceOptions } from "../formats/index.ts";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import type { Capture } from "../capture.ts";
import { toScrollLimits } from "../contract/page/scroll.ts";
import { computeWaitMs, type ScrapeOptions } from "../contract/page/scrape.ts";
import type { Deadline } from "../deadline.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { DocumentEngine, DocumentOptions } from "../engines/document.ts";
import { followDownload } from "../engines/follow-download.ts";
import type { Attempt } from "../engines/plan.ts";
import { type Engines } from "../engines/registry.ts";
import { type AttemptRequest, type FetchRequest, chooseShownUrl } from "./fetch-request.ts";
export type FetchOnceParts = {
  readonly engines: Engines;
  readonly egress: Pick<Egress, "selectProxy" | "hasProxy">;
  readonly documents: DocumentEngine;
};

export type FetchOutcome =
  | { readonly capture: Capture; readonly queuedMs: number }
  | { readonly missing: string };

/** The request that started a shared fetch may have spelled the URL differently. */
export function toRequested(fetched: FetchOutcome, request: FetchRequest): FetchOutcome {
  if (!("capture" in fetched)) return fetched;
  return { ...fetched, capture: { ...fetched.capture, requestedUrl: chooseShownUrl(request) } };
}

/** Runs the engine of one attempt, and follows a download that the page leads to. Throws failures. */
export async function fetchOnce(
  parts: FetchOnceParts,
  attempt: Attempt,
  request: AttemptRequest,
  deadline: Deadline,
): Promise<FetchOutcome> {
  const { options, url } = request;
  const wanted = options.location?.country;
  // A country without a proxy is a warning of the plan, not a failure.
  const tier =
    attempt.proxy === "enhanced" && parts.egress.hasProxy("enhanced") ? "enhanced" : "basic";
  const country = wanted !== undefined && parts.egress.hasProxy(tier, wanted) ? wanted : undefined;
  const proxy = parts.egress.selectProxy(tier, country);
  const shared = {
    url: url.href,
    headers: options.headers,
    languages: options.location?.languages ?? [],
    skipTlsVerification: options.skipTlsVerification,
    proxy,
    mayRedirect: request.mayRedirect,
    proxyUsed: tier === "enhanced" && proxy !== undefined ? "stealth" : "basic",
  } as const;
  const engine = parts.engines[attempt.engine] ?? parts.engines.http;
  const enhanced = attempt.proxy === "enhanced";
  const outcome = await engine.fetch(
    { ...shared, ...buildPageOptions(request), enhanced, known: request.known },
    deadline,
  );
  if (outcome.kind === "captured") {
    const { queuedMs = 0, leadsTo } = outcome;
    const ways = { deadline, isWanted: (file: Capture) => isDocument(parts, file, options) };
    const found =
      leadsTo === undefined
        ? undefined
        : await followDownload(
            parts.engines.http,
            shared,
            { page: outcome.capture, target: leadsTo },
            ways,
          );
    const capture = found ?? outcome.capture;
    return { capture: { ...capture, requestedUrl: chooseShownUrl(request) }, queuedMs };
  }
  if (outcome.kind === "failed") throw outcome.error;
  return { missing: outcome.missing };
}

/** A file that the document engine parses, or a PDF returned unparsed. */
const isDocument = (
  { documents }: FetchOnceParts,
  file: Capture,
  options: ScrapeOptions,
): boolean =>
  (file.mimeType === "application/pdf" && file.statusCode < 400) ||
  documents.suits(file, selectDocumentOptions(options));

export const selectDocumentOptions = ({ parsers, location }: ScrapeOptions): DocumentOptions => ({
  parsers,
  languages: location?.languages ?? [],
});

function buildPageOptions({ options, identity, holder, mayVisit }: FetchRequest) {
  return {
    mayVisit,
    country: options.location?.country,
    mobile: options.mobile,
    blockAds: options.blockAds,
    waitForMs: computeWaitMs(options),
    actions: options.actions,
    scroll: toScrollLimits(options.scroll),
    ...collectEvidenceOptions(options.formats),
    identity: identity ?? ANONYMOUS_IDENTITY,
    profile: options.profile,
    holder,
    timeoutMs: options.timeout,
  };
}
