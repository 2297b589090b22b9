// The load over time: a sample of each process and one of what all of them share, for each minute
// of the last day and for each quarter of an hour of the last 30 days. Of several samples the
// highest gauge is kept, so that short peaks stay visible; counts are added.
import { sql, type Kysely } from "kysely";
import type { Tables } from "./database/schema.ts";
import { selectOldest } from "./jobs/backlog.ts";
import { LOAD_STEPS } from "./load-steps.ts";

/** A size of the blobs is repeated this long until the next listing. */
const MAX_BLOB_AGE_MS = 2 * 60 * 60_000;

/** The load of one process. */
export type ProcessLoad = {
  readonly memoryBytes: number;
  /** Browser pages in use, and URLs that wait for one. */
  readonly browserPages: number;
  readonly browserWaiting: number;
  /** Scrapes and pages of jobs that ended within `coveredMs`. */
  readonly scrapes: number;
  readonly jobPages: number;
  readonly coveredMs: number;
};

export type ProcessSample = ProcessLoad & { readonly at: number };

/** The load that all processes share. */
export type ServiceSample = {
  readonly at: number;
  readonly databaseBytes: number;
  /** Null until the blobs have been listed. */
  readonly blobBytes: number | null;
  /** Age of the oldest URL that waits to be fetched; 0 without any. */
  readonly crawlQueueAgeMs: number;
  readonly batchQueueAgeMs: number;
};

export type BlobSize = { readonly bytes: number; readonly measuredAt: number };

export type NewLoadSample = {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Name of the process, which its next start has as well. */
  readonly process: string;
  readonly role: string;
  readonly load: ProcessLoad;
  /** The size of all blobs if this process has just measured it. */
  readonly blobs: BlobSize | undefined;
};

export type StoredLoadSample = {
  /** False if the process already has a sample of this minute. */
  readonly isStored: boolean;
  /** True for the one process that stored the shared sample of this minute. */
  readonly isShared: boolean;
  /** When the blobs were last measured; undefined if unknown or long ago. */
  readonly blobsMeasuredAt: number | undefined;
};

export type LoadHistory = {
  readonly processes: readonly {
    readonly name: string;
    readonly role: string;
    /** Ascending, without periods in which the process did not run. */
    readonly samples: readonly ProcessSample[];
  }[];
  readonly service: readonly ServiceSample[];
};

export type LoadSampleStore = {
  /** Stores a sample. One statement. */
  record(sample: NewLoadSample): Promise<StoredLoadSample>;
  /**
   * Reads samples from `from` (inclusive) to `to` (exclusive), combined into periods of `stepMs`: a
   * multiple of the stored step `of`.
   */
  read(range: {
    readonly from: number;
    readonly to: number;
    readonly stepMs: number;
    readonly of: keyof typeof LOAD_STEPS;
  }): Promise<LoadHistory>;
};

const PROCESS_COLUMNS = sql.raw(
  "step_ms, at, process, role, covered_ms, memory_bytes, browser_pages, browser_waiting, scrapes, job_pages",
);
const SERVICE_COLUMNS = sql.raw(
  "step_ms, at, database_bytes, blob_bytes, blobs_measured_at, crawl_queue_age_ms, batch_queue_age_ms",
);

const startOf = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs;

/**
 * Stores the sample of the process and, if no other process has done so, the shared one of this
 * minute. Both are added to those of the quarter of an hour. The size of the database and the
 * age of the queue are only read by the process that stores them.
 */
function buildInsert({ at: time, process, role, load, blobs }: NewLoadSample) {
  const [step, longStep] = [LOAD_STEPS.short.stepMs, LOAD_STEPS.long.stepMs];
  const at = sql`${startOf(time, step)}::bigint`;
  const longAt = sql`${startOf(time, longStep)}::bigint`;
  const bytes = sql`${blobs?.bytes ?? null}::bigint`;
  const measuredAt = sql`${blobs?.measuredAt ?? null}::bigint`;
  const age = (kind: string) =>
    sql`coalesce((select greatest(0, ${time}::bigint - "oldestAt") from oldest where kind = ${sql.lit(kind)}), 0)`;
  return sql<{ stored: number; shared: number; measured: number | null }>`
    with oldest as (${selectOldest}),
    newest as (
      select blob_bytes, blobs_measured_at from (
        select blob_bytes, blobs_measured_at from service_samples
        where step_ms = ${sql.lit(step)} and at < ${at} order by at desc limit 1) as before
      where blobs_measured_at > ${time - MAX_BLOB_AGE_MS}::bigint
    ),
    own as (
      insert into process_samples (${PROCESS_COLUMNS}) values (${sql.lit(step)}, ${at}, ${process}, ${role},
        ${load.coveredMs}::bigint, ${load.memoryBytes}::bigint, ${load.browserPages}::integer,
        ${load.browserWaiting}::integer, ${load.scrapes}::bigint, ${load.jobPages}::bigint)
      on conflict do nothing returning *
    ),
    own_long as (
      insert into process_samples as known (${PROCESS_COLUMNS})
      select ${sql.lit(longStep)}, ${longAt}, process, role, covered_ms, memory_bytes, browser_pages,
        browser_waiting, scrapes, job_pages from own
      on conflict (step_ms, at, process) do update set
        role = excluded.role,
        covered_ms = known.covered_ms + excluded.covered_ms,
        memory_bytes = greatest(known.memory_bytes, excluded.memory_bytes),
        browser_pages = greatest(known.browser_pages, excluded.browser_pages),
        browser_waiting = greatest(known.browser_waiting, excluded.browser_waiting),
        scrapes = known.scrapes + excluded.scrapes,
        job_pages = known.job_pages + excluded.job_pages
    ),
    shared as (
      insert into service_samples (${SERVICE_COLUMNS})
      select ${sql.lit(step)}, ${at}, pg_database_size(current_database()),
        coalesce(${bytes}, (select blob_bytes from newest)),
        coalesce(${measuredAt}, (select blobs_measured_at from newest)),
        ${age("crawl")}, ${age("batch_scrape")}
      where ${bytes} is not null
        or not exists (select 1 from service_samples where step_ms = ${sql.lit(step)} and at = ${at})
      on conflict (step_ms, at) do update
        set blob_bytes = excluded.blob_bytes, blobs_measured_at = excluded.blobs_measured_at
        where ${bytes} is not null
      returning *
    ),
    shared_long as (
      insert into service_samples as known (${SERVICE_COLUMNS})
      select ${sql.lit(longStep)}, ${longAt}, database_bytes, blob_bytes, blobs_measured_at,
        crawl_queue_age_ms, batch_queue_age_ms from shared
      on conflict (step_ms, at) do update set
        database_bytes = greatest(known.database_bytes, excluded.database_bytes),
        blob_bytes = greatest(known.blob_bytes, excluded.blob_bytes),
        blobs_measured_at = greatest(known.blobs_measured_at, excluded.blobs_measured_at),
        crawl_queue_age_ms = greatest(known.crawl_queue_age_ms, excluded.crawl_queue_age_ms),
        batch_queue_age_ms = greatest(known.batch_queue_age_ms, excluded.batch_queue_age_ms)
    )
    select (select count(*) from own) as stored, (select count(*) from shared) as shared,
      (select blobs_measured_at from shared) as measured`;
}

export function createLoadSampleStore(kysely: Kysely<Tables>): LoadSampleStore {
  return {
    async record(sample) {
      const { rows } = await buildInsert(sample).execute(kysely);
      const [row] = rows;
      return {
        isStored: Number(row?.stored) > 0,
        isShared: Number(row?.shared) > 0,
        blobsMeasuredAt: row?.measured ?? undefined,
      };
    },
    async read({ from, to, stepMs, of }) {
      const period = sql`at / ${sql.lit(stepMs)} * ${sql.lit(stepMs)}`;
      const within = sql`step_ms = ${sql.lit(LOAD_STEPS[of].stepMs)}
        and at >= ${startOf(from, stepMs)}::bigint and at < ${to}::bigint`;
      const own = await sql<ProcessSample & { name: string; role: string }>`
        select process as name, min(role) as role, ${period} as at, sum(covered_ms)::bigint as "coveredMs",
          max(memory_bytes) as "memoryBytes", max(browser_pages) as "browserPages",
          max(browser_waiting) as "browserWaiting", sum(scrapes)::bigint as scrapes,
          sum(job_pages)::bigint as "jobPages"
        from process_samples where ${within} group by 1, 3 order by 1, 3`.execute(kysely);
      const shared = await sql<ServiceSample>`
        select ${period} as at, max(database_bytes) as "databaseBytes", max(blob_bytes) as "blobBytes",
          max(crawl_queue_age_ms) as "crawlQueueAgeMs", max(batch_queue_age_ms) as "batchQueueAgeMs"
        from service_samples where ${within} group by 1 order by 1`.execute(kysely);
      const byProcess = Map.groupBy(own.rows, ({ name }) => name);
      return {
        processes: Array.from(byProcess, ([name, rows]) => ({
          name,
          role: rows.at(-1)?.role ?? "",
          samples: rows.map(({ name: _name, role: _role, ...sample }) => sample),
        })),
        service: shared.rows,
      };
    },
  };
}

/** Removes samples that have been kept long enough. One statement. */
export async function removeOldSamples(kysely: Kysely<Tables>, now: number): Promise<void> {
  const old = sql.join(
    Object.values(LOAD_STEPS).map(
      ({ stepMs, keptMs }) =>
        sql`(step_ms = ${sql.lit(stepMs)} and at < ${startOf(now - keptMs, stepMs)}::bigint)`,
    ),
    sql` or `,
  );
  await sql`
    with removed as (delete from process_samples where ${old})
    delete from service_samples where ${old}`.execute(kysely);
}
