// Jobs, pages and parts for the tests of crawl workers, which have no server and no database.
import { createSlots } from "../src/account/slots.ts";
import { UNLIMITED } from "../src/account/identity.ts";
import { batchRequestSchema } from "../src/contract/jobs/batch.ts";
import { crawlRequestSchema } from "../src/contract/jobs/crawl.ts";
import { buildScope, type WorkerJob } from "../src/crawl/worker-jobs.ts";
import type { Politeness } from "../src/crawl/politeness/politeness.ts";
import { SpiderTrapDetector } from "../src/crawl/spider-traps/spider-trap-detector.ts";
import type { StoredOptions } from "../src/crawl/stored-options.ts";
import type { ProcessPageParts } from "../src/crawl/worker/process-page.ts";
import { createRobots } from "../src/discovery/robots.ts";
import { planScrape } from "../src/engines/plan.ts";
import { buildJobIdentity } from "../src/jobs/caller.ts";
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";
import { buildCachePolicy } from "../src/scrape/cache-policy.ts";
import type { PageRequest, PageScraper, ScrapedPage } from "../src/scrape/page.ts";
import type { FinishReport } from "../src/store/jobs/finish.ts";
import type { FrontierStore, LeasedPage } from "../src/store/jobs/frontier.ts";
import type { JobRecord } from "../src/store/jobs/job-record.ts";
import { buildJob } from "./jobs.ts";

const COUNTERS = {
  pending: 1,
  completed: 0,
  failed: 0,
  held: 0,
  discovered: 1,
  robotsBlocked: 0,
  creditsUsed: 0,
};

/** A running job as the store returns it. */
export const buildRecord = (overrides: Partial<JobRecord> = {}): JobRecord => ({
  ...buildJob(),
  ...COUNTERS,
  state: "scraping",
  work: null,
  completedAt: null,
  error: null,
  warnings: [],
  settled: false,
  ...overrides,
});

const CAPABILITIES = {
  engines: ["http"],
  enhancedProxy: false,
  hasCountry: () => false,
} as const;

function buildWorkerJob(url: string, options: StoredOptions): WorkerJob {
  const record = buildRecord({ url, options });
  return {
    record,
    options,
    identity: buildJobIdentity(record),
    plan: planScrape({ ...options.page, url }, [], CAPABILITIES),
    scope: (home) => buildScope(record, options, home),
    trapDetector: new SpiderTrapDetector(),
    sent: new Map(),
    siteTexts: undefined,
    tries: new Map(),
    lost: new Map(),
    told: new Set(),
    ended: new AbortController(),
  };
}

/** A crawl of `url` that does not read robots.txt. */
export function buildCrawlWork(url: string): WorkerJob {
  const options = crawlRequestSchema.parse({ url, ignoreRobotsTxt: true });
  const { scrapeOptions: page, webhook: _webhook, ...crawl } = options;
  return buildWorkerJob(url, { crawl, page, limits: UNLIMITED });
}

/** A batch of `url` with this timeout a page. */
export function buildBatchWork(url: string, timeout: number): WorkerJob {
  const options = batchRequestSchema.parse({ urls: [url], timeout });
  const {
    scrapeOptions: page,
    webhook: _webhook,
    urls: _urls,
    appendToId: _id,
    ...batch
  } = options;
  return buildWorkerJob(url, { batch, page, limits: UNLIMITED });
}

export function buildLeased(url: string, overrides: Partial<LeasedPage> = {}): LeasedPage {
  return {
    jobId: "job",
    identity: 1n,
    url,
    host: new URL(url).host,
    depth: 1,
    source: "link",
    marks: {},
    sequence: 1,
    attempt: 1,
    ...overrides,
  };
}

/** A fetched and converted page. */
export function buildScraped(
  url: string,
  { text = "here", links = [], statuses = [200] }: Partial<Came> = {},
): ScrapedPage {
  const statusCode = statuses.at(-1) ?? 200;
  return {
    capture: {
      engine: "http",
      requestedUrl: url,
      finalUrl: url,
      redirects: [],
      statusCode,
      headers: [],
      contentType: "text/html",
      mimeType: "text/html",
      body: Buffer.from(`<title>x</title><main>${text}</main>`),
      charset: "utf-8",
      fetchedAt: Date.now(),
      proxyUsed: "basic",
      warnings: [],
    },
    document: {
      markdown: text,
      metadata: { scrapeId: "0199f0c0-0000-7000-8000-000000000001", sourceURL: url, statusCode },
    },
    derived: {
      document: { markdown: text },
      metadata: {},
      evidence: undefined,
      found: {
        urls: links,
        texts: [],
        marks: new Uint8Array(links.length),
        canonical: undefined,
        noindex: false,
        nofollow: false,
        title: "x",
        description: "",
        omitted: 0,
      },
      audio: [],
      charset: "utf-8",
      warnings: [],
      steps: {},
      startedAt: 0,
      explanation: undefined,
    },
    verdict: { kind: "content", reason: "", escalate: false },
    creditsUsed: 1,
    fromCache: false,
    trail: statuses.map((status) => ({
      engine: "http",
      proxy: "basic",
      outcome: "captured",
      statusCode: status,
      ms: 1,
    })),
    queuedMs: 0,
  };
}

type Came = {
  readonly text: string;
  readonly links: readonly string[];
  /** The statuses of the requests sent for it, the answer's last. */
  readonly statuses: readonly number[];
};

/** A scraper without a cache whose pages come from `scrape`. */
export const buildScraper = (
  scrape: (request: PageRequest) => Promise<ScrapedPage>,
): PageScraper => ({
  plan: (options) => planScrape(options, [], CAPABILITIES),
  createPolicy: (options, url, rules) =>
    buildCachePolicy(options, url, { ...rules, forceTls: false }),
  checkExtractor: async () => undefined,
  cacheOwner: (accountId) => accountId,
  scrapePage: scrape,
  cache: async () => undefined,
});

/** Lets every page go at once. */
export const buildPoliteness = (overrides: Partial<Politeness> = {}): Politeness => ({
  enter: async () => ({ end: () => undefined }),
  isRefusing: () => false,
  hasHost: () => undefined,
  isBusy: () => false,
  getPauses: () => ({ hosts: 0, longestMs: 0 }),
  close: async () => undefined,
  ...overrides,
});

/** The parts of a page worker on hosts without robots.txt. */
export const buildPageParts = (
  scrape: (request: PageRequest) => Promise<ScrapedPage>,
  overrides: Partial<ProcessPageParts> = {},
): ProcessPageParts => ({
  pages: buildScraper(scrape),
  slots: createSlots({ maxConcurrency: 100 }),
  robots: createRobots({
    fetchText: async () => ({ status: 404, contentType: "text/plain", body: new Uint8Array() }),
    now: Date.now,
  }),
  politeness: buildPoliteness(),
  wasServed: async () => false,
  warn: async () => undefined,
  userAgent: "test",
  log: createLogger("silent"),
  metrics: createMetrics(),
  ...overrides,
});

const unused = (name: string) => async (): Promise<never> => {
  throw new Error(`${name} is not called in this test`);
};

/** A frontier with what a worker calls. */
export const buildFrontier = (
  calls: Pick<FrontierStore, "claim" | "release" | "renew">,
): FrontierStore => ({
  add: unused("add"),
  releaseAll: unused("releaseAll"),
  wasServed: async () => false,
  startOutcome: unused("startOutcome"),
  findNextExpiry: async () => undefined,
  ...calls,
});

/** The report of written pages while the job goes on. */
export const buildReport = (): FinishReport => ({
  state: "scraping",
  ended: false,
  pages: [],
  ready: 0,
  counters: COUNTERS,
  tallies: new Map(),
});
