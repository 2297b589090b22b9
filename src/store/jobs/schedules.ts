// Schedules of jobs, one row each. A process takes the row under a lease before it starts a job,
// and plans the next time when the job is saved. If it is killed in between, the next process finds
// the existing job: a job with the same schedule and time is created once (job_runs_schedule).
import { sql, type Kysely } from "kysely";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import type { RunLease } from "./job-runs.ts";

export type Schedule = {
  /** UUID. */
  readonly id: string;
  readonly accountId: string;
  /** The key that pays for its jobs. */
  readonly keyId: string;
  readonly kind: string;
  /** JSON of the kind. */
  readonly options: unknown;
  /** Milliseconds since the epoch; null while nothing is planned. */
  readonly nextAt: number | null;
  readonly createdAt: number;
};

export type DueSchedule = Schedule & {
  /** The planned time. */
  readonly nextAt: number;
  /** A job that it started earlier has not ended. */
  readonly isRunning: boolean;
};

export type ScheduleStore = {
  /** Writes a schedule, or replaces it. */
  save(schedule: Schedule): Promise<void>;
  load(id: string): Promise<Schedule | undefined>;
  /** Removes the schedule; its jobs stay. */
  remove(id: string): Promise<void>;
  /** Claims due schedules, the longest waiting first. */
  claim(max: number, lease: RunLease, now: number): Promise<DueSchedule[]>;
  /**
   * Sets the next time after the start at `at`; no effect if another process or a change was
   * faster.
   */
  plan(id: string, worker: string, at: number, nextAt: number | null): Promise<void>;
};

type Row = {
  id: string;
  account_id: string;
  key_id: string;
  kind: string;
  options: unknown;
  next_at: number | null;
  created_at: number;
};

const toSchedule = (row: Row): Schedule => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  kind: row.kind,
  options: row.options,
  nextAt: row.next_at,
  createdAt: row.created_at,
});

export function createScheduleStore(kysely: Kysely<Tables>): ScheduleStore {
  return {
    async save({ id, accountId, keyId, kind, options, nextAt, createdAt }) {
      await sql`
        insert into schedules (id, account_id, key_id, kind, options, next_at, created_at)
        values (${id}::uuid, ${accountId}::uuid, ${keyId}::uuid, ${kind}, ${toStorableJson(options)}::jsonb,
          ${nextAt}::bigint, ${createdAt}::bigint)
        on conflict (id) do update set key_id = excluded.key_id, options = excluded.options,
          next_at = excluded.next_at, worker = null, leased_until = 0`.execute(kysely);
    },
    async load(id) {
      const row = await kysely
        .selectFrom("schedules")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? undefined : toSchedule(row);
    },
    async remove(id) {
      await kysely.deleteFrom("schedules").where("id", "=", id).execute();
    },
    async claim(max, { worker, leaseMs }, now) {
      const claimed = await sql<Row & { next_at: number; is_running: boolean }>`
        update schedules set worker = ${worker}, leased_until = ${now + leaseMs}::bigint
        where id in (
          select id from schedules where next_at <= ${now}::bigint and leased_until <= ${now}::bigint
          order by next_at limit ${max}::integer for update skip locked
        ) returning *, exists (
          select 1 from job_runs where schedule_id = schedules.id and due_at is not null
        ) as is_running`.execute(kysely);
      return claimed.rows.map((row) => ({
        ...toSchedule(row),
        nextAt: row.next_at,
        isRunning: row.is_running,
      }));
    },
    async plan(id, worker, at, nextAt) {
      await sql`update schedules set next_at = ${nextAt}::bigint, worker = null, leased_until = 0
        where id = ${id}::uuid and worker = ${worker} and next_at = ${at}::bigint`.execute(kysely);
    },
  };
}
