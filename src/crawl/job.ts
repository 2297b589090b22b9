// The public interface of a job over many URLs: start, read, cancel. A crawl discovers its URLs and
// a batch is given them. The rest is the same. http/ maps this to the wire.
import type { Identity } from "../account/identity.ts";
import type { BatchOptions } from "../contract/jobs/batch.ts";
import type { CrawlOptions, JobStatus } from "../contract/jobs/crawl.ts";
import type { CrawlPreviewRequest } from "../contract/jobs/crawl-preview.ts";
import type { ErrorCode } from "../contract/request/error-codes.ts";
import type { LedgerEntry, LedgerState } from "../contract/jobs/ledger.ts";
import type { RetryOptions } from "../contract/jobs/retry.ts";
import type { MapOptions, MapResponse } from "../contract/page/map.ts";
import type { JobCaller } from "../jobs/caller.ts";
import type { PromptCaller } from "./prompt/prompt-reader.ts";
import type { Proposal } from "./prompt/propose.ts";

export type PageJobKind = "crawl" | "batch_scrape";

export type StartedJob = {
  readonly id: string;
  readonly warning: string | undefined;
};

export type CrawlCaller = JobCaller & {
  /** Names of the fields the caller set; they win over the prompt. */
  readonly given?: ReadonlySet<string> | undefined;
  /** True if llms.txt of this crawl comes with llms-full.txt by default. */
  readonly showFullText?: boolean;
  /** Aborts when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
};

export type StartedCrawl = StartedJob & {
  /**
   * Interpretation of the prompt and the resulting crawl options; only for a crawl with a prompt.
   */
  readonly prompt?: {
    readonly generated: Readonly<Record<string, unknown>>;
    readonly final: Readonly<Record<string, unknown>>;
  };
};

export type StartedBatch = StartedJob & {
  /** In the order given; undefined when the caller wants invalid URLs rejected. */
  readonly invalidUrls: readonly string[] | undefined;
};

/** A job that repeats what failed in another one. */
export type RetriedJob = StartedJob & {
  readonly kind: PageJobKind;
  /** Failed pages that are scraped again; undefined for a whole crawl. */
  readonly urls: number | undefined;
};

export type RetryPages = (
  job: { readonly kind: PageJobKind; readonly id: string },
  options: RetryOptions,
  caller: JobCaller,
) => Promise<RetriedJob>;

export type ResultRange = {
  /** Documents to skip. */
  readonly skip: number;
  /** Maximum documents; undefined means the contract's page size, or all in a stream. */
  readonly limit: number | undefined;
};

/** Times in milliseconds since the epoch. */
export type JobReport = {
  readonly id: string;
  readonly kind: PageJobKind;
  readonly status: JobStatus;
  /** Pages accepted for scraping, minus failed ones. */
  readonly total: number;
  readonly completed: number;
  readonly creditsUsed: number;
  readonly createdAt: number;
  readonly completedAt: number | undefined;
  readonly expiresAt: number;
  /** Set when the job failed as a whole. */
  readonly error: string | undefined;
  readonly code: ErrorCode | undefined;
  readonly warning: string | undefined;
  /** Set for a crawl that was started for llms.txt: whether llms-full.txt is wanted. */
  readonly showFullText?: boolean | undefined;
};

/** A stored document: JSON in UTF-8. Code that only forwards it need not parse it. */
export type DocumentJson = Uint8Array;

export type JobResults = JobReport & {
  /** In order of completion. */
  readonly documents: readonly DocumentJson[];
  /** Offset of the next page of results; undefined at the end. */
  readonly nextSkip: number | undefined;
};

export type JobFailure = {
  readonly id: string;
  readonly url: string;
  readonly at: number;
  readonly code: ErrorCode | "EXTERNAL_LINK" | undefined;
  readonly error: string;
};

export type JobFailures = {
  readonly errors: readonly JobFailure[];
  readonly robotsBlocked: readonly string[];
  /** Names the missing parts of this answer and where to find them. */
  readonly warning: string | undefined;
};

export type ActiveJob = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly createdAt: number;
  /** The caller's options with defaults filled in, without header values. */
  readonly options: Readonly<Record<string, unknown>>;
};

export type LedgerRange = ResultRange & {
  /** Only URLs with this fate. */
  readonly fate: LedgerState | undefined;
};

export type LedgerPage = {
  readonly report: JobReport;
  /** All URLs seen, with any fate; the sums add up to it. */
  readonly total: number;
  readonly sums: Readonly<Partial<Record<LedgerState, number>>>;
  /** In the order of discovery. */
  readonly entries: readonly LedgerEntry[];
  readonly nextSkip: number | undefined;
};

/** Events for a watcher, in order: `documents` as pages arrive, then `ended` once. */
export type JobEvent =
  | { readonly type: "documents"; readonly documents: readonly DocumentJson[] }
  | { readonly type: "ended"; readonly report: JobReport };

/**
 * The use cases of one kind of job. All throw NOT_FOUND for an id that is unknown, expired, of
 * another kind or of another account.
 */
export type PageJobs = {
  report(id: string, identity: Identity): Promise<JobReport>;
  /**
   * Returns one page of results. At the current end of a running job it waits briefly, until
   * results arrive or `signal` aborts.
   */
  listResults(
    id: string,
    identity: Identity,
    range: ResultRange,
    signal: AbortSignal,
  ): Promise<JobResults>;
  /** Cancels a running job. A finished one stays unchanged. */
  cancel(id: string, identity: Identity): Promise<JobStatus>;
  listFailures(id: string, identity: Identity): Promise<JobFailures>;
  listLedger(id: string, identity: Identity, range: LedgerRange): Promise<LedgerPage>;
  /** Yields all entries in chunks. */
  iterateLedger(
    id: string,
    identity: Identity,
    fate: LedgerState | undefined,
  ): AsyncIterable<readonly LedgerEntry[]>;
  /** Yields the available documents of the range in chunks; all of them without a limit. */
  iterateDocuments(
    id: string,
    identity: Identity,
    range: ResultRange,
  ): AsyncIterable<readonly DocumentJson[]>;
  /** Yields documents from `skip` on as they finish, until the job has ended or `signal` aborts. */
  watch(
    id: string,
    identity: Identity,
    options: { readonly skip: number; readonly signal: AbortSignal },
  ): AsyncIterable<JobEvent>;
};

export type Crawls = PageJobs & {
  /**
   * Starts the crawl; the job can be read at once. Throws BAD_REQUEST, NOT_IMPLEMENTED,
   * INSUFFICIENT_CREDITS, CONFLICT.
   */
  start(options: CrawlOptions, caller: CrawlCaller): Promise<StartedCrawl>;
  /** Returns how the prompt of a crawl would be interpreted. */
  previewCrawl(
    request: CrawlPreviewRequest,
    caller: PromptCaller,
  ): Promise<{ readonly url: string; readonly proposal: Proposal }>;
  /** Returns the running crawls of the account, oldest first. */
  active(identity: Identity): Promise<ActiveJob[]>;
};

export type Batches = PageJobs & {
  /** Starts a batch, or appends to the one that `appendToId` names (CONFLICT when it has ended). */
  start(options: BatchOptions, caller: JobCaller): Promise<StartedBatch>;
};

export type MapCaller = JobCaller & { readonly signal: AbortSignal };

export type MapResult = Pick<MapResponse, "id" | "links"> & {
  readonly warning: string | undefined;
};

/**
 * Returns the URLs of a site. Throws MAP_TIMEOUT, MAP_FAILED, BAD_REQUEST and the errors of
 * fetching the page.
 */
export type MapSite = (options: MapOptions, caller: MapCaller) => Promise<MapResult>;
