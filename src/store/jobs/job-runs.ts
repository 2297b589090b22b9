// The runs of jobs: work that one process at a time does for a job, under a lease. A run is due at
// a time. A claim moves that time to the end of its lease and renewals move it on, so the run of a
// killed process is due again when the lease ends. Writes after losing the lease are refused.
import { sql, type Kysely, type Transaction } from "kysely";
import type { ErrorRecord } from "../../errors.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import {
  announce,
  closeRun,
  endJob,
  endSeeding,
  openDraft,
  writeDraft,
  type Draft,
  type JobChange,
} from "./job-change.ts";
import {
  selectJobs,
  toJobRecord,
  type JobCounters,
  type JobRecord,
  type NewJob,
  type NewRun,
} from "./job-record.ts";

export type RunLease = { readonly worker: string; readonly leaseMs: number };

/** End of a job, as reported by its run. */
export type JobEnd = {
  readonly state: "completed" | "failed" | "cancelled";
  readonly result?: unknown;
  readonly error?: ErrorRecord | undefined;
  /** Added to the warnings of the job. */
  readonly warning?: string | undefined;
  /** Replaces the credits counted while it ran. */
  readonly creditsUsed?: number;
  /** Data of the final event. */
  readonly eventData?: (job: { readonly creditsUsed: number }) => unknown;
};

export type RunCounters = Partial<
  Pick<JobCounters, "pending" | "completed" | "failed" | "creditsUsed">
>;

export type RunEvent = {
  /** Short name, such as `action`. */
  readonly event: string;
  readonly data?: unknown;
  readonly error?: string;
};

export type RunSave = {
  readonly progress: unknown;
  readonly counters?: RunCounters | undefined;
  /** For the job's webhook, if it subscribes to it. */
  readonly event?: RunEvent | undefined;
};

export type JobRunStore = {
  /** Takes due runs of a kind, the longest waiting first. Each claim is an attempt. */
  claim(
    wanted: { readonly kind: string; readonly max: number; readonly except?: readonly string[] },
    lease: RunLease,
    now: number,
  ): Promise<JobRecord[]>;
  /** Returns the kinds that have due runs. */
  listDue(kinds: readonly string[], now: number): Promise<string[]>;
  /** Prolongs leases; the ids of those that the worker still has. */
  renew(ids: readonly string[], lease: RunLease, now: number): Promise<string[]>;
  /** Releases the run from `dueAt` on; an uncounted attempt is taken back. */
  release(
    id: string,
    worker: string,
    given: { readonly dueAt: number; readonly counts: boolean },
  ): Promise<void>;
  /** Releases all leases; only for a process that has the database to itself. */
  releaseAll(now: number): Promise<void>;
  /**
   * Saves the progress and its event in one transaction: a killed process loses neither or both.
   * False when another worker has the run, or the job has ended.
   */
  save(id: string, worker: string, save: RunSave, now: number): Promise<boolean>;
  /** Ends a running job; false when it has ended. Without `worker`, for any holder of the lease. */
  end(id: string, end: JobEnd, now: number, worker?: string): Promise<boolean>;
  /**
   * Ends the run; its job continues to its last page, which may already be fetched. Undefined when
   * another worker has it, or the job has ended.
   */
  finish(id: string, worker: string, now: number): Promise<JobChange | undefined>;
  /**
   * Makes a run due for each job created before `createdBefore` that waits for one and has none.
   * Older versions kept such work in another queue.
   */
  adoptOldJobs(createdBefore: number, now: number): Promise<void>;
};

/** False when a job of the same schedule and time exists. */
export async function insertRun(
  transaction: Kysely<Tables>,
  { id, kind }: NewJob,
  { dueAt, schedule }: NewRun,
): Promise<boolean> {
  const made = await sql<{ job_id: string }>`
    insert into job_runs (job_id, run_kind, due_at, schedule_id, scheduled_for)
    values (${id}::uuid, ${kind}, ${dueAt}::bigint, ${schedule?.id ?? null}::uuid, ${schedule?.at ?? null}::bigint)
    on conflict do nothing returning job_id`.execute(transaction);
  return made.rows.length > 0;
}

/**
 * Changes a running job in a transaction for the worker that has its run; undefined for other
 * workers.
 */
export async function changeRun(
  transaction: Transaction<Tables>,
  id: string,
  worker: string | undefined,
  now: number,
): Promise<Draft | undefined> {
  const draft = await openDraft(transaction, id, now);
  if (draft?.progress.state !== "scraping") return undefined;
  if (worker === undefined) return draft;
  const run = await transaction
    .selectFrom("job_runs")
    .select("worker")
    .where("job_id", "=", id)
    .executeTakeFirst();
  return run?.worker === worker ? draft : undefined;
}

const toSqlList = (ids: readonly string[]) =>
  sql`(select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))`;

export function createJobRunStore(kysely: Kysely<Tables>): JobRunStore {
  return {
    async claim({ kind, max, except = [] }, { worker, leaseMs }, now) {
      const claimed = await sql<{ job_id: string }>`
        update job_runs set worker = ${worker}, due_at = ${now + leaseMs}::bigint, attempts = attempts + 1
        where job_id in (
          select job_id from job_runs
          where run_kind = ${kind} and due_at <= ${now}::bigint and job_id not in ${toSqlList(except)}
          order by due_at limit ${max}::integer for update skip locked
        ) returning job_id`.execute(kysely);
      if (claimed.rows.length === 0) return [];
      const ids = claimed.rows.map(({ job_id: id }) => id);
      const rows = await selectJobs(kysely).where("jobs.id", "in", ids).execute();
      return rows.map(toJobRecord).filter(({ state }) => state === "scraping");
    },
    async listDue(kinds, now) {
      const found = await sql<{ kind: string }>`
        select name as kind from json_array_elements_text(${JSON.stringify(kinds)}::json) as given (name)
        where exists (select 1 from job_runs where run_kind = name and due_at <= ${now}::bigint)`.execute(
        kysely,
      );
      return found.rows.map(({ kind }) => kind);
    },
    async renew(ids, { worker, leaseMs }, now) {
      if (ids.length === 0) return [];
      const kept = await sql<{ job_id: string }>`
        update job_runs set due_at = ${now + leaseMs}::bigint
        where job_id in ${toSqlList(ids)} and worker = ${worker} and due_at is not null returning job_id`.execute(
        kysely,
      );
      return kept.rows.map(({ job_id: id }) => id);
    },
    async release(id, worker, { dueAt, counts }) {
      await sql`update job_runs set worker = null, due_at = ${dueAt}::bigint,
          attempts = attempts - ${counts ? 0 : 1}::integer
        where job_id = ${id}::uuid and worker = ${worker} and due_at is not null`.execute(kysely);
    },
    async releaseAll(now) {
      await sql`update job_runs set worker = null, due_at = ${now}::bigint
        where due_at is not null and worker is not null`.execute(kysely);
    },
    save: (id, worker, { progress, counters = {}, event }, now) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await changeRun(transaction, id, worker, now);
        if (draft === undefined) return false;
        const { creditsUsed, ...counted } = counters;
        Object.assign(draft.progress, counted);
        if (creditsUsed !== undefined) draft.progress.credits_used = creditsUsed;
        if (event !== undefined) announce(draft, event.event, event);
        await writeDraft(transaction, draft);
        await sql`update job_runs set progress = ${toStorableJson(progress)}::json
          where job_id = ${id}::uuid`.execute(transaction);
        return true;
      }),
    end: (id, end, now, worker) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await changeRun(transaction, id, worker, now);
        if (draft === undefined) return false;
        const { state, result, error, warning, creditsUsed, eventData } = end;
        if (creditsUsed !== undefined) draft.progress.credits_used = creditsUsed;
        endJob(draft, state, error, eventData?.({ creditsUsed: draft.progress.credits_used }));
        await writeDraft(transaction, draft);
        if (result !== undefined)
          await sql`update job_runs set result = ${toStorableJson(result)}::json
            where job_id = ${id}::uuid`.execute(transaction);
        if (warning !== undefined)
          await sql`update job_progress set warnings = warnings || ${toStorableJson([warning])}::jsonb
            where job_id = ${id}::uuid`.execute(transaction);
        return true;
      }),
    finish: (id, worker, now) =>
      kysely.transaction().execute(async (transaction) => {
        const draft = await changeRun(transaction, id, worker, now);
        if (draft === undefined) return undefined;
        await closeRun(draft).execute(transaction);
        const ended = endSeeding(draft);
        await writeDraft(transaction, draft);
        const { revisits, progress } = draft;
        return { state: progress.state, ended, ...(revisits && { revisits }) };
      }),
    async adoptOldJobs(createdBefore, now) {
      await sql`insert into job_runs (job_id, run_kind, due_at)
        select job_id, job_kind, ${now}::bigint from job_progress join jobs on jobs.id = job_id
        where state = 'scraping' and seeding and created_at < ${createdBefore}::bigint
          and not exists (select 1 from job_runs as run where run.job_id = job_progress.job_id and due_at is not null)
        on conflict (job_id) do update set due_at = excluded.due_at, attempts = 0`.execute(kysely);
    },
  };
}
