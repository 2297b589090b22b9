// Creates the crawl room: the use cases for the API, and the worker. An API process uses the first
// without starting the second.
import { randomBytes } from "node:crypto";
import { availableParallelism, hostname } from "node:os";
import type { Credits } from "../account/credits.ts";
import type { Slots } from "../account/slots.ts";
import type { Config } from "../config.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { createRobots } from "../discovery/robots.ts";
import type { FetchFile } from "../engines/fetch-text.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import type { Queue } from "../queue/queue.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { Store } from "../store/store.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { reportBacklog } from "./backlog.ts";
import { createBatches } from "./batches.ts";
import { createCrawls } from "./crawls.ts";
import type { Batches, Crawls, MapSite } from "./job.ts";
import { collectLinks, createMapSite } from "./map.ts";
import { createPoliteness, isOwnHost, POLITENESS } from "./politeness.ts";
import { createPromptReader } from "./prompt/prompt-reader.ts";
import { createRevisitor } from "./revisit.ts";
import { createSeeder } from "./seed.ts";
import { createSitemapCache } from "./sitemap-cache.ts";
import { createSitemapReader } from "./sitemap-urls.ts";
import { StorageGate } from "./storage-gate.ts";
import type { JobService } from "../jobs/create-jobs.ts";
import { createWorkJobs } from "./work-job.ts";
import { createWorker } from "./worker.ts";

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
  | "idempotency"
  | "activity"
  | "backlog"
  | "check"
  | "database"
>;

export type CrawlRoomParts = {
  readonly store: CrawlStore;
  readonly jobs: Pick<JobService, "wakeUps" | "reportEnd" | "onEnd">;
  readonly credits: Credits;
  readonly slots: Slots;
  readonly pages: PageScraper;
  readonly fetchFile: FetchFile;
  readonly queue: Queue;
  /** Reads prompts. Rules read them when no model is configured. */
  readonly models: Pick<Models, "role">;
  readonly webhooks: Pick<Webhooks, "resolve" | "wake">;
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
  readonly mapSite: MapSite;
  /** Starts working on jobs, including those left by a process that ended. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** How long a read at the current end of a running job is held (wire contract 5.2). */
const HOLD_MS = 1_500;
/**
 * Only the first 500 KiB of robots.txt count (RFC 9309 section 2.5). Reading a little more shows
 * whether the file is longer.
 */
const ROBOTS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024, firstBytes: 512 * 1024 };
/** Most of the time a page waits for its site. */
const PAGES_PER_CPU = 16;
/** Maximum concurrency of one job over all processes, when it sets none. */
const MAX_PAGES_OF_A_JOB = 1_000;
const LOOK_MS = { alone: 1_500, shared: 250 };
const IDLE_MS = { alone: 5_000, shared: 500 };

/** The caller closes the result. The store must stay open until then. */
export function createCrawlRoom(parts: CrawlRoomParts): CrawlRoom {
  const { store, credits, slots, pages, webhooks, config, log, metrics } = parts;
  const { userAgent } = config;
  // Changes of other processes have to be polled.
  const shared = store.database.kind === "postgres";
  const onEvent = (): void => webhooks.wake();
  const { jobs, frontier } = store;
  const name = `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const now = Date.now;
  const { wakeUps, reportEnd: onEnded } = parts.jobs;
  const robots = createRobots({ fetchText: (url) => parts.fetchFile(url, ROBOTS), now });
  const readSitemaps = createSitemapReader({ robots, fetchFile: parts.fetchFile });
  const workJobs = createWorkJobs(jobs, pages);
  const politeness = createPoliteness({
    hosts: store.hosts,
    worker: name,
    isUnthrottled: isOwnHost,
    limits: { ...POLITENESS, patienceMs: config.crawlPatienceSeconds * 1_000 },
    log,
  });
  parts.jobs.onEnd((id) => workJobs.end(id));
  const revisitor = createRevisitor({
    jobs,
    frontier,
    histories: store.changeHistories,
    robots,
    userAgent,
    wakeUps,
    log,
    now,
    onEnded,
  });
  const onRevisit = (id: string): void => revisitor.run(id);
  const seeder = createSeeder({
    queue: parts.queue,
    jobs,
    frontier,
    robots,
    readSitemaps,
    userAgent,
    wakeUps,
    log,
    now,
    onEnded,
    onRevisit,
  });
  const storage = new StorageGate({
    check: store.check,
    warn: (jobId, warning) => jobs.warn(jobId, warning),
    log,
    now,
  });
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
    room: config.crawlConcurrency || availableParallelism() * PAGES_PER_CPU,
    idleMs: shared ? IDLE_MS.shared : IDLE_MS.alone,
    log,
    onEnded,
    onRevisit,
    onEvent,
  });
  const common = {
    jobs,
    frontier,
    idempotency: store.idempotency,
    results: store.results,
    jobLedger: store.jobLedger,
    credits,
    pages,
    wakeUps,
    storageWarning: () => storage.warning,
    maxConcurrency: MAX_PAGES_OF_A_JOB,
    lifeMs: config.resultLifeHours * 3_600_000,
    holdMs: HOLD_MS,
    lookMs: shared ? LOOK_MS.shared : LOOK_MS.alone,
    now,
    log,
    onEnded,
    resolveWebhook: (given: Webhook | null, jobId: string) => webhooks.resolve(given, jobId),
    onEvent,
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
  const hideBacklog = metrics.onRead(reportBacklog(store, metrics));
  return {
    crawls: createCrawls({
      ...common,
      readPrompt,
      checkStart: parts.checkStart,
      seed: (id) => seeder.seed(id),
    }),
    batches: createBatches(common),
    mapSite: createMapSite(map),
    async start() {
      // A previous process held these pages. Release them now instead of waiting for their leases.
      if (!shared) await frontier.releaseAll();
      worker.start();
      seeder.start(shared);
    },
    async close() {
      hideBacklog();
      await seeder.close();
      await revisitor.close();
      await worker.close();
    },
  };
}
