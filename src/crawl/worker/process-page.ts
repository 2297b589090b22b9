// Processes one page of a job from lease to commit: checks permission, waits for its turn, fetches
// it, and judges its links.
import { v7 } from "uuid";
import type { Slots } from "../../account/slots.ts";
import { findIncomplete } from "../../capture.ts";
import { resolveUrl } from "../../contract/request/url.ts";
import { Deadline } from "../../deadline.ts";
import type { RobotsStore } from "../../discovery/robots.ts";
import {
  InternalError,
  LimitError,
  QuarryError,
  StorageError,
  TargetError,
  type ErrorRecord,
} from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { Stopwatch, type Trail } from "../../scrape/explanation.ts";
import type { PageScraper, ScrapedPage } from "../../scrape/page.ts";
import type { FinishedPage, PageOutcome } from "../../store/jobs/finish.ts";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import type { PageTexts } from "../../store/jobs/site-tallies.ts";
import { withSpan } from "../../telemetry/tracing.ts";
import { toIdentity } from "../../url/identity.ts";
import type { RefusedUrl } from "../../url/scope.ts";
import { computeReach } from "../../url/site.ts";
import {
  ignoreUnreachable,
  followLinks,
  judgeTarget,
  checkCachedRobots,
  type PageMarks,
} from "../frontier/follow.ts";
import { toScrapeOptions } from "../stored-options.ts";
import {
  toHostAnswer,
  countRequest,
  waitForNextTry,
  isRetryLater,
  toRetryLimitError,
  restoreTries,
  warnAboutDelay,
  MAX_TRIES,
  readMaxTries,
  type TurnParts,
} from "../politeness/host-turn.ts";
import { isCompressedSitemap, COMPRESSED_SITEMAP } from "../sitemaps/compressed-sitemap.ts";
import type { HostAnswer } from "../politeness/politeness.ts";
import { buildTrackingScope } from "../frontier/revisit.ts";
import { toDuplicateKeys } from "../frontier/duplicate-keys.ts";
import { DelayedPage, type WorkerJob } from "../worker-jobs.ts";
import { logFailedPage, logScrapedPage } from "./log-page.ts";

export type ProcessPageParts = TurnParts & {
  readonly pages: PageScraper;
  readonly slots: Slots;
  readonly robots: RobotsStore;
  /** The user agent for robots.txt when a crawl names none. */
  readonly userAgent: string;
  readonly log: Logger;
  readonly metrics: Metrics;
};

const MAX_WAIT_MS = 2_147_483_647;

type PageVisit = {
  readonly page: LeasedPage;
  readonly job: WorkerJob;
  readonly url: URL;
  readonly agent: string;
  readonly signal: AbortSignal;
  /** The refused redirect target, if any. */
  refusedTarget: RefusedUrl | undefined;
  /** Texts of the page counted by its site's tally. */
  texts: PageTexts | undefined;
  /** Engines tried in the last attempt. */
  trail: Trail[];
};

/**
 * Processes a page. Rejects with the reason of `signal` or with StorageError; the caller then
 * releases the page.
 */
export async function processPage(
  parts: ProcessPageParts,
  page: LeasedPage,
  job: WorkerJob,
  signal: AbortSignal,
): Promise<FinishedPage> {
  const url = new URL(resolveUrl(page.url));
  const agent = job.options.crawl?.robotsUserAgent ?? parts.userAgent;
  const visit: PageVisit = {
    page,
    job,
    url,
    agent,
    signal,
    refusedTarget: undefined,
    texts: undefined,
    trail: [],
  };
  try {
    const trap = job.trapDetector.check(url, (page.marks as PageMarks).chain ?? 0);
    if (trap !== undefined) {
      await warnAboutTraps(parts, page.jobId, job);
      const refusal = { fate: "trap", reason: trap } as const;
      return { page, outcome: { type: "refused", refusal, credits: 0 }, links: [] };
    }
    const asked = await checkRobots(parts, visit);
    if (asked.outcome !== undefined) return { page, outcome: asked.outcome, links: [] };
    const scraped = await scrape(parts, visit, asked.delayMs);
    const finished = finishPage(parts, visit, scraped);
    logScrapedPage(parts.log, visit, scraped);
    await warnAboutTraps(parts, page.jobId, job);
    return finished;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StorageError) throw error;
    if (visit.refusedTarget !== undefined) return refuseTarget(page, visit.refusedTarget);
    if (isCompressedSitemap(page, job.options, error))
      return { page, outcome: COMPRESSED_SITEMAP, links: [] };
    const failed = fail(page, error, parts.log);
    logFailedPage(parts.log, visit, failed.outcome);
    return failed;
  }
}

/**
 * Warns about URL groups that the detector has begun to hold back. A failed warning does not fail
 * the page.
 */
async function warnAboutTraps(
  { warn, log }: ProcessPageParts,
  jobId: string,
  job: WorkerJob,
): Promise<void> {
  for (const group of job.trapDetector.drain())
    await warn(
      jobId,
      `URLs like ${group} were skipped as a spider trap: their pages brought nothing new, or only led from one to the next. The ledger lists them with the fate trap.`,
    ).catch((err: unknown) => log.warn({ err, jobId }, "failed to save a job warning"));
}

type RobotsCheck = { readonly outcome: PageOutcome | undefined; readonly delayMs: number };

/**
 * Returns the robots.txt verdict of the page's host, fetching robots.txt if unknown. Batches skip
 * it.
 */
async function checkRobots({ robots }: ProcessPageParts, visit: PageVisit): Promise<RobotsCheck> {
  const { crawl } = visit.job.options;
  if (crawl === undefined || crawl.ignoreRobotsTxt) return { outcome: undefined, delayMs: 0 };
  const about = { "server.address": visit.url.host };
  const verdict = await withSpan("robots", about, async (span) => {
    const decided = await robots.decide(visit.url, visit.agent);
    span.set({ "quarry.robots.allowed": decided.allowed });
    return decided;
  });
  const delayMs = (verdict.crawlDelaySeconds ?? 0) * 1_000;
  if (verdict.allowed) return { outcome: undefined, delayMs };
  // An unreachable host forbids nothing: its pages fail, and the caller should see that.
  const isDead = (await robots.load(visit.url)).state === "unreachable";
  const error = new TargetError("SCRAPE_SITE_ERROR", `${visit.url.host}: ${verdict.reason}.`);
  const outcome: PageOutcome = isDead
    ? { type: "failed", error: error.toRecord(), credits: 0 }
    : { type: "refused", refusal: { fate: "robots", reason: verdict.reason }, credits: 0 };
  return { outcome, delayMs };
}

/**
 * Fetches the page in its turn. Retries when the host postpones or drops the connection, and once
 * when this process had no time. Returns the partial page if the response always broke off.
 */
async function scrape(
  parts: ProcessPageParts,
  visit: PageVisit,
  robotsDelayMs: number,
): Promise<ScrapedPage> {
  const { page, job, signal } = visit;
  const { crawl } = job.options;
  const asked = crawl?.delay ?? undefined;
  const pace =
    asked === undefined
      ? { delayMs: robotsDelayMs }
      : { delayMs: asked * 1_000, paceKey: `job ${job.record.id}` };
  if (asked === undefined) await warnAboutDelay(parts, visit, robotsDelayMs);
  const tries = restoreTries(visit);
  for (let fresh = tries.number > 1; ; fresh = true, tries.number++) {
    const turn = await waitForNextTry(parts, visit, pace, tries);
    let answer: HostAnswer | undefined;
    try {
      const isDelayed = tries.delayed !== undefined;
      const scraped = await scrapeOnce(parts, visit, { fresh, delayed: isDelayed });
      answer = scraped.fromCache ? undefined : toHostAnswer(page, scraped);
      for (const { statusCode } of scraped.trail) countRequest(tries, statusCode);
      const isLast = tries.number >= readMaxTries(scraped);
      if (!isRetryLater(scraped)) {
        if (isLast || findIncomplete(scraped.capture) === undefined) return scraped;
        tries.partial = scraped;
      } else {
        turn.end(answer);
        // While the host refuses all pages, an attempt does not count: the page waits until the
        // host serves or is given up.
        if (parts.politeness.isRefusing(page.host)) tries.number -= 1;
        else if (isLast) throw toRetryLimitError(visit.url, tries, Date.now());
      }
    } catch (error) {
      signal.throwIfAborted();
      if (answer === undefined) {
        answer = { url: page.url, ms: 0, statusCode: undefined, isSilent: isSilence(error) };
        countRequest(tries, undefined);
      }
      if (error instanceof DelayedPage && tries.delayed === undefined) tries.delayed = error;
      else if (!isRetryable(error) || tries.number >= MAX_TRIES) {
        if (tries.partial !== undefined) return tries.partial;
        // The first timeout is the caller's; a retry may have had more time.
        const isLate = error instanceof DelayedPage || isTimeout(error);
        throw isLate && tries.delayed !== undefined ? tries.delayed.cause : error;
      }
    } finally {
      turn.end(answer);
    }
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof TargetError && error.code === "SCRAPE_SITE_ERROR" && !error.isFinal;

/** A browser killed from outside is not the page's fault. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof LimitError && error.code === "UNAVAILABLE" && !(error instanceof StorageError);

const isRetryable = (error: unknown): boolean => isPassing(error) || isUnavailable(error);

const isTimeout = (error: unknown): boolean =>
  error instanceof QuarryError && error.code === "SCRAPE_TIMEOUT";

/** True if the host gave no answer, as opposed to this process lacking time. */
const isSilence = (error: unknown): boolean =>
  isPassing(error) || isTimeout(error) || isUnknownHost(error);

const isUnknownHost = (error: unknown): boolean =>
  error instanceof TargetError && error.code === "SCRAPE_DNS_RESOLUTION_ERROR";

/** Event-loop utilization above which this process counts as busy. */
const MIN_BUSY_UTILIZATION = 0.5;
/** Minimum timeout of a retry after this process was busy, milliseconds. */
const SECOND_TIMEOUT_MS = 10_000;

type Try = { readonly fresh: boolean; readonly delayed: boolean };

async function scrapeOnce(
  parts: ProcessPageParts,
  visit: PageVisit,
  { fresh, delayed }: Try,
): Promise<ScrapedPage> {
  const { job, page, url, signal } = visit;
  const options = buildOptions(visit, fresh);
  const exactUrl = job.options.crawl?.deduplicateSimilarURLs === false;
  const policy = parts.pages.createPolicy(options, url, {
    accountId: job.identity.accountId,
    exactUrl,
  });
  using slot = await parts.slots.acquire(job.identity, { timeoutMs: MAX_WAIT_MS, signal });
  const timeoutMs = delayed ? Math.max(options.timeout, SECOND_TIMEOUT_MS) : options.timeout;
  using deadline = Deadline.start(timeoutMs, signal);
  const watch = new Stopwatch();
  visit.trail = [];
  const before = performance.eventLoopUtilization();
  let scraped: ScrapedPage;
  try {
    scraped = await parts.pages.scrapePage({
      id: v7(),
      options,
      url,
      plan: job.plan,
      policy,
      deadline,
      watch,
      trail: visit.trail,
      explain: false,
      discover: job.options.crawl !== undefined,
      base: job.options.base,
      identity: job.identity,
      holder: { accountId: job.identity.accountId, jobId: page.jobId },
      mayRedirect:
        job.options.crawl === undefined
          ? undefined
          : (target) => isRedirectAllowed(parts, visit, target),
      tracking: buildTrackingScope(job, page),
      queuedMs: slot.limited ? slot.waitedMs : 0,
      siteTexts:
        job.siteTexts && (() => job.siteTexts?.getRepeatedTexts(page.host) ?? new Int32Array()),
    });
    countTexts(visit, scraped);
  } catch (error) {
    const { utilization } = performance.eventLoopUtilization(before);
    // The response is here once derivation starts, so the host is not the cause.
    const isOurs = watch.getSteps().has("derive") || utilization > MIN_BUSY_UTILIZATION;
    throw isOurs && isTimeout(error)
      ? new DelayedPage("no time for the page", { cause: error })
      : error;
  }
  if (findIncomplete(scraped.capture) === undefined)
    await watch.measure("cache", () => parts.pages.cache(scraped, policy, job.identity.accountId));
  for (const [step, ms] of watch.getSteps()) parts.metrics.stepSeconds.observe({ step }, ms / 1000);
  const engine = scraped.fromCache ? "cache" : scraped.capture.engine;
  parts.metrics.scrapes.inc({ outcome: "ok", engine });
  parts.log.debug({ jobId: page.jobId, timings: watch.read() }, "page timings");
  return scraped;
}

/** Counts at once, so that the next page benefits. */
function countTexts(visit: PageVisit, { verdict, capture, derived }: ScrapedPage): void {
  const { job, page } = visit;
  if (derived.site === undefined || verdict.kind !== "content" || capture.statusCode >= 300) return;
  visit.texts ??= job.siteTexts?.count({ host: page.host, texts: derived.site.blocks });
}

/**
 * The job's options for this page. Headers for its site, such as cookies, are not sent to others.
 */
function buildOptions({ job, page, url }: PageVisit, fresh: boolean) {
  const options = toScrapeOptions(job.options, page.url);
  const { authorization, home } = page.marks as PageMarks;
  const headers =
    authorization === undefined ? options.headers : { authorization, ...options.headers };
  const current = { ...options, headers, ...(fresh ? { maxAge: 0 } : {}) };
  if (job.options.crawl === undefined || Object.keys(headers).length === 0) return current;
  const { origin } = job.scope(home);
  return computeReach(url, origin) === "external" ? { ...current, headers: {} } : current;
}

/** Decides the outcome of a fetched page. */
function finishPage(parts: ProcessPageParts, visit: PageVisit, scraped: ScrapedPage): FinishedPage {
  const { page, job, agent } = visit;
  const { capture, document, creditsUsed: credits } = scraped;
  const { found } = scraped.derived;
  const final = new URL(capture.finalUrl);
  const { statusCode, finalUrl } = capture;
  const scrapeId = String(document.metadata.scrapeId);
  const asDocument = {
    type: "document",
    scrapeId,
    finalUrl,
    statusCode,
    document,
    reason: findIncomplete(capture) ?? describeDroppedTexts(page.host, scraped.derived.site),
    credits,
  } as const;
  const { crawl } = job.options;
  if (crawl === undefined) return { page, outcome: { ...asDocument, same: {} }, links: [] };

  if (isCompressedSitemap(page, job.options, capture.body))
    return { page, outcome: COMPRESSED_SITEMAP, links: [] };
  const marks = page.marks as PageMarks;
  if (statusCode < 300 && /html|text|xml|json/.test(capture.mimeType))
    job.trapDetector.learn(visit.url, marks.chain ?? 0, capture.body);
  const home = marks.home ?? findHome(visit, final);
  const scope = job.scope(home);
  const objection = checkCachedRobots(parts.robots, job, agent);
  const moved = toIdentity(final, scope.rules) !== toIdentity(visit.url, scope.rules);
  if (moved && page.source !== "start") {
    // Also applies to a redirect from the cache.
    const judged = judgeTarget(scope, finalUrl, page, objection);
    if (!judged.accepted) return refuseTarget(page, judged);
  }
  // The links of a block page lead to the vendor, not through the site.
  const isBlocked = scraped.verdict.certain === true;
  const follows =
    crawl.sitemap !== "only" && marks.earlier !== true && !isBlocked && found !== undefined;
  const links = follows
    ? followLinks(job, page, final, found, home, ignoreUnreachable(parts.robots, objection))
    : [];
  if (marks.hidden === true) return { page, outcome: HIDDEN, links };
  const isContent = scraped.verdict.kind === "content";
  const same = toDuplicateKeys(final, found?.canonical, scope.rules, {
    statusCode,
    body: isContent ? capture.body : new Uint8Array(),
  });
  return { page, outcome: { ...asDocument, same }, links, texts: visit.texts };
}

/** The ledger note of a page from which repeated texts were dropped. */
function describeDroppedTexts(
  host: string,
  site: ScrapedPage["derived"]["site"],
): string | undefined {
  if (site?.dropped === undefined) return undefined;
  const { texts, words } = site.dropped;
  const count = texts === 1 ? "1 text" : `${texts} texts`;
  return `${count} (${words} words) left out that most pages of ${host} repeat`;
}

/** True if the crawl may follow the redirect; checked before anything is sent there. */
async function isRedirectAllowed(
  parts: ProcessPageParts,
  visit: PageVisit,
  target: URL,
): Promise<boolean> {
  const { page, job } = visit;
  const { home } = page.marks as PageMarks;
  const scope = job.scope(home);
  const { rules } = scope;
  const identity = toIdentity(target, rules);
  if (identity === toIdentity(visit.url, rules)) return true;
  // The start URL may redirect anywhere; robots.txt is checked there too.
  if (page.source !== "start") {
    const judged = judgeTarget(scope, target.href, page, () => undefined);
    if (!judged.accepted) visit.refusedTarget = judged;
  }
  if (visit.refusedTarget === undefined) {
    const { outcome } = await checkRobots(parts, { ...visit, url: target });
    if (outcome?.type === "refused") {
      const { reason = "robots.txt" } = outcome.refusal;
      visit.refusedTarget = { accepted: false, url: target.href, identity, fate: "robots", reason };
    }
  }
  return visit.refusedTarget === undefined;
}

function refuseTarget(page: LeasedPage, { url, fate, reason: why }: RefusedUrl): FinishedPage {
  const reason = `redirects ${fate === "scope" ? "out of scope " : ""}to ${url}: ${why}`;
  return { page, outcome: { type: "refused", refusal: { fate, reason }, credits: 0 }, links: [] };
}

const HIDDEN: PageOutcome = {
  type: "refused",
  refusal: {
    fate: "scope",
    reason: "the start URL is left out by includePaths or excludePaths; its links were followed",
  },
  credits: 0,
};

/** Returns the crawl's new home when its start URL was redirected to another site. */
function findHome({ page, url }: PageVisit, final: URL): string | undefined {
  return page.source === "start" && computeReach(final, url) !== "site" ? final.href : undefined;
}

function fail(page: LeasedPage, error: unknown, log?: Logger): FinishedPage {
  const known = error instanceof QuarryError;
  if (!known || error instanceof InternalError)
    log?.error({ err: error, jobId: page.jobId }, "a page failed");
  const record: ErrorRecord =
    known && !(error instanceof InternalError)
      ? error.toRecord()
      : { code: "UNKNOWN_ERROR", message: "An unexpected error occurred; see the server log." };
  return { page, outcome: { type: "failed", error: record, credits: 0 }, links: [] };
}
