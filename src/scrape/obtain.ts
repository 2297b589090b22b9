// From a request to a judged page: the cache first, then the attempts of the plan, until a verdict says "content" or
// nothing is left to try. What the retry did not improve is not what the caller gets, nor pays for.
import type { Capture } from "../capture.ts";
import type { ScrapeOptions } from "../contract/scrape.ts";
import type { Deadline } from "../deadline.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Engine } from "../engines/engine.ts";
import type { HttpFetch, MayRedirect } from "../engines/http.ts";
import { ESCALATING_STATUSES, judge, type Verdict } from "../engines/verdict.ts";
import type { Attempt, Plan } from "../engines/plan.ts";
import { RequestError, TargetError } from "../errors.ts";
import type { DeriveInput, Derived } from "../formats/derivation.ts";
import type { FormatPool } from "../formats/pool.ts";
import { isTextKind, pageKind } from "../formats/page-kind.ts";
import type { CaptureStore } from "../store/captures.ts";
import { hasUserinfo, textWithoutUserinfo } from "../url/userinfo.ts";
import { answersScreenshot, hashCacheKey, type CachePolicy } from "./cache-policy.ts";
import type { Stopwatch, Trail } from "./explanation.ts";
import { Joiner } from "./join.ts";
import { checkFileType } from "./unsupported.ts";

export type Obtained = {
  readonly capture: Capture;
  readonly derived: Derived;
  readonly verdict: Verdict;
  readonly fromCache: boolean;
  readonly trail: readonly Trail[];
};

export type ObtainRequest = {
  readonly options: ScrapeOptions;
  readonly url: URL;
  readonly plan: Plan;
  readonly policy: CachePolicy;
  readonly deadline: Deadline;
  readonly watch: Stopwatch;
  readonly explain: boolean;
  /** Also bring the links a crawl may follow. */
  readonly discover: boolean;
  /** May a redirect be followed? Every one may where this is missing. */
  readonly mayRedirect?: MayRedirect | undefined;
};

export type ObtainParts = {
  readonly http: Engine<HttpFetch>;
  readonly egress: Pick<Egress, "selectProxy" | "hasProxy">;
  readonly pool: FormatPool;
  /** Resolves once the store is open; only asked for when the policy needs it. */
  readonly captures: () => Promise<CaptureStore>;
  /** Longest life of a fetch that several requests share, milliseconds. */
  readonly longestFetchMs: number;
};

export type Obtain = (request: ObtainRequest) => Promise<Obtained>;

export function createObtain(parts: ObtainParts): Obtain {
  const joiner = new Joiner<Capture>(parts.longestFetchMs);

  async function derive(
    capture: Capture,
    request: ObtainRequest,
  ): Promise<{ derived: Derived; verdict: Verdict }> {
    checkFileType(capture, request.options);
    const derived = await request.watch.time("derive", () =>
      parts.pool.derive(deriveInput(capture, request), request.deadline),
    );
    return { derived, verdict: judge(capture.statusCode, derived.evidence, capture.body.length) };
  }

  /** One fetch; requests that would fetch the very same thing at the same time share it. */
  async function fetch(attempt: Attempt, request: ObtainRequest): Promise<Capture> {
    const { options, url, policy, deadline } = request;
    const run = (within: Deadline): Promise<Capture> => fetchOnce(parts, attempt, request, within);
    const isOwn =
      request.mayRedirect !== undefined ||
      Object.keys(options.headers).length > 0 ||
      hasUserinfo(url) ||
      options.zeroDataRetention;
    if (isOwn) {
      return await deadline.race(run(deadline));
    }
    return await joiner.join(
      `${attempt.proxy} ${url.href} ${hashCacheKey(policy.key)}`,
      deadline,
      run,
    );
  }

  async function fromCache(request: ObtainRequest): Promise<Obtained | undefined> {
    const { options, policy, watch } = request;
    if (!policy.read) return undefined;
    const ages =
      options.minAge === undefined ? { maxAgeMs: options.maxAge } : { minAgeMs: options.minAge };
    const found = await watch.time("cache", async () =>
      request.deadline.race((await parts.captures()).load(hashCacheKey(policy.key), ages)),
    );
    if (found === undefined || !answersScreenshot(found, policy.key)) return undefined;
    // The entry may have been written by a request that spelled the URL otherwise, and went through a proxy this one did
    // not use: a hit costs the normal price.
    const capture: Capture = { ...found, requestedUrl: shownUrl(request), proxyUsed: "basic" };
    return { capture, ...(await derive(capture, request)), fromCache: true, trail: [] };
  }

  return async (request) => {
    const cached = await fromCache(request);
    if (cached !== undefined) return cached;
    if (request.policy.only) throw cacheMiss(request.options);

    const trail: Trail[] = [];
    let best: Obtained | undefined;
    let failure: TargetError | undefined;
    for (const [index, attempt] of request.plan.attempts.entries()) {
      const last = index === request.plan.attempts.length - 1;
      const from = performance.now();
      try {
        const capture = await request.watch.time("fetch", () => fetch(attempt, request));
        const { derived, verdict } = await derive(capture, request);
        trail.push({
          engine: attempt.engine,
          proxy: attempt.proxy,
          outcome: "captured",
          statusCode: capture.statusCode,
          verdict,
          ms: performance.now() - from,
        });
        const wanting =
          verdict.escalate &&
          (verdict.kind !== "error_page" || ESCALATING_STATUSES.has(capture.statusCode));
        if (best === undefined || !wanting)
          best = { capture, derived, verdict, fromCache: false, trail };
        if (!wanting) break;
      } catch (error) {
        if (!(error instanceof TargetError) || error.code === "SCRAPE_DNS_RESOLUTION_ERROR")
          throw error;
        trail.push({
          engine: attempt.engine,
          proxy: attempt.proxy,
          outcome: error.code,
          ms: performance.now() - from,
        });
        failure = error;
        if (last && best === undefined) throw error;
      }
    }
    if (best !== undefined) return best;
    throw (
      failure ?? new TargetError("SCRAPE_ALL_ENGINES_FAILED", "No engine could serve the request.")
    );
  };
}

async function fetchOnce(
  parts: ObtainParts,
  attempt: Attempt,
  request: ObtainRequest,
  deadline: Deadline,
): Promise<Capture> {
  const { options, url } = request;
  const wanted = options.location?.country;
  // A country without a proxy of its own is a warning of the plan, not a reason to fetch nothing.
  const country =
    wanted !== undefined && parts.egress.hasProxy(attempt.proxy, wanted) ? wanted : undefined;
  const proxy = parts.egress.selectProxy(attempt.proxy, country);
  const outcome = await parts.http.fetch(
    {
      url: url.href,
      headers: options.headers,
      languages: options.location?.languages ?? [],
      skipTlsVerification: options.skipTlsVerification,
      proxy,
      mayRedirect: request.mayRedirect,
      proxyUsed: attempt.proxy === "enhanced" && proxy !== undefined ? "stealth" : "basic",
    },
    deadline,
  );
  if (outcome.kind === "captured") return { ...outcome.capture, requestedUrl: shownUrl(request) };
  if (outcome.kind === "failed") throw outcome.error;
  throw new TargetError(
    "SCRAPE_ALL_ENGINES_FAILED",
    `The ${attempt.engine} engine cannot serve this request: it lacks ${outcome.missing}.`,
  );
}

/** The URL as it was written. A password in it was for the site: it is neither kept nor given back. */
function shownUrl({ options, url }: ObtainRequest): string {
  return textWithoutUserinfo(options.url, url);
}

function deriveInput(capture: Capture, { options, explain, discover }: ObtainRequest): DeriveInput {
  return {
    body: capture.body,
    text: isTextKind(pageKind(capture.mimeType)),
    contentType: capture.contentType,
    mimeType: capture.mimeType,
    url: capture.finalUrl,
    formats: options.formats,
    onlyMainContent: options.onlyMainContent,
    includeTags: options.includeTags,
    excludeTags: options.excludeTags,
    removeBase64Images: options.removeBase64Images,
    explain,
    discover,
    linkHeader: capture.headers
      .flatMap(([name, value]) => (name === "link" ? [value] : []))
      .join(", "),
    branding: capture.evidence?.branding,
  };
}

function cacheMiss(options: ScrapeOptions): RequestError {
  return options.lockdown
    ? new RequestError(
        "SCRAPE_LOCKDOWN_CACHE_MISS",
        "lockdown was set and the cache does not hold this page.",
      )
    : new RequestError(
        "SCRAPE_NO_CACHED_DATA",
        `No cached data that is at least ${options.minAge} ms old was found for this page with these options.`,
      );
}
