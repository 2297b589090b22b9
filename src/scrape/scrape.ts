// One URL: options -> plan -> capture -> document, within one deadline and one credit hold.
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import type { Slots } from "../account/slots.ts";
import type { Capture } from "../capture.ts";
import { computeHighestPrice, computePrice, type PricedOutcome } from "../formats/page-price.ts";
import type { Document, ScrapeOptions } from "../contract/page/scrape.ts";
import { resolveUrl } from "../contract/request/url.ts";
import { Deadline } from "../deadline.ts";
import type { ProgressListener } from "../engines/document.ts";
import type { Plan } from "../engines/plan.ts";
import { InternalError, QuarryError, StorageError } from "../errors.ts";
import { toJsonBytes } from "../runtime/json-bytes.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import { SpanRecorder } from "../telemetry/span-recorder.ts";
import { getCurrentSpan, withoutSpans } from "../telemetry/tracing.ts";
import { buildBasicAuthorization, stripUserinfo } from "../url/userinfo.ts";
import type { CachePolicy } from "./cache-policy.ts";
import type { Explain } from "../formats/derivation.ts";
import {
  Stopwatch,
  type FailureExplanation,
  type FetchExplanation,
  type ScrapeExplanation,
  type Trail,
} from "./explanation.ts";
import { computeFingerprint } from "./fingerprint.ts";
import type { PageScraper, ScrapedPage } from "./page.ts";

export type ScrapeContext = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The base URL of this server as the caller reaches it. */
  readonly base?: string | undefined;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Also explain how the answer was made. */
  readonly explain: Explain;
  /** The API version of the caller, for the activity list; default v2. */
  readonly apiVersion?: "v1" | "v2";
  /** A file that the caller sent: nothing is fetched. */
  readonly given?: Capture | undefined;
  /** Reports progress while a long file is parsed. */
  readonly reading?: ProgressListener | undefined;
  /** Asks the server whether the cached page is still valid, instead of fetching it again. */
  readonly revalidates?: boolean | undefined;
  /** See FetchRequest. The document of such a page has only metadata and is not stored. */
  readonly knownFingerprint?: string | undefined;
  /** Also returns the fingerprint of the page. */
  readonly fingerprints?: boolean | undefined;
};

export type ScrapeResult = {
  readonly document: Document;
  /** The serialized document, if it was stored, so that large ones are not serialized twice. */
  readonly json: Buffer | undefined;
  readonly scrapeId: string;
  readonly explanation: ScrapeExplanation | undefined;
  /** True if the page has the known fingerprint. */
  readonly isUnchanged?: boolean;
  /** Set if requested and the page has one. */
  readonly fingerprint?: string | undefined;
};

/** The stores for scrapes; resolves once they are open. */
export type OpenStore = () => Promise<Pick<Store, "scrapes" | "activity">>;

export type ScrapeParts = {
  readonly pages: PageScraper;
  readonly credits: () => Promise<Credits>;
  readonly slots: Slots;
  /** Undefined when this process stores nothing. */
  readonly keeping: OpenStore | undefined;
  readonly resultLifeMs: number;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** A scrape in progress: what every step needs. */
type Work = {
  readonly id: string;
  readonly options: ScrapeOptions;
  readonly context: ScrapeContext;
  readonly url: URL;
  readonly plan: Plan;
  readonly policy: CachePolicy;
  readonly watch: Stopwatch;
  readonly trail: Trail[];
  readonly startedAt: number;
  /** Undefined if nothing is recorded. */
  readonly recorder: SpanRecorder | undefined;
};

export type Scrape = (options: ScrapeOptions, context: ScrapeContext) => Promise<ScrapeResult>;

/**
 * Creates the scrape use case. It throws RequestError (bad URL, NOT_IMPLEMENTED, cache misses),
 * TargetError (the site failed) and LimitError (SCRAPE_TIMEOUT, INSUFFICIENT_CREDITS,
 * CONCURRENCY_QUEUE_TIMEOUT). A page with an error status is a result.
 */
export function createScrape(parts: ScrapeParts): Scrape {
  const recordsSpans = createSpanSampler();
  return async (options, context) => {
    const plan = parts.pages.plan(options);
    const url = new URL(resolveUrl(options.url));
    const work: Work = {
      id: v7(),
      options,
      context,
      url,
      plan,
      policy: parts.pages.createPolicy(options, url, { accountId: context.identity.accountId }),
      watch: new Stopwatch(),
      trail: [],
      startedAt: Date.now(),
      recorder: recordsSpans(options, context) ? new SpanRecorder() : undefined,
    };
    using deadline = Deadline.start(options.timeout, context.signal);
    const credits = await deadline.race(parts.credits());
    const hold = await credits.hold(context.identity, computeMaxPrice(work), {
      jobId: work.id,
      endpoint: "scrape",
      lifeMs: options.timeout + 60_000,
    });
    try {
      return await withoutSpans(options.zeroDataRetention, () =>
        runRecorded(work, () => deliver(parts, work, hold, deadline)),
      );
    } catch (error) {
      await fail(parts, work, hold, error);
      throw explainFailure(work, error);
    }
  };
}

/**
 * Spans of every scrape are recorded and stored with its result, but under load only of some, because
 * they take up to a tenth of the CPU of a small page.
 */
const MIN_RECORDING_PAUSE_MS = 500;

/** Returns whether the spans of a scrape are recorded. With zero data retention they are not. */
function createSpanSampler() {
  let lastAt = -Infinity;
  return ({ zeroDataRetention }: ScrapeOptions, { explain }: ScrapeContext): boolean => {
    const now = performance.now();
    if (zeroDataRetention) return false;
    if (explain === false && now - lastAt < MIN_RECORDING_PAUSE_MS) return false;
    lastAt = now;
    return true;
  };
}

/** Records the spans of the work. */
function runRecorded<Result>({ recorder }: Work, work: () => Result): Result {
  return recorder === undefined ? work() : recorder.run(work, getCurrentSpan());
}

/**
 * The maximum price of the scrape: an enhanced proxy counts only if there is one, and an enhanced
 * browser page costs no more.
 */
function computeMaxPrice({ options, plan }: Work): number {
  const mayEnhance = plan.hasBetterProxy && plan.attempts.some(({ proxy }) => proxy === "enhanced");
  return computeHighestPrice(mayEnhance ? options : { ...options, proxy: "basic" });
}

async function deliver(
  parts: ScrapeParts,
  work: Work,
  hold: Hold,
  deadline: Deadline,
): Promise<ScrapeResult> {
  const { options, context, plan, policy, watch } = work;
  using slot = await watch.measure("queue", () =>
    parts.slots.acquire(context.identity, { timeoutMs: options.timeout, signal: deadline.signal }),
  );
  const page = await parts.pages.scrapePage({
    id: work.id,
    options,
    url: work.url,
    plan,
    policy,
    deadline,
    watch,
    trail: work.trail,
    explain: context.explain,
    discover: false,
    base: context.base,
    given: context.given,
    queuedMs: slot.limited ? slot.waitedMs : 0,
    identity: context.identity,
    tracking: { accountId: context.identity.accountId },
    // A scrape that waits for a browser frees its HTTP slot.
    onBrowser: () => slot.release(),
    reading: context.reading,
    revalidates: context.revalidates,
    knownFingerprint: context.knownFingerprint,
  });
  const { creditsUsed } = page;
  const { json, warning } = await watch.measure("save", () => keep(parts, work, page));
  const document = warning === undefined ? page.document : addWarning(page.document, warning);
  await hold.settle(creditsUsed);
  parts.metrics.credits.inc(creditsUsed);
  parts.metrics.scrapes.inc({
    outcome: "ok",
    engine: page.fromCache ? "cache" : page.capture.engine,
  });
  for (const [step, ms] of watch.getSteps()) parts.metrics.stepSeconds.observe({ step }, ms / 1000);
  const engine = page.fromCache ? "cache" : page.capture.engine;
  const result = { engine, verdict: page.verdict.kind, credits: creditsUsed };
  getCurrentSpan()?.set({
    "quarry.engine": engine,
    "quarry.verdict": page.verdict.kind,
    "quarry.credits": creditsUsed,
  });
  parts.log.info({ ...describeWork(work), ...result }, "scraped");
  parts.log.debug({ scrapeId: work.id, timings: watch.read() }, "page timings");
  const isUnchanged = page.derived.skipped === "unchanged";
  const fingerprint = context.fingerprints === true ? computeFingerprint(page.capture) : undefined;
  const explanation = explain(work, page);
  return { document, json, scrapeId: work.id, explanation, isUnchanged, fingerprint };
}

/** The work in a log line. The host is left out with zero data retention. */
const describeWork = ({ id, options, context, url }: Work) => ({
  reqId: context.requestId,
  scrapeId: id,
  key: context.identity.keyName,
  ...(options.zeroDataRetention || context.given !== undefined ? {} : { host: url.host }),
});

type SaveResult = { readonly json?: Buffer | undefined; readonly warning?: string };

/** A fetched page is returned even if it cannot be stored; its warning says so. */
async function keep(parts: ScrapeParts, work: Work, page: ScrapedPage): Promise<SaveResult> {
  try {
    return { json: await save(parts, work, page) };
  } catch (error) {
    parts.log.error({ reqId: work.context.requestId, err: error }, "failed to store a result");
    const reason =
      error instanceof StorageError ? `the ${error.storage} failed` : "an error occurred";
    return {
      warning: `The result was not stored because ${reason}: it is not cached and cannot be read again by its id.`,
    };
  }
}

function addWarning(document: Document, warning: string): Document {
  const known = document.warning === undefined ? [] : [document.warning];
  return { ...document, warning: [...known, warning].join(" ") };
}

/**
 * Stores the page in the cache, the document under its id, and an activity entry. Returns the
 * document as JSON.
 */
async function save(
  parts: ScrapeParts,
  work: Work,
  page: ScrapedPage,
): Promise<Buffer | undefined> {
  if (parts.keeping === undefined) return undefined;
  const { options, context, policy } = work;
  const { scrapes, activity } = await parts.keeping();
  record({ activity }, work, true);
  if (options.zeroDataRetention) return undefined;
  const isOfTheWeb = context.given === undefined;
  await parts.pages.cache(page, policy, isOfTheWeb ? context.identity.accountId : undefined);
  if (page.derived.skipped === "unchanged") return undefined;
  const json = toJsonBytes(page.document);
  await scrapes.save(
    {
      id: work.id,
      accountId: context.identity.accountId,
      keyId: context.identity.keyId,
      requestedUrl: stripUserinfo(work.url).href,
      finalUrl: page.capture.finalUrl,
      status: "completed",
      statusCode: page.capture.statusCode,
      error: null,
      ...selectKeptOptions(options, work.url),
      explanation: explainFetch(work, page),
      credits: page.creditsUsed,
      createdAt: work.startedAt,
      expiresAt: work.startedAt + parts.resultLifeMs,
    },
    page.document,
    json,
  );
  return json;
}

function record({ activity }: Pick<Store, "activity">, work: Work, succeeded: boolean): void {
  activity.record({
    id: work.id,
    accountId: work.context.identity.accountId,
    keyId: work.context.identity.keyId,
    endpoint: work.context.given === undefined ? "scrape" : "parse",
    apiVersion: work.context.apiVersion ?? "v2",
    target: work.options.zeroDataRetention ? null : stripUserinfo(work.url).href,
    succeeded,
    createdAt: work.startedAt,
  });
}

/** Options as stored, without headers, which may be credentials. */
function selectKeptOptions(given: ScrapeOptions, url: URL) {
  const { headers, url: _, ...options } = given;
  const authorization = buildBasicAuthorization(url);
  return {
    options,
    headers: authorization === undefined ? headers : { authorization, ...headers },
  };
}

/**
 * Settles the hold of a failed scrape and counts it. An error here must not hide the original one.
 */
async function fail(parts: ScrapeParts, work: Work, hold: Hold, error: unknown): Promise<void> {
  const code = error instanceof QuarryError ? error.code : "UNKNOWN_ERROR";
  parts.metrics.scrapes.inc({ outcome: code, engine: "none" });
  const engine = work.trail.at(-1)?.engine;
  parts.log.info({ ...describeWork(work), code, ...(engine && { engine }) }, "scrape failed");
  try {
    await hold.settle(computePrice(work.options, toFailureOutcome(code)));
    if (parts.keeping !== undefined) record(await parts.keeping(), work, false);
  } catch (cause) {
    const failure = new InternalError("Failed to settle a failed scrape.", { cause });
    parts.log.error({ reqId: work.context.requestId, err: failure }, failure.message);
  }
}

function toFailureOutcome(code: string): PricedOutcome {
  if (code === "SCRAPE_DNS_RESOLUTION_ERROR") return { kind: "unresolvedName" };
  if (code === "SCRAPE_LOCKDOWN_CACHE_MISS") return { kind: "lockdownMiss" };
  return { kind: "failed" };
}

/** Returns the error, with an explanation if requested. */
function explainFailure(
  { context, plan, policy, trail, watch, recorder }: Work,
  error: unknown,
): unknown {
  if (!context.explain || !(error instanceof QuarryError)) return error;
  const cache = policy.read ? "miss" : "not used";
  const explanation: FailureExplanation = {
    plan,
    attempts: trail,
    cache,
    timings: watch.read(),
    ...(recorder && { trace: recorder.read() }),
  };
  return error.withExplanation(explanation);
}

function explain(work: Work, page: ScrapedPage): ScrapeExplanation | undefined {
  if (!work.context.explain) return undefined;
  return { ...explainFetch(work, page), ...page.derived.explanation };
}

/** How the page was fetched and converted, which is stored with the result. */
const explainFetch = (work: Work, page: ScrapedPage): FetchExplanation => ({
  plan: work.plan,
  attempts: page.trail,
  verdict: page.verdict,
  cache: work.policy.read ? (page.fromCache ? "hit" : "miss") : "not used",
  ...(page.fromCache ? { renderedBy: page.capture.renderedBy } : {}),
  charset: page.derived.charset,
  creditsUsed: page.creditsUsed,
  timings: { ...work.watch.read(), ...page.derived.steps },
  ...(work.recorder && { trace: work.recorder.read() }),
});
