// Jobs over many URLs: a crawl finds its URLs, a batch is given them. States: scraping -> completed | failed | cancelled;
// a job that has ended never changes its state again. Every change of a job's pages and counters happens under the lock
// of its row, so counters, sequences and the limit are exact however many workers there are.
import type { JobStatus } from "../contract/crawl.ts";
import type { Webhook } from "../contract/webhook.ts";
import type { ErrorRecord } from "../errors.ts";
import type { FoundUrl } from "./frontier.ts";
import type { HoldEntry } from "./ledger.ts";

export type JobKind = "crawl" | "batch_scrape";

export type NewJob = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly kind: JobKind;
  /** Where a crawl starts; null for a batch. */
  readonly url: string | null;
  /** The checked options: what the workers read. JSON. */
  readonly options: unknown;
  /** Documents at most; null is without end. */
  readonly limit: number | null;
  /** Pages in work at once, over all workers. */
  readonly maxConcurrency: number;
  /** The reservation of credits that ends with the job. */
  readonly hold: HoldEntry | null;
  readonly webhook: Webhook | null;
  readonly zeroDataRetention: boolean;
  /** While true, URLs are still to come from elsewhere (a sitemap), so an empty frontier does not end the job. */
  readonly seeding: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type JobCounters = {
  /** To be fetched or being fetched. */
  readonly pending: number;
  /** Documents in the results. */
  readonly completed: number;
  /** Pages that gave no document but an error. */
  readonly failed: number;
  /** URLs beyond the limit, promoted when a page gives no document. */
  readonly held: number;
  /** URLs seen, whatever became of them. */
  readonly discovered: number;
  readonly robotsBlocked: number;
  readonly creditsUsed: number;
};

export type JobRecord = NewJob &
  JobCounters & {
    readonly state: JobStatus;
    readonly completedAt: number | null;
    /** Of a job that failed as a whole. */
    readonly error: ErrorRecord | null;
    /** What the caller should know, in the order in which it was noted. */
    readonly warnings: readonly string[];
    /** The credits of a job that has ended are accounted for. */
    readonly settled: boolean;
  };

/** What became of a change that may have ended the job. */
export type JobChange = {
  /** After the change. */
  readonly state: JobStatus;
  /** True for exactly one call in the life of a job: the one that ended it. */
  readonly ended: boolean;
};

export type JobStore = {
  /** Keeps a job with its first URLs and its `started` event in one transaction. At most some thousand URLs: see `add`. */
  create(job: NewJob, first: readonly FoundUrl[]): Promise<void>;
  /** Undefined when unknown or expired. */
  load(id: string, now?: number): Promise<JobRecord | undefined>;
  /** The job lives on until `expiresAt`; written only when that gains more than a minute. */
  refresh(id: string, expiresAt: number): Promise<void>;
  /** Running jobs of an account, oldest first. */
  active(accountId: string, kind: JobKind): Promise<JobRecord[]>;
  /** Running jobs whose seeding has not ended, of all accounts: after a crash somebody must go on with them. */
  seeding(): Promise<JobRecord[]>;
  /** No more URLs come from elsewhere; a job with nothing to fetch is completed by this. */
  endSeeding(id: string, now: number): Promise<JobChange>;
  /** Ends a running job. Pages in work are dropped, results stay. An ended job stays as it is. */
  cancel(id: string, now: number): Promise<JobChange>;
  /** Ends a running job with an error. */
  fail(id: string, error: ErrorRecord, now: number): Promise<JobChange>;
  /** Notes something for the caller, once. */
  warn(id: string, warning: string): Promise<void>;
  /** Adds to the credits of a running job what is not the price of a page. */
  charge(id: string, credits: number): Promise<void>;
  /** Jobs that ended and whose credits nobody accounted for yet: after a crash too. At most 100. */
  unsettled(): Promise<JobRecord[]>;
  markSettled(id: string): Promise<void>;
};
