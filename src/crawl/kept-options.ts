// What a job keeps of its request: all that a worker, in whichever process and after whichever restart, has to know.
import type { BatchOptions } from "../contract/jobs/batch.ts";
import type { CrawlOptions } from "../contract/jobs/crawl.ts";
import type { PageOptions, ScrapeOptions } from "../contract/page/scrape.ts";
import type { JobRecord } from "../store/jobs/jobs.ts";

/** The options of the wire, less what the job has columns for. */
export type KeptCrawl = Omit<CrawlOptions, "scrapeOptions" | "webhook">;
export type KeptBatch = Omit<BatchOptions, "scrapeOptions" | "webhook" | "urls" | "appendToId">;

export type KeptOptions = {
  /** Undefined for a batch. */
  readonly crawl?: KeptCrawl;
  readonly batch?: KeptBatch;
  /** Of every page. */
  readonly page: PageOptions;
  /** Pages of the key in work at once, over all it does; null is without end. */
  readonly keyConcurrency: number | null;
  /** The same over all keys of the account. */
  readonly accountConcurrency?: number | null;
  /** Hosts that the key may fetch; any when missing. */
  readonly allowHosts?: readonly string[] | undefined;
  /** The address of this server as whoever started the job reached it. */
  readonly base?: string | undefined;
};

export const keptOptions = ({ options }: Pick<JobRecord, "options">): KeptOptions =>
  options as KeptOptions;

/** The options of one page: those of the job, with the URL in them. */
export function toScrapeOptions({ page }: KeptOptions, url: string): ScrapeOptions {
  return { ...page, url };
}

/** The options as their caller may see them again: names of headers, not what they say. */
export function shownOptions(kept: KeptOptions): Record<string, unknown> {
  const { headers, ...page } = kept.page;
  return {
    ...(kept.crawl ?? kept.batch),
    scrapeOptions: { ...page, headers: Object.keys(headers) },
  };
}
