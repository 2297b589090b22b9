// The stored job: its request, its state and counters, and its run.
import type { Kysely, Selectable } from "kysely";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import type { Webhook } from "../../contract/jobs/webhook.ts";
import type { ErrorRecord } from "../../errors.ts";
import type { HoldEntry } from "../accounts/ledger.ts";
import type { Tables } from "../database/schema.ts";

export type NewJob = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** Its name in the registry of kinds, such as crawl. */
  readonly kind: string;
  /** The start URL of a crawl; null for kinds without one start URL. */
  readonly url: string | null;
  /** The validated options for the workers. JSON. */
  readonly options: unknown;
  /** Maximum documents; null means unlimited. */
  readonly limit: number | null;
  /** Maximum pages in progress over all workers. */
  readonly maxConcurrency: number;
  /** The credit hold that ends with the job. */
  readonly hold: HoldEntry | null;
  /** The span that started it (W3C Trace Context); null without tracing. */
  readonly traceparent?: string | null;
  readonly webhook: Webhook | null;
  readonly zeroDataRetention: boolean;
  /** While true, its run or a sitemap is in progress, so an empty frontier does not end the job. */
  readonly seeding: boolean;
  /** Work that one process at a time does under a lease; missing for jobs that only have pages. */
  readonly run?: NewRun;
  /** Before it ends, pages that only an earlier crawl saw are checked; the job is seeding then. */
  readonly revisits?: boolean;
  /** Warnings for the caller, from the start. */
  readonly warnings?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /**
   * Until when it is readable; a running job never expires. After its end it is readable as long
   * again, with zero data retention at most an hour.
   */
  readonly expiresAt: number;
};

export type NewRun = {
  /** When it can be claimed first, milliseconds since the epoch. */
  readonly dueAt: number;
  /**
   * The schedule that started it, and the time it was planned for: a job with the same pair is made
   * once.
   */
  readonly schedule?: { readonly id: string; readonly at: number };
};

/** Saved progress of a run and its final result. JSON of its kind. */
export type JobRun = {
  readonly progress: unknown;
  readonly result: unknown;
  /** Attempts begun. */
  readonly attempts: number;
  readonly scheduleId: string | null;
};

export type JobCounters = {
  /** To be fetched or in progress. */
  readonly pending: number;
  /** Documents in the results. */
  readonly completed: number;
  /** Pages with an error instead of a document. */
  readonly failed: number;
  /** URLs beyond the limit, promoted when a page gives no document. */
  readonly held: number;
  /** URLs seen, with any outcome. */
  readonly discovered: number;
  readonly robotsBlocked: number;
  readonly creditsUsed: number;
};

export type JobRecord = Omit<NewJob, "run" | "warnings"> &
  JobCounters & {
    readonly state: JobStatus;
    /** Null for a job that only has pages. */
    readonly work: JobRun | null;
    /** True if it is seeding to check pages of an earlier crawl. */
    readonly isRevisiting?: boolean;
    readonly completedAt: number | null;
    /** Set when the job failed as a whole. */
    readonly error: ErrorRecord | null;
    /** Warnings for the caller, in order. */
    readonly warnings: readonly string[];
    /** The credits of the ended job are settled. */
    readonly settled: boolean;
  };

type Run = Selectable<Tables["job_runs"]>;
type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };
type JobRow = Selectable<Tables["jobs"]> &
  Selectable<Tables["job_progress"]> &
  Nullable<Pick<Run, "run_kind" | "progress" | "result" | "attempts" | "schedule_id">>;

export function toJobRecord(row: JobRow): JobRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    kind: row.kind,
    url: row.url,
    options: row.options,
    limit: row.page_limit,
    maxConcurrency: row.max_concurrency,
    hold: row.hold as HoldEntry | null,
    traceparent: row.traceparent,
    webhook: row.webhook as Webhook | null,
    zeroDataRetention: row.zero_data_retention,
    seeding: row.seeding,
    ...(row.revisit === "running" && { isRevisiting: true }),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    pending: row.pending,
    completed: row.completed,
    failed: row.failed,
    held: row.held,
    discovered: row.discovered,
    robotsBlocked: row.robots_blocked,
    creditsUsed: row.credits_used,
    state: row.state,
    completedAt: row.completed_at,
    error: row.error as ErrorRecord | null,
    warnings: row.warnings,
    settled: row.settled,
    work:
      row.run_kind === null
        ? null
        : {
            progress: row.progress,
            result: row.result,
            attempts: row.attempts ?? 0,
            scheduleId: row.schedule_id,
          },
  };
}

/** Jobs with their progress and, where they have one, their run. */
export const selectJobs = (kysely: Kysely<Tables>) =>
  kysely
    .selectFrom("jobs")
    .innerJoin("job_progress", "job_progress.job_id", "jobs.id")
    .leftJoin("job_runs", "job_runs.job_id", "jobs.id")
    .selectAll(["jobs", "job_progress"])
    .select([
      "job_runs.run_kind",
      "job_runs.progress",
      "job_runs.result",
      "job_runs.attempts",
      "job_runs.schedule_id",
    ]);
