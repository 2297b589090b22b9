// Adds the sitemaps' URLs to the frontier. It runs beside the first pages as a durable job, and the
// crawl does not end before it.
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { RobotsStore } from "../discovery/robots.ts";
import { sitemapFaults } from "../discovery/sitemaps.ts";
import type { Logger } from "../log.ts";
import { defineJob, type JobDefinition } from "../queue/definition.ts";
import type { Queue } from "../queue/queue.ts";
import type { FoundUrl, FrontierStore } from "../store/jobs/frontier.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { hashIdentity, toIdentity } from "../url/identity.ts";
import { judgeUrl } from "../url/scope.ts";
import { reachOf } from "../url/site.ts";
import { ignoreUnreachable, toFound } from "./follow.ts";
import { storedOptions } from "./kept-options.ts";
import type { ReadSitemaps } from "./sitemap-urls.ts";
import { WORK, type WakeUps } from "../jobs/wake-up.ts";
import { buildScope } from "./work-job.ts";

export type SeederParts = {
  readonly queue: Queue;
  readonly jobs: JobStore;
  readonly frontier: FrontierStore;
  readonly robots: RobotsStore;
  readonly readSitemaps: ReadSitemaps;
  readonly userAgent: string;
  readonly wakeUps: WakeUps;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEnded: (jobId: string) => void;
  /** Pages of an earlier crawl are to be checked. */
  readonly onRevisit: (jobId: string) => void;
  /** Maximum URLs a crawl takes from sitemaps; default 200,000. */
  readonly maxSitemapUrls?: number;
};

export type Seeder = {
  /** Enqueues reading the sitemaps of the crawl. */
  seed(jobId: string): Promise<void>;
  /** Processes seeding jobs here and periodically looks for crawls without one. */
  start(eager: boolean): void;
  close(): Promise<void>;
};

const inputSchema = z.object({ crawlId: z.uuid() });
type Input = z.output<typeof inputSchema>;

const RETRIES = 3;
const LOOK_MS = 60_000;
/** Maximum URLs that one crawl takes from sitemaps. docs/crawling.md names it. */
const MAX_SITEMAP_URLS = 200_000;

export function createSeeder(parts: SeederParts): Seeder {
  const { queue, jobs, log, now } = parts;
  let working: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let works = false;

  const definition: JobDefinition<Input> = defineJob({
    name: "crawl.seed",
    schema: inputSchema,
    retries: RETRIES,
    retryDelaySeconds: 1,
    expireSeconds: 3_600,
    concurrency: 4,
    async handle({ crawlId }, { number, signal }) {
      try {
        await seedCrawl(parts, crawlId, signal);
      } catch (error) {
        if (signal.aborted || number <= RETRIES) throw error;
        log.error({ err: error, jobId: crawlId }, "failed to read the sitemaps of a crawl");
        await jobs.warn(crawlId, "The sitemaps could not be read.");
      }
      const { ended, revisits } = await jobs.endSeeding(crawlId, now());
      parts.wakeUps.ring(WORK);
      if (revisits === true) parts.onRevisit(crawlId);
      if (ended) parts.onEnded(crawlId);
    },
  });

  const enqueue = async (crawlId: string): Promise<void> => {
    // The queue job has the crawl's id, so seeding cannot be enqueued twice.
    await queue.enqueue(definition, { crawlId }, { id: crawlId });
  };

  function work(): Promise<void> {
    working ??= queue.work([definition]);
    return working;
  }

  async function look(): Promise<void> {
    try {
      const found = await jobs.seeding();
      const crawls = found.filter(({ kind }) => kind === "crawl");
      if (crawls.length > 0) await work();
      for (const { id, isRevisiting } of crawls)
        if (isRevisiting === true) parts.onRevisit(id);
        else await enqueue(id);
      for (const { id, kind } of found) if (kind !== "crawl") await endLost(id);
    } catch (error) {
      log.warn({ err: error }, "failed to look up unfinished crawls; will retry");
    }
  }

  /**
   * Ends a batch whose caller disconnected before all its URLs were stored: nobody knows its id.
   */
  async function endLost(id: string): Promise<void> {
    const job = await jobs.load(id, now());
    if (job === undefined || job.createdAt > now() - LOOK_MS) return;
    const { ended } = await jobs.endSeeding(id, now());
    if (ended) parts.onEnded(id);
  }

  return {
    async seed(jobId) {
      if (works) await work();
      await enqueue(jobId);
    },
    start(eager) {
      works = true;
      if (eager)
        void work().catch((error: unknown) =>
          log.error({ err: error }, "job queue failed to start"),
        );
      void look();
      timer = setInterval(() => void look(), LOOK_MS);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await working?.catch(() => undefined);
    },
  };
}

/** Adds the sitemaps' URLs to the frontier. Idempotent, so it can be repeated after a crash. */
async function seedCrawl(parts: SeederParts, id: string, signal: AbortSignal): Promise<void> {
  const job = await parts.jobs.load(id, parts.now());
  if (job === undefined || job.state !== "scraping" || !job.seeding || job.url === null) return;
  const home = await findHome(parts, job, signal);
  const judge = await buildJudge(parts, job, home);
  const start = home ?? new URL(job.url);
  const limit = parts.maxSitemapUrls ?? MAX_SITEMAP_URLS;
  const { batches, report } = await parts.readSitemaps({ start, limit, signal });
  let taken = 0;
  for await (const { pages } of batches) {
    taken += pages.length;
    const { added, accepted } = await parts.frontier.add(
      id,
      pages.map(({ url }) => judge(url)),
    );
    if (!added) return;
    if (accepted > 0) parts.wakeUps.ring(WORK);
  }
  signal.throwIfAborted();
  const { crawl } = storedOptions(job);
  const isFull = taken >= limit && report.cut !== undefined;
  if (isFull) await parts.jobs.warn(id, warnFull(limit));
  for (const fault of sitemapFaults(isFull ? { ...report, cut: undefined } : report))
    await parts.jobs.warn(id, fault);
  if (crawl?.sitemap === "only" && !report.files.some(({ outcome }) => outcome === "read"))
    await parts.jobs.warn(id, "sitemap is 'only', but the site has no readable sitemap.");
}

const warnFull = (limit: number): string =>
  `The sitemaps list more than ${limit.toLocaleString("en")} URLs, the maximum per crawl; other URLs are fetched only if a page links to them. Crawl the site in sections to get all of them.`;

/**
 * Extra time over the timeout of the start URL, for its turn. Until it lands the site is unknown.
 */
const LANDING_SPARE_MS = 10_000;
const LANDING_LOOK_MS = 50;

/** Returns the home of the crawl when its start URL turned out to be on another site. */
export async function findHome(
  { frontier, now }: Pick<SeederParts, "frontier" | "now">,
  job: JobRecord,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const start = new URL(job.url ?? "");
  const kept = storedOptions(job);
  const { rules } = buildScope(job, kept);
  const identity = hashIdentity(toIdentity(start, rules));
  const until = now() + kept.page.timeout + LANDING_SPARE_MS;
  let outcome = await frontier.startOutcome(job.id, identity);
  while (outcome.isOpen && now() < until) {
    await pause(LANDING_LOOK_MS, undefined, { signal });
    outcome = await frontier.startOutcome(job.id, identity);
  }
  const final = outcome.finalUrl === undefined ? null : URL.parse(outcome.finalUrl);
  return final === null || reachOf(final, start) === "site" ? undefined : final;
}

export async function buildJudge(
  { robots, userAgent }: Pick<SeederParts, "robots" | "userAgent">,
  job: JobRecord,
  home: URL | undefined,
): Promise<(url: string) => FoundUrl> {
  const kept = storedOptions(job);
  const scope = buildScope(job, kept, home?.href);
  const marks = home === undefined ? {} : { home: home.href };
  const agent = kept.crawl?.robotsUserAgent ?? userAgent;
  const ignores = kept.crawl?.ignoreRobotsTxt === true;
  await robots.load(scope.origin);
  const objection = ignoreUnreachable(robots, (url) => {
    const verdict = ignores ? undefined : robots.decideCached(url, agent);
    return verdict?.allowed === false ? verdict.reason : undefined;
  });
  return (url) =>
    toFound(judgeUrl({ url, depth: 0, source: "sitemap" }, scope, objection), 0, "sitemap", marks);
}
