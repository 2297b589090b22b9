// Stored options of a job: everything a worker in any process needs, also after a restart.
import type { BatchOptions } from "../contract/jobs/batch.ts";
import type { CrawlOptions } from "../contract/jobs/crawl.ts";
import type { PageOptions, ScrapeOptions } from "../contract/page/scrape.ts";
import type { Grants } from "../jobs/caller.ts";
import { buildJobRequest, type JobRequest } from "../jobs/job-request.ts";
import { omitActionSecrets } from "../jobs/omit-action-secrets.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";

/** The options of the wire without those that have columns of their own. */
export type StoredCrawl = Omit<CrawlOptions, "scrapeOptions" | "webhook">;
export type StoredBatch = Omit<BatchOptions, "scrapeOptions" | "webhook" | "urls" | "appendToId">;

export type StoredOptions = Grants & {
  /** Undefined for a batch. */
  readonly crawl?: StoredCrawl;
  readonly batch?: StoredBatch;
  /** Options of every page. */
  readonly page: PageOptions;
  /** Set for a crawl that was started for llms.txt: whether llms-full.txt is wanted. */
  readonly showFullText?: boolean;
  /** Names of the headers of its pages; their values are deleted with the end of the job. */
  readonly headerNames?: readonly string[];
  /** URLs had user names or passwords, which are deleted with the end of the job. */
  readonly hasLogins?: boolean;
  /** The base URL of this server as the caller who started the job reached it. */
  readonly base?: string | undefined;
};

export const readStoredOptions = ({ options }: Pick<JobRecord, "options">): StoredOptions =>
  options as StoredOptions;

/** Builds the scrape options of one page from the job's options and the URL. */
export function toScrapeOptions({ page }: StoredOptions, url: string): ScrapeOptions {
  return { ...page, url };
}

/** Returns the request that started the job; `urls` are those of a batch. */
export function buildPageRequest(job: JobRecord, urls: readonly string[] | undefined): JobRequest {
  const { crawl, batch, page, headerNames = [], hasLogins } = readStoredOptions(job);
  return buildJobRequest({
    // Logins of a batch are removed before its URLs are stored.
    fields: { ...(urls && { urls }), ...(crawl ?? batch) },
    scrapeOptions: { values: page, headerNames, isTop: crawl === undefined },
    loginField: hasLogins === true ? (crawl === undefined ? "urls" : "url") : undefined,
    webhook: job.webhook,
  });
}

/** Returns the options for the caller: header names without their values, actions without secrets. */
export function selectShownOptions(kept: StoredOptions): Record<string, unknown> {
  const { headers, ...page } = kept.page;
  return {
    ...(kept.crawl ?? kept.batch),
    scrapeOptions: { ...omitActionSecrets(page).options, headers: Object.keys(headers) },
  };
}
