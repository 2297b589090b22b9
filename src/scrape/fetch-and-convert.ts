// From a request to a judged page: the cache first, then the attempts of the plan, until a verdict
// is "content" or no attempt is left. The caller neither gets nor pays for a retry that improved
// nothing.
import {
  type AttemptRequest,
  type FetchRequest,
  type FetchResult,
  chooseShownUrl,
} from "./fetch-request.ts";
import {
  fetchOnce,
  selectDocumentOptions,
  toRequested,
  type FetchOutcome,
  type FetchOnceParts,
} from "./fetch-once.ts";
import { assertHostAllowed } from "../account/allow-hosts.ts";
import type { Capture } from "../capture.ts";
import type { ErrorCode } from "../contract/request/error-codes.ts";
import { type ScrapeOptions } from "../contract/page/scrape.ts";
import type { Deadline } from "../deadline.ts";
import {
  filterVerdictClasses,
  judgeFacts,
  type Verdict,
  type VerdictClasses,
} from "../html/evidence/verdict.ts";
import type { Attempt } from "../engines/plan.ts";
import { renders } from "../engines/registry.ts";
import { RequestError, TargetError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { selectNeeding } from "../formats/index.ts";
import type { FormatPool } from "../formats/threads/pool.ts";
import type { CaptureStore } from "../store/captures/captures.ts";
import { recordSpan, withSpan } from "../telemetry/tracing.ts";
import { hasUserinfo } from "../url/userinfo.ts";
import { hasFreshFiles } from "./cache-policy.ts";
import { loadCached } from "./load-cached.ts";
import { deriveInput } from "./derive-input.ts";
import { computeFingerprint } from "./fingerprint.ts";
import { createHostMemory } from "./host-memory.ts";
import { refuseFile } from "./refuse-file.ts";
import { learn, RECENTLY_USELESS, wasUseless } from "./learn.ts";
import { finalizeVerdict, collectFacts, isPassing } from "./judge-capture.ts";
import {
  isWorthTrying,
  orderAttempts,
  type AttemptEnding,
  type AttemptRecord,
} from "./next-attempt.ts";
import { restrictHosts } from "./restrict-hosts.ts";
import { countParse, countTrail } from "./count-attempts.ts";
import type { PageStates } from "./page-state/page-states.ts";
import { describeVisitor, readFromData } from "./page-state/read-from-data.ts";
import { describeEnd, describeTry } from "./describe-try.ts";
import type { Trail } from "./explanation.ts";
import { Joiner } from "./joiner.ts";
import { checkFileType } from "./check-support.ts";

export type FetchAndConvertParts = FetchOnceParts & {
  readonly pool: FormatPool;
  /** True if a model will read the content. */
  readonly hasModel: boolean;
  /** Undefined if pages are not read from the data in their HTML. */
  readonly pageStates?: PageStates | undefined;
  /** Resolves once the store is open; called only if the policy needs it. */
  readonly captures: () => Promise<CaptureStore>;
  readonly metrics: Pick<Metrics, "attempts" | "attemptSeconds">;
  /** Maximum duration of a shared fetch, milliseconds. */
  readonly longestFetchMs: number;
};

/** The request's own deadline ends first, so that its error is reported. */
const SHARED_GRACE_MS = 100;
/** Grace period for the browser to close its page and report the running action. */
const GRACE_MS = 2_000;

export type FetchAndConvert = (request: FetchRequest) => Promise<FetchResult>;

export function createFetchAndConvert(parts: FetchAndConvertParts): FetchAndConvert {
  const joiner = new Joiner<FetchOutcome>(parts.longestFetchMs);
  const memory = createHostMemory();
  const { hasModel } = parts;

  /** Judges the capture; derives its formats unless the verdict is one of `retryOn`. */
  async function derive(
    capture: Capture,
    request: FetchRequest,
    retryOn: VerdictClasses = NEVER,
  ): Promise<{ derived: DerivedDocument; verdict: Verdict }> {
    const { options } = request;
    checkFileType(capture, options);
    const facts = collectFacts(capture, options);
    const judging = { facts, retryOn, withholds: options.onBlocked === "empty" };
    const line = request.holder?.jobId ?? request.identity?.keyId;
    const derived = await request.watch.measure("derive", async () => {
      const made = await parts.pool.derive(
        deriveInput(capture, request, { hasModel, judging }),
        request.deadline,
        line,
      );
      recordConversion(made);
      return made;
    });
    return { derived, verdict: judgeFacts(facts, derived.evidence) };
  }

  /** Parses the capture if it is a file. */
  async function read(capture: Capture, request: FetchRequest): Promise<Capture> {
    const { options, deadline, watch } = request;
    const wishes = selectDocumentOptions(options);
    if (!parts.documents.suits(capture, wishes)) return capture;
    if (options.actions.length > 0) refuseFile(options);
    return await countParse(parts.metrics, () =>
      watch.measure("parse", () =>
        parts.documents.parse(capture, wishes, deadline, request.reading),
      ),
    );
  }

  /** Fetches once; identical concurrent requests share the fetch. */
  async function fetch(attempt: Attempt, request: AttemptRequest): Promise<FetchOutcome> {
    const { options, url, policy, deadline } = request;
    const run = (within: Deadline): Promise<FetchOutcome> =>
      fetchOnce(parts, attempt, request, within);
    const isOwn =
      request.mayRedirect !== undefined ||
      options.profile !== undefined ||
      selectNeeding("browser", options.formats).length > 0 ||
      Object.keys(options.headers).length > 0 ||
      hasUserinfo(url) ||
      options.zeroDataRetention;
    if (options.actions.length > 0) return await deadline.raceWithGrace(run(deadline), GRACE_MS);
    if (isOwn) return await deadline.race(run(deadline));
    const key = `${attempt.proxy} ${url.href} ${policy.name}`;
    if (!renders(attempt.engine))
      return toRequested(await joiner.join(`${attempt.engine} ${key}`, deadline, run), request);
    // The wait for a page depends on the timeout, so only requests with the same timeout share a
    // browser page.
    const joined = await joiner.join(
      `${attempt.engine} ${options.timeout} ${key}`,
      deadline,
      async (within) => {
        using own = within.createChild(deadline.getTimeLeftMs() + SHARED_GRACE_MS);
        return await run(own);
      },
    );
    return toRequested(joined, request);
  }

  async function readCache(request: FetchRequest): Promise<FetchResult | undefined> {
    const { options, policy, watch } = request;
    if (!policy.read) return undefined;
    const ages =
      options.minAge === undefined ? { maxAgeMs: options.maxAge } : { minAgeMs: options.minAge };
    const found = await watch.measure("cache", async () =>
      request.deadline.race(loadCached(await parts.captures(), policy, ages)),
    );
    parts.metrics.attempts.inc({ engine: "cache", outcome: found === undefined ? "miss" : "hit" });
    if (found === undefined || !hasFreshFiles(found, options.formats)) return undefined;
    // The entry may come from a request with another spelling or proxy. A hit costs the normal
    // price.
    const capture = await read(
      { ...found, requestedUrl: chooseShownUrl(request), proxyUsed: "basic" },
      request,
    );
    const retryOn = policy.only
      ? NEVER
      : filterVerdictClasses((verdict) => isPassing(capture, verdict));
    const made = await derive(capture, request, retryOn);
    if (made.derived.skipped === "retry") return undefined;
    return { capture, ...made, fromCache: true, trail: [], queuedMs: 0 };
  }

  /** Returns the cached page whose validity the server can confirm. */
  async function findKnown(request: FetchRequest): Promise<Capture | undefined> {
    const { policy, deadline, revalidates } = request;
    if (revalidates !== true || !policy.write) return undefined;
    const known = await deadline.race(loadCached(await parts.captures(), policy, {}));
    return known?.engine === "http" && known.statusCode === 200 ? known : undefined;
  }

  /** Runs and judges one attempt. Throws errors that end the whole request. */
  async function attemptOnce(
    attempt: Attempt,
    request: AttemptRequest,
    retryOn: VerdictClasses,
  ): Promise<{
    ending: AttemptEnding;
    fetched?: Omit<FetchResult, "trail">;
    failure?: TargetError;
    /** The page as plain HTTP gave it, for comparison with its rendering. */
    plain?: Capture;
  }> {
    if (renders(attempt.engine)) request.onBrowser?.();
    try {
      const raw = await request.watch.measure("fetch", () => fetch(attempt, request));
      if ("missing" in raw) {
        refuseFile(request.options);
        return { ending: { kind: "unsuitable" } };
      }
      const { queuedMs } = raw;
      const print = getFingerprint(raw.capture, request);
      const isKnown = print !== undefined && print === getFingerprint(request.known, request);
      const confirmed = isKnown ? request.known : undefined;
      if (print !== undefined && print === request.knownFingerprint) {
        const { capture } = raw;
        const fetched = { capture, ...UNCHANGED, fromCache: false, queuedMs, confirmed };
        return { ending: { kind: "captured", verdict: UNCHANGED.verdict }, fetched };
      }
      const plain = raw.capture;
      const fromData = renders(attempt.engine)
        ? undefined
        : readFromData(parts.pageStates, plain, request);
      if (request.wantsData === true && fromData === undefined)
        return { ending: { kind: "captured", verdict: NEEDS_BROWSER }, plain };
      const capture = await read(fromData ?? plain, request);
      const { derived, verdict } = await derive(capture, request, retryOn);
      const fetched = { capture, derived, verdict, fromCache: false, queuedMs, confirmed };
      return { ending: { kind: "captured", verdict }, fetched, plain };
    } catch (error) {
      if (!(error instanceof TargetError) || FINAL.has(error.code)) throw error;
      return { ending: { kind: "failed" }, failure: error };
    }
  }

  async function fetchAndConvert(request: FetchRequest): Promise<FetchResult> {
    if (request.given !== undefined) {
      const capture = await read(request.given, request);
      const rest = { fromCache: false, trail: [], queuedMs: 0 };
      return finalizeVerdict({ capture, ...(await derive(capture, request)), ...rest });
    }
    const cached = await readCache(request);
    if (cached !== undefined) return finalizeVerdict(cached);
    if (request.policy.only) throw createCacheMissError(request.options);

    const known = await findKnown(request);
    const { plan, url } = request;
    const needsBrowser = plan.needsBrowser.length > 0;
    const rules = {
      needsBrowser,
      hasEnhanced: plan.attempts.some(({ proxy }) => proxy === "enhanced"),
      hasBetterProxy: plan.hasBetterProxy,
    };
    const { trail = [] } = request;
    let best: FetchResult | undefined;
    let failure: TargetError | undefined;
    let last: AttemptRecord | undefined;
    let queuedMs = 0;
    let withoutBrowser: string | undefined;
    const isUseless = (attempt: Attempt, before: AttemptRecord | undefined): boolean =>
      renders(attempt.engine) && !needsBrowser && wasUseless(memory, url, before);
    const note = (tried: Trail): void => {
      trail.push(tried);
      countTrail(parts.metrics, tried);
    };
    const visitor = describeVisitor(request);
    const wasNeeded = memory.needsBrowser(url);
    const wantsData =
      wasNeeded && visitor !== undefined && parts.pageStates?.wants(url, visitor) === true;
    let plain: Capture | undefined;
    const attempts = orderAttempts(plan, wasNeeded && !wantsData);
    for (const [at, attempt] of attempts.entries()) {
      if (!isWorthTrying(attempt, last, rules)) continue;
      if (isUseless(attempt, last)) {
        withoutBrowser = RECENTLY_USELESS;
        continue;
      }
      const from = performance.now();
      const retryOn = filterVerdictClasses((verdict) => {
        const tried: AttemptRecord = { attempt, ending: { kind: "captured", verdict } };
        return attempts
          .slice(at + 1)
          .some((next) => isWorthTrying(next, tried, rules) && !isUseless(next, tried));
      });
      const tried = await withSpan(
        "engine.attempt",
        { "quarry.engine": attempt.engine, "quarry.proxy": attempt.proxy },
        async (span) => {
          const made = await attemptOnce(
            attempt,
            { ...request, known, wantsData: wantsData && !renders(attempt.engine) },
            retryOn,
          );
          const { ending: end, failure: error, fetched: got } = made;
          span.set({
            "quarry.outcome": end.kind,
            "quarry.verdict": got?.verdict.kind,
            "http.response.status_code": got?.capture.statusCode,
          });
          if (error !== undefined) span.fail(error);
          return made;
        },
      ).catch((error: unknown) => {
        note(describeEnd(attempt, error, performance.now() - from));
        throw error;
      });
      const { ending, fetched, failure: failed } = tried;
      if (!renders(attempt.engine)) plain = tried.plain;
      else if (attempt.proxy === "basic" && visitor !== undefined && plain && fetched)
        if (fetched.verdict.kind === "content")
          parts.pageStates?.learn(plain, fetched.capture, visitor);
      queuedMs += fetched?.queuedMs ?? 0;
      note(describeTry(attempt, ending, fetched, failed, performance.now() - from));
      failure = failed ?? failure;
      if (fetched !== undefined && isBetter(fetched, best)) best = { ...fetched, queuedMs, trail };
      if (last !== undefined && !needsBrowser) learn(memory, url, last, { attempt, ending });
      last = { attempt, ending };
    }
    // No later attempt was better: only now is it known that this is the page to return.
    if (best?.derived.skipped === "retry")
      best = { ...best, ...(await derive(best.capture, request)) };
    if (best === undefined && wantsData && plain !== undefined) {
      const made = await derive(await read(plain, request), request);
      best = { capture: plain, ...made, fromCache: false, trail, queuedMs };
    }
    if (best !== undefined) return finalizeVerdict({ ...best, withoutBrowser });
    throw (
      failure ?? new TargetError("SCRAPE_ALL_ENGINES_FAILED", "No engine could serve the request.")
    );
  }

  return async (request) => {
    const fetched = await fetchAndConvert(restrictHosts(request));
    if (request.identity !== undefined && request.given === undefined)
      assertHostAllowed(request.identity, new URL(fetched.capture.finalUrl));
    return fetched;
  };
}

/** Undefined without need, because it reads the whole body. */
const getFingerprint = (
  capture: Capture | undefined,
  { known, knownFingerprint }: AttemptRequest,
): string | undefined =>
  capture === undefined || (known ?? knownFingerprint) === undefined
    ? undefined
    : computeFingerprint(capture);

/** A page whose bytes the caller knows as content. */
const UNCHANGED: { readonly derived: DerivedDocument; readonly verdict: Verdict } = {
  derived: {
    skipped: "unchanged",
    document: {},
    metadata: {},
    evidence: undefined,
    found: undefined,
    audio: [],
    charset: undefined,
    warnings: [],
    steps: {},
    startedAt: 0,
    explanation: undefined,
  },
  verdict: { kind: "content", reason: "The page has not changed.", escalate: false },
};

/** The verdict on a page over plain HTTP where pages lately needed a browser. */
const NEEDS_BROWSER: Verdict = {
  kind: "empty_shell",
  reason: "pages of this part of the site need a browser",
  escalate: true,
  remedy: "browser",
};

/** Spans of the work in the thread, which reports when it began and how long each part took. */
function recordConversion({ steps, startedAt }: DerivedDocument): void {
  let from = startedAt;
  for (const [step, ms] of Object.entries(steps)) {
    recordSpan(`convert.${step}`, { startedAt: from, endedAt: from + ms });
    from += ms;
  }
}

const NEVER: VerdictClasses = new Set();

/** Errors that another attempt cannot fix. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_UNSUPPORTED_FILE_ERROR",
  "SCRAPE_PDF_OCR_REQUIRED",
  "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
]);

/** True if the more expensive attempt improved the result. */
function isBetter(
  found: Pick<FetchResult, "verdict" | "capture">,
  best: FetchResult | undefined,
): boolean {
  if (best === undefined || found.verdict.remedy === undefined) return true;
  return best.verdict.kind === "empty_shell";
}

function createCacheMissError(options: ScrapeOptions): RequestError {
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
