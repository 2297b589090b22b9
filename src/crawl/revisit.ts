// Change tracking in crawls: which crawls look for the same pages, and the pages that an earlier one saw and to which nothing
// leads any more.
import { createHash } from "node:crypto";
import { findFormat } from "../contract/formats.ts";
import type { TrackingScope } from "../scrape/track-changes.ts";
import type { LeasedPage } from "../store/frontier.ts";
import type { JobRecord } from "../store/jobs.ts";
import type { PageMarks } from "./follow.ts";
import { keptOptions } from "./kept-options.ts";
import type { WorkJob } from "./work-job.ts";

/** Whose history a page of the job belongs to. */
export function trackingScope(
  { record }: Pick<WorkJob, "record">,
  page: LeasedPage,
): TrackingScope {
  const { accountId, id: jobId } = record;
  const { earlier = false } = page.marks as PageMarks;
  return { accountId, jobId, crawlKey: crawlKeyOf(record), hidden: earlier };
}

/**
 * Equal for crawls that would find the same pages of an unchanged site: by start URL, scope and tag. Undefined for what
 * tracks no changes.
 */
function crawlKeyOf(record: Pick<JobRecord, "options" | "url">): string | undefined {
  const { crawl, page } = keptOptions(record);
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
