// What a job over many URLs looks like from outside: how it is started, read, cancelled. A crawl finds its URLs, a batch is
// given them; everything else is the same. The wire's spelling is made of this in http/.
import type { Identity } from "../account/identity.ts";
import type { BatchOptions } from "../contract/jobs/batch.ts";
import type { CrawlOptions, JobStatus } from "../contract/jobs/crawl.ts";
import type { CrawlPreviewRequest } from "../contract/jobs/crawl-preview.ts";
import type { ErrorCode } from "../contract/request/error-codes.ts";
import type { LedgerEntry, LedgerState } from "../contract/jobs/ledger.ts";
import type { MapOptions, MapResponse } from "../contract/page/map.ts";
import type { PromptCaller } from "./prompt/prompt-reader.ts";
import type { Proposal } from "./prompt/propose.ts";

export type JobKind = "crawl" | "batch_scrape";

/** Who asks, and on which request. */
export type JobCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The address of this server as the caller reaches it. */
  readonly base?: string | undefined;
  /** A UUID by which the caller says "this is the same request again". */
  readonly idempotencyKey?: string | undefined;
  /** Of the API the caller speaks, for the list of activity. */
  readonly apiVersion?: "v1" | "v2";
};

export type StartedJob = {
  readonly id: string;
  readonly warning: string | undefined;
};

export type CrawlCaller = JobCaller & {
  /** Names of the fields that the caller gave: they win over what a prompt says. */
  readonly given?: ReadonlySet<string> | undefined;
  /** Aborts when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
};

export type StartedCrawl = StartedJob & {
  /** What a prompt was taken for, and what the crawl runs with; of a crawl with a prompt. */
  readonly prompt?: {
    readonly generated: Readonly<Record<string, unknown>>;
    readonly final: Readonly<Record<string, unknown>>;
  };
};

export type StartedBatch = StartedJob & {
  /** In the order given; undefined when the caller wants them refused. */
  readonly invalidUrls: readonly string[] | undefined;
};

export type ResultRange = {
  /** Documents passed over. */
  readonly skip: number;
  /** Documents at most; undefined: as many as the contract puts on a page, or into a stream. */
  readonly limit: number | undefined;
};

/** Times in milliseconds since the epoch. */
export type JobReport = {
  readonly id: string;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** Pages accepted for scraping, less those that failed. */
  readonly total: number;
  readonly completed: number;
  readonly creditsUsed: number;
  readonly createdAt: number;
  readonly completedAt: number | undefined;
  readonly expiresAt: number;
  /** Of a job that failed as a whole. */
  readonly error: string | undefined;
  readonly warning: string | undefined;
};

/** A document as it is kept: JSON in UTF-8. Who only hands it on need not take it apart. */
export type DocumentJson = Uint8Array;

export type JobResults = JobReport & {
  /** In order of completion. */
  readonly documents: readonly DocumentJson[];
  /** Where the next page of results begins; undefined when there is none. */
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
  /** What there is beside what is given here. */
  readonly warning: string | undefined;
};

export type ActiveJob = {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly createdAt: number;
  /** As the caller gave them, defaults filled in; values of headers are left out. */
  readonly options: Readonly<Record<string, unknown>>;
};

export type LedgerRange = ResultRange & {
  /** Only URLs with this fate. */
  readonly fate: LedgerState | undefined;
};

export type LedgerPage = {
  readonly report: JobReport;
  /** URLs seen, those of the other fates too; the sums add up to it. */
  readonly total: number;
  readonly sums: Readonly<Partial<Record<LedgerState, number>>>;
  /** In the order in which they were seen. */
  readonly entries: readonly LedgerEntry[];
  readonly nextSkip: number | undefined;
};

/** What is said of a job that was there, in place of "Job not found" (wire contract 5.2). */
export const JOB_EXPIRED = "Job expired";

/** What a watcher is told, in order: `documents` as pages arrive, `ended` once. */
export type JobEvent =
  | { readonly type: "documents"; readonly documents: readonly DocumentJson[] }
  | { readonly type: "ended"; readonly report: JobReport };

/**
 * The use cases of one kind of job. All of them throw NOT_FOUND for an id that is unknown, expired, of another kind or of
 * another account.
 */
export type Jobs = {
  report(id: string, identity: Identity): Promise<JobReport>;
  /**
   * One page of results. At the current end of a running job it waits a little, until results arrive or `signal` aborts.
   */
  results(
    id: string,
    identity: Identity,
    range: ResultRange,
    signal: AbortSignal,
  ): Promise<JobResults>;
  /** Ends a running job; a finished one stays as it is. */
  cancel(id: string, identity: Identity): Promise<JobStatus>;
  failures(id: string, identity: Identity): Promise<JobFailures>;
  ledger(id: string, identity: Identity, range: LedgerRange): Promise<LedgerPage>;
  /** All entries, some at a time. */
  ledgerEntries(
    id: string,
    identity: Identity,
    fate: LedgerState | undefined,
  ): AsyncIterable<readonly LedgerEntry[]>;
  /** The documents of the range that are there, some at a time; all of them without a limit. */
  documents(
    id: string,
    identity: Identity,
    range: ResultRange,
  ): AsyncIterable<readonly DocumentJson[]>;
  /** Documents from `skip` on as they are finished, until the job has ended or `signal` aborts. */
  watch(
    id: string,
    identity: Identity,
    options: { readonly skip: number; readonly signal: AbortSignal },
  ): AsyncIterable<JobEvent>;
};

export type Crawls = Jobs & {
  /** The job can be read at once. Throws BAD_REQUEST, NOT_IMPLEMENTED, INSUFFICIENT_CREDITS, CONFLICT. */
  start(options: CrawlOptions, caller: CrawlCaller): Promise<StartedCrawl>;
  /** What the prompt of a crawl would be taken for. */
  preview(
    request: CrawlPreviewRequest,
    caller: PromptCaller,
  ): Promise<{ readonly url: string; readonly proposal: Proposal }>;
  /** Running crawls of the account, oldest first. */
  active(identity: Identity): Promise<ActiveJob[]>;
};

export type Batches = Jobs & {
  /** Starts a batch, or adds to the one `appendToId` names (CONFLICT when that has ended). */
  start(options: BatchOptions, caller: JobCaller): Promise<StartedBatch>;
};

export type MapCaller = JobCaller & { readonly signal: AbortSignal };

export type MapResult = Pick<MapResponse, "id" | "links"> & {
  readonly warning: string | undefined;
};

/** The URLs of a site. Throws MAP_TIMEOUT, MAP_FAILED, BAD_REQUEST and what fetching the page throws. */
export type MapSite = (options: MapOptions, caller: MapCaller) => Promise<MapResult>;
