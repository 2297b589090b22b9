// Change tracking in crawls: which crawls count as the same, and pages that an earlier crawl saw
// and no link leads to any more.
import { createHash } from "node:crypto";
import { findFormat } from "../../contract/page/formats.ts";
import type { RunContext } from "../../jobs/kind.ts";
import { WORK } from "../../jobs/wake-up.ts";
import type { TrackingScope } from "../../scrape/track-changes.ts";
import type { ChangeHistoryStore } from "../../store/captures/change-histories.ts";
import type { FoundUrl, LeasedPage } from "../../store/jobs/frontier.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import { splitChunks } from "../../store/database/chunks.ts";
import type { PageMarks } from "./follow.ts";
import { readStoredOptions } from "../stored-options.ts";
import { buildJudge, findHome, type SeedParts } from "./seed.ts";
import type { WorkerJob } from "../worker-jobs.ts";

export type RevisitParts = Pick<
  SeedParts,
  "frontier" | "robots" | "userAgent" | "wakeUps" | "now"
> & {
  readonly histories: Pick<ChangeHistoryStore, "unseen">;
};

/** Maximum pages taken over from an earlier crawl. */
const MAX_PAGES = 10_000;
const BATCH_SIZE = 500;

/**
 * Queues the pages that only an earlier crawl saw, once the crawl has nothing else left. Can be
 * repeated after a crash.
 */
export async function enqueueEarlierPages(
  parts: RevisitParts,
  { job, signal }: RunContext,
): Promise<void> {
  const crawlKey = computeCrawlKey(job);
  if (crawlKey === undefined) return;
  const { accountId, id: jobId } = job;
  const urls = await parts.histories.unseen(accountId, { crawlKey, jobId }, MAX_PAGES);
  if (urls.length === 0) return;
  const judge = await buildJudge(parts, job, await findHome(parts, job, signal));
  for (const some of splitChunks(urls, BATCH_SIZE)) {
    signal.throwIfAborted();
    await parts.frontier.add(jobId, some.map(judge).map(toEarlier));
    parts.wakeUps.wake(WORK);
  }
}

const toEarlier = (found: FoundUrl): FoundUrl => ({
  ...found,
  source: "link",
  depthCounts: false,
  marks: { ...found.marks, earlier: true },
});

/** The owner of the history of the job's pages. */
export function buildTrackingScope(
  { record }: Pick<WorkerJob, "record">,
  page: LeasedPage,
): TrackingScope {
  const { accountId, id: jobId } = record;
  const { earlier = false } = page.marks as PageMarks;
  return { accountId, jobId, crawlKey: computeCrawlKey(record), hidden: earlier };
}

/** True if the job checks pages of an earlier crawl before it ends. */
export const isRevisit = (job: Pick<JobRecord, "options" | "url">): boolean =>
  computeCrawlKey(job) !== undefined;

/**
 * Equal for crawls that would find the same pages of an unchanged site: by start URL, scope and
 * tag. Undefined without change tracking.
 */
function computeCrawlKey(record: Pick<JobRecord, "options" | "url">): string | undefined {
  const { crawl, page } = readStoredOptions(record);
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
