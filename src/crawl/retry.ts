// Starts again what failed in a crawl or batch: its failed pages as a batch, or the whole crawl if
// it has no page.
import { MAX_BATCH_URLS, type BatchOptions } from "../contract/jobs/batch.ts";
import { JOB_KINDS } from "../contract/jobs/kinds.ts";
import type { RetryOptions } from "../contract/jobs/retry.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import { RequestError } from "../errors.ts";
import type { JobCaller } from "../jobs/caller.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobLedgerStore } from "../store/jobs/job-ledger.ts";
import type { Batches, Crawls, PageJobKind, RetriedJob } from "./job.ts";
import { readStoredOptions, type StoredOptions } from "./stored-options.ts";

export type RetryParts = {
  readonly lifecycle: Pick<Jobs, "find">;
  readonly jobLedger: Pick<JobLedgerStore, "iterateUrls">;
  readonly crawls: Pick<Crawls, "start">;
  readonly batches: Pick<Batches, "start">;
};

/**
 * Returns the new job. Throws CONFLICT for a running job and for one without failures, BAD_REQUEST
 * when the job sent headers and none are given, and the errors of a start.
 */
export async function retryPages(
  { lifecycle, jobLedger, crawls, batches }: RetryParts,
  job: { readonly kind: PageJobKind; readonly id: string },
  { headers, webhook }: RetryOptions,
  caller: JobCaller,
): Promise<RetriedJob> {
  const { kind } = job;
  const record = await lifecycle.find(kind, job.id, caller.identity);
  const { noun } = JOB_KINDS[kind];
  if (record.state === "scraping")
    throw new RequestError("CONFLICT", `The ${noun} is still running; retry it after its end.`);
  const stored = readStoredOptions(record);
  const scrapeOptions = chooseHeaders(stored, headers ?? undefined, noun);
  const { crawl, batch } = stored;
  if (crawl !== undefined && record.completed === 0) {
    // The prompt has become options already.
    const options = { ...crawl, prompt: undefined, scrapeOptions, webhook };
    const { id, warning } = await crawls.start(options, caller);
    return { id, kind: "crawl", urls: undefined, warning };
  }
  const urls: string[] = [];
  for await (const rows of jobLedger.iterateUrls(record.id, "error")) {
    urls.push(...rows.map(({ url }) => url));
    if (urls.length >= MAX_BATCH_URLS) break;
  }
  if (urls.length === 0)
    throw new RequestError(
      "CONFLICT",
      `No page of the ${noun} failed, so there is nothing to retry.`,
    );
  const given: BatchOptions = {
    urls: urls.slice(0, MAX_BATCH_URLS),
    appendToId: undefined,
    ignoreInvalidURLs: true,
    // A delay is kept between the pages of a crawl: at least, they stay one at a time.
    maxConcurrency: typeof crawl?.delay === "number" ? 1 : (crawl ?? batch)?.maxConcurrency,
    origin: (crawl ?? batch)?.origin ?? "api",
    integration: (crawl ?? batch)?.integration,
    scrapeOptions,
    webhook,
  };
  const { id } = await batches.start(given, caller);
  const left = Math.max(0, record.failed - given.urls.length);
  return {
    id,
    kind: "batch_scrape",
    urls: given.urls.length,
    warning:
      left > 0
        ? `The first ${given.urls.length} of ${record.failed} failed pages are scraped again; a batch has no room for more.`
        : undefined,
  };
}

function chooseHeaders(
  { crawl, page, headerNames = [], hasLogins }: StoredOptions,
  given: Readonly<Record<string, string>> | undefined,
  noun: string,
): PageOptions {
  // The login of the start URL is sent as a header with every page.
  const isLoginSent = crawl !== undefined && hasLogins === true;
  const sent = [...headerNames, ...(isLoginSent ? ["Authorization"] : [])];
  if (given === undefined && sent.length > 0)
    throw new RequestError(
      "BAD_REQUEST",
      `The ${noun} sent the headers ${sent.join(", ")}. Their values are not kept after its end: give them again in headers.`,
    );
  return { ...page, headers: { ...given } };
}
