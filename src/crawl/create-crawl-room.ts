// Creates the crawl room: the use cases for the API, and the worker. An API process uses the first
// without starting the second.
import { randomBytes } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import type { Credits } from "../account/credits.ts";
import type { Slots } from "../account/slots.ts";
import type { Config } from "../config.ts";
import { createRobots } from "../discovery/robots.ts";
import type { FetchFile } from "../engines/fetch-text.ts";
import type { JobService } from "../jobs/create-jobs.ts";
import { IDLE_MS } from "../jobs/wake-up.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { reportBacklog } from "./backlog.ts";
import { createBatches } from "./batches.ts";
import { createCrawls } from "./crawls.ts";
import type { Batches, Crawls, MapSite, RetryPages } from "./job.ts";
import { collectLinks, createMapSite } from "./map/map.ts";
import { createPoliteness, isOwnHost, POLITENESS } from "./politeness/politeness.ts";
import { reportPauses } from "./politeness/report-pauses.ts";
import { createPromptReader } from "./prompt/prompt-reader.ts";
import { retryPages } from "./retry.ts";
import type { RevisitParts } from "./frontier/revisit.ts";
import type { SeedParts } from "./frontier/seed.ts";
import { createSitemapCache } from "./sitemaps/sitemap-cache.ts";
import { createSitemapReader } from "./sitemaps/sitemap-urls.ts";
import { StorageGate } from "./worker/storage-gate.ts";
import { createWorkerJobs } from "./worker-jobs.ts";
import { createWorker } from "./worker/worker.ts";

type CrawlStore = Pick<
  Store,
  | "jobs"
  | "frontier"
  | "finish"
  | "results"
  | "jobLedger"
  | "siteUrls"
  | "hosts"
  | "changeHistories"
  | "activity"
  | "backlog"
  | "check"
  | "database"
>;

export type CrawlRoomParts = {
  readonly store: CrawlStore;
  readonly jobs: Pick<JobService, "jobs" | "wakeUps" | "reportEnd" | "onEnd">;
  readonly credits: Credits;
  readonly slots: Slots;
  readonly pages: PageScraper;
  readonly fetchFile: FetchFile;
  /** Reads prompts. Rules read them when no model is configured. */
  readonly models: Pick<Models, "role">;
  readonly webhooks: Pick<Webhooks, "wake">;
  /** Throws UNSUPPORTED_SITE for a start URL that can never be fetched. */
  readonly checkStart: (url: URL) => Promise<void>;
  readonly config: Pick<
    Config,
    "userAgent" | "crawlConcurrency" | "crawlPatienceSeconds" | "resultLifeHours"
  >;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type CrawlRoom = {
  readonly crawls: Crawls;
  readonly batches: Batches;
  readonly retryPages: RetryPages;
  readonly mapSite: MapSite;
  /** Dependencies of crawl runs. */
  readonly seeding: SeedParts & RevisitParts;
  /** Starts working on jobs, including those left by a process that ended. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Time, milliseconds, that a read at the current end of a running job is held (wire contract 5.2).
 */
const HOLD_MS = 1_500;
/**
 * Only the first 500 KiB of robots.txt count (RFC 9309 section 2.5). Reading a little more shows
 * whether the file is longer.
 */
const ROBOTS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024, firstBytes: 512 * 1024 };
/** Most of the time a page waits for its site. */
const PAGES_PER_CPU = 16;
const POLL_MS = { alone: 1_500, shared: 250 };

/** The caller closes the result. The store must stay open until then. */
export function createCrawlRoom(parts: CrawlRoomParts): CrawlRoom {
  const { store, credits, slots, pages, webhooks, config, log, metrics } = parts;
  const { userAgent } = config;
  // Changes of other processes have to be polled.
  const shared = store.database.kind === "postgres";
  const { jobs, frontier } = store;
  const name = `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const now = Date.now;
  const { jobs: lifecycle, wakeUps, reportEnd: onEnded } = parts.jobs;
  const robots = createRobots({ fetchText: (url) => parts.fetchFile(url, ROBOTS), now });
  const readSitemaps = createSitemapReader({ robots, fetchFile: parts.fetchFile });
  const workJobs = createWorkerJobs({ jobs, lifecycle, pages });
  const politeness = createPoliteness({
    hosts: store.hosts,
    worker: name,
    isUnthrottled: isOwnHost,
    limits: { ...POLITENESS, patienceMs: config.crawlPatienceSeconds * 1_000 },
    log,
    onBackoff: (status) => metrics.hostBackoffs.inc({ status }),
  });
  parts.jobs.onEnd((id) => workJobs.end(id));
  const storage = new StorageGate({
    check: store.check,
    warn: (jobId, warning) => jobs.warn(jobId, warning),
    log,
    now,
  });
  const room = config.crawlConcurrency || availableParallelism() * PAGES_PER_CPU;
  const worker = createWorker({
    name,
    storage,
    frontier,
    finish: store.finish,
    jobs: workJobs,
    page: {
      pages,
      slots,
      robots,
      politeness,
      userAgent,
      wasServed: (jobId, host, since) => frontier.wasServed(jobId, host, since),
      warn: (jobId, warning) => jobs.warn(jobId, warning),
      log,
      metrics,
    },
    politeness,
    wakeUps,
    room,
    idleMs: shared ? IDLE_MS.shared : IDLE_MS.alone,
    log,
    onEnded,
    onEvent: () => webhooks.wake(),
  });
  const common = {
    jobs,
    lifecycle,
    frontier,
    results: store.results,
    jobLedger: store.jobLedger,
    credits,
    pages,
    wakeUps,
    storageWarning: () => storage.warning,
    lifeMs: config.resultLifeHours * 3_600_000,
    holdMs: HOLD_MS,
    lookMs: shared ? POLL_MS.shared : POLL_MS.alone,
    now,
    onEnded,
  };
  const map = {
    pages,
    robots,
    readSitemaps: createSitemapCache(readSitemaps, { now }),
    siteUrls: store.siteUrls,
    credits,
    activity: store.activity,
    userAgent,
    now,
  };
  const readPrompt = createPromptReader({
    readLinks: (options, caller, deadline) => collectLinks(map, options, caller, deadline),
    models: parts.models,
    now,
  });
  const hides = [
    metrics.onRead(reportBacklog(store, metrics)),
    metrics.onRead(reportPauses(politeness, metrics, "crawl")),
  ];
  const crawls = createCrawls({ ...common, readPrompt, checkStart: parts.checkStart });
  const batches = createBatches(common);
  const retrying = { lifecycle, jobLedger: store.jobLedger, crawls, batches };
  return {
    crawls,
    batches,
    retryPages: (job, options, caller) => retryPages(retrying, job, options, caller),
    mapSite: createMapSite(map),
    seeding: {
      frontier,
      histories: store.changeHistories,
      robots,
      readSitemaps,
      userAgent,
      wakeUps,
      now,
    },
    async start() {
      // A previous process held these pages. Release them now instead of waiting for their leases.
      if (!shared) await frontier.releaseAll();
      metrics.jobSlots.set(room);
      worker.start();
    },
    async close() {
      for (const hide of hides) hide();
      await worker.close();
    },
  };
}
