// The crawl room put together: use cases for the API, and the worker that does their work. An API process has the first
// without starting the second.
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Credits } from "../account/credits.ts";
import type { Slots } from "../account/slots.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { createRobots } from "../discovery/robots.ts";
import type { FetchFile } from "../engines/fetch-text.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Models } from "../models/model.ts";
import type { Queue } from "../queue/queue.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { Store } from "../store/store.ts";
import { showBacklog } from "./backlog.ts";
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
import { createSettler } from "./settle.ts";
import { StorageGate } from "./storage-gate.ts";
import { createWakeUps } from "./wake-up.ts";
import { createWorkJobs } from "./work-job.ts";
import { createWorker } from "./worker.ts";

type Kept = Pick<
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
  | "flush"
  | "backlog"
  | "check"
>;

export type CrawlingParts = {
  readonly store: Kept;
  readonly credits: Credits;
  readonly slots: Slots;
  readonly pages: PageScraper;
  readonly fetchFile: FetchFile;
  readonly queue: Queue;
  /** Who reads prompts; rules do where there is no model. */
  readonly models: Pick<Models, "role">;
  /** Where the events of a job go; throws BAD_REQUEST for a place they may not go to. */
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  /** Throws UNSUPPORTED_SITE for a start that can never be reached. */
  readonly checkStart: (url: URL) => Promise<void>;
  /** Told when events were kept that wait to be sent. */
  readonly onEvent: () => void;
  readonly userAgent: string;
  /** Pages in work at once in this process. */
  readonly room: number;
  /** Of one job, over all processes, where it names no number. */
  readonly jobConcurrency: number;
  /** How long a host may serve nothing before its pages are given up; 0: for ever. */
  readonly patienceMs: number;
  /** How long a job can be read after it was last read, milliseconds. */
  readonly lifeMs: number;
  /** Do other processes work on the same database? Then their doings have to be looked for. */
  readonly shared: boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type Crawling = {
  readonly crawls: Crawls;
  readonly batches: Batches;
  readonly mapSite: MapSite;
  /** Begins to work on jobs, also on those that were left by a process that is gone. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** A read at the end of a running job is held for so long (wire contract 5.2). */
const HOLD_MS = 1_500;
/** The first 500 KiB of a robots.txt count (RFC 9309 section 2.5); it takes a little more to see that there is more. */
const ROBOTS = { timeoutMs: 15_000, maxBytes: 4 * 1024 * 1024, firstBytes: 512 * 1024 };
const LOOK_MS = { alone: 1_500, shared: 250 };
const IDLE_MS = { alone: 5_000, shared: 500 };

/** Whoever makes it closes it; the store stays open until then. */
export function createCrawling(parts: CrawlingParts): Crawling {
  const { store, credits, slots, pages, log, metrics, userAgent } = parts;
  const { jobs, frontier } = store;
  const name = `${hostname()} ${process.pid} ${randomBytes(4).toString("hex")}`;
  const now = Date.now;
  const wakeUps = createWakeUps();
  const robots = createRobots({ fetchText: (url) => parts.fetchFile(url, ROBOTS), now });
  const readSitemaps = createSitemapReader({ robots, fetchFile: parts.fetchFile });
  const settler = createSettler({
    jobs,
    credits,
    activity: store.activity,
    flush: store.flush,
    log,
    metrics,
  });
  const workJobs = createWorkJobs(jobs, pages);
  const politeness = createPoliteness({
    hosts: store.hosts,
    worker: name,
    isUnthrottled: isOwnHost,
    limits: { ...POLITENESS, patienceMs: parts.patienceMs },
    log,
  });
  const onEnded = (id: string): void => {
    workJobs.end(id);
    wakeUps.ring(id);
    settler.run();
    parts.onEvent();
  };
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
    room: parts.room,
    idleMs: parts.shared ? IDLE_MS.shared : IDLE_MS.alone,
    log,
    onEnded,
    onRevisit,
    onEvent: parts.onEvent,
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
    maxConcurrency: parts.jobConcurrency,
    lifeMs: parts.lifeMs,
    holdMs: HOLD_MS,
    lookMs: parts.shared ? LOOK_MS.shared : LOOK_MS.alone,
    now,
    log,
    onEnded,
    resolveWebhook: parts.resolveWebhook,
    onEvent: parts.onEvent,
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
  const hideBacklog = metrics.onRead(showBacklog(store, metrics));
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
      // Pages that a process before this one held when it ended come back at once, not when their leases run out.
      if (!parts.shared) await frontier.releaseAll();
      worker.start();
      seeder.start(parts.shared);
      settler.run();
    },
    async close() {
      hideBacklog();
      await seeder.close();
      await revisitor.close();
      await worker.close();
      await settler.close();
    },
  };
}
