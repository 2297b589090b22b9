// Change tracking in crawls: which crawls count as the same, and pages that an earlier crawl saw
// and no link leads to any more.
import { createHash } from "node:crypto";
import { findFormat } from "../contract/page/formats.ts";
import type { RobotsStore } from "../discovery/robots.ts";
import type { Logger } from "../log.ts";
import type { TrackingScope } from "../scrape/track-changes.ts";
import type { ChangeHistoryStore } from "../store/captures/change-histories.ts";
import type { FoundUrl, FrontierStore, LeasedPage } from "../store/jobs/frontier.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import { chunksOf } from "../store/database/chunks.ts";
import type { PageMarks } from "./follow.ts";
import { storedOptions } from "./kept-options.ts";
import { buildJudge, findHome } from "./seed.ts";
import { WORK, type WakeUps } from "../jobs/wake-up.ts";
import type { WorkJob } from "./work-job.ts";

export type RevisitParts = {
  readonly jobs: JobStore;
  readonly frontier: FrontierStore;
  readonly histories: Pick<ChangeHistoryStore, "unseen">;
  readonly robots: RobotsStore;
  readonly userAgent: string;
  readonly wakeUps: WakeUps;
  readonly log: Logger;
  readonly now: () => number;
  readonly onEnded: (jobId: string) => void;
};

export type Revisitor = {
  /**
   * Queues the pages that only an earlier crawl saw, once the crawl has nothing else left. An
   * interrupted run restarts when a process looks for unfinished crawls.
   */
  run(jobId: string): void;
  close(): Promise<void>;
};

/** Maximum pages taken over from an earlier crawl. */
const MAX_PAGES = 10_000;
const AT_ONCE = 500;

export function createRevisitor(parts: RevisitParts): Revisitor {
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();

  async function revisit(jobId: string): Promise<void> {
    try {
      await addEarlier(parts, jobId, closing.signal);
      if (closing.signal.aborted) return;
      const { ended } = await parts.jobs.endRevisit(jobId, parts.now());
      parts.wakeUps.ring(WORK);
      if (ended) parts.onEnded(jobId);
    } catch (error) {
      if (closing.signal.aborted) return;
      parts.log.warn(
        { err: error, jobId },
        "failed to look up pages of an earlier crawl; will retry",
      );
    }
  }

  return {
    run(jobId) {
      if (running.has(jobId) || closing.signal.aborted) return;
      const run = revisit(jobId).finally(() => running.delete(jobId));
      running.set(jobId, run);
    },
    async close() {
      closing.abort();
      await Promise.all(running.values());
    },
  };
}

async function addEarlier(parts: RevisitParts, jobId: string, signal: AbortSignal): Promise<void> {
  const job = await parts.jobs.load(jobId, parts.now());
  if (job === undefined || job.state !== "scraping" || job.isRevisiting !== true) return;
  const crawlKey = crawlKeyOf(job);
  if (crawlKey === undefined) return;
  const { accountId } = job;
  const urls = await parts.histories.unseen(accountId, { crawlKey, jobId }, MAX_PAGES);
  if (urls.length === 0) return;
  const judge = await buildJudge(parts, job, await findHome(parts, job, signal));
  for (const some of chunksOf(urls, AT_ONCE)) {
    if (signal.aborted) return;
    await parts.frontier.add(jobId, some.map(judge).map(asEarlier));
  }
}

const asEarlier = (found: FoundUrl): FoundUrl => ({
  ...found,
  source: "link",
  depthCounts: false,
  marks: { ...found.marks, earlier: true },
});

/** The owner of the history of the job's pages. */
export function trackingScope(
  { record }: Pick<WorkJob, "record">,
  page: LeasedPage,
): TrackingScope {
  const { accountId, id: jobId } = record;
  const { earlier = false } = page.marks as PageMarks;
  return { accountId, jobId, crawlKey: crawlKeyOf(record), hidden: earlier };
}

/** Whether the job checks pages of an earlier crawl before it ends. */
export const revisits = (job: Pick<JobRecord, "options" | "url">): boolean =>
  crawlKeyOf(job) !== undefined;

/**
 * Equal for crawls that would find the same pages of an unchanged site: by start URL, scope and
 * tag. Undefined without change tracking.
 */
function crawlKeyOf(record: Pick<JobRecord, "options" | "url">): string | undefined {
  const { crawl, page } = storedOptions(record);
  const tracking = findFormat(page.formats, "changeTracking");
  if (crawl === undefined || tracking === undefined || page.zeroDataRetention) return undefined;
  const scope = [
    record.url,
    tracking.tag,
    crawl.includePaths,
    crawl.excludePaths,
    crawl.regexOnFullURL,
    crawl.maxDiscoveryDepth,
    crawl.crawlEntireDomain,
    crawl.allowSubdomains,
    crawl.allowExternalLinks,
    crawl.ignoreQueryParameters,
    crawl.deduplicateSimilarURLs,
    crawl.sitemap,
  ];
  return createHash("sha256").update(JSON.stringify(scope)).digest("base64url");
}
