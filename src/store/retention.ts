// Retention: results, jobs and files are removed when they expire, the oldest captures beyond the
// cache size, activity and idempotency keys after a day, and blobs without a row after a grace
// period.
import { sql, type Kysely } from "kysely";
import type { Logger } from "../logger.ts";
import { BLOB_GRACE_MS, type BlobStore } from "./blobs/blobs.ts";
import { forgetHosts } from "./jobs/hosts.ts";
import { removeExpiredJobs } from "./jobs/job-removal.ts";
import type { LedgerStore } from "./accounts/ledger.ts";
import { removeOldSamples } from "./load-samples.ts";
import type { Tables } from "./database/schema.ts";
import { forgetCaptures, keepNewestPages } from "./search/search-pages.ts";
import { removeExpiredChecks } from "./monitors/monitor-checks.ts";
import type { Seals } from "./database/seals.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const ROWS_PER_BATCH = 500;
/** "qclean" as a number: one process cleans at a time. */
const LOCK = 0x71_63_6c_65;

export type CleanUpReport = {
  readonly scrapes: number;
  readonly captures: number;
  readonly jobs: number;
  readonly blobs: number;
  readonly holds: number;
};

export type Retention = {
  /**
   * Runs one pass. `now` is milliseconds since the epoch; `sweep` also looks for blobs without a
   * row after a crash.
   */
  cleanUp(options?: { now?: number; sweep?: boolean }): Promise<CleanUpReport>;
  /** Runs a pass every `intervalMs` until `close`, and the sweep once a day. */
  start(intervalMs?: number): void;
  close(): Promise<void>;
};

type Parts = {
  readonly kysely: Kysely<Tables>;
  readonly blobs: BlobStore;
  readonly seals: Seals;
  readonly ledger: LedgerStore;
  readonly log: Logger;
  readonly cacheMaxBytes: number;
  /** Maximum pages in the search index. */
  readonly searchIndexPages: number;
};

/**
 * Removes rows with `remove` in batches, each under the lock. Returns their number and the blobs
 * they referenced.
 */
async function removeRows(
  { kysely }: Parts,
  remove: (database: Kysely<Tables>) => Promise<{ ref: string | null }[]>,
): Promise<{ count: number; refs: string[] }> {
  const refs = new Set<string>();
  let count = 0;
  for (;;) {
    const rows = await kysely.transaction().execute(async (transaction) => {
      const lock = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(LOCK)}) as mine`.execute(transaction);
      return lock.rows[0]?.mine === true ? remove(transaction) : [];
    });
    count += rows.length;
    for (const { ref } of rows) if (ref !== null) refs.add(ref);
    if (rows.length < ROWS_PER_BATCH) return { count, refs: [...refs] };
  }
}

async function selectExpiredScrapes(database: Kysely<Tables>, now: number) {
  return database
    .deleteFrom("scrapes")
    .where("id", "in", (select) =>
      select
        .selectFrom("scrapes")
        .select("id")
        .where("expires_at", "<=", now)
        .limit(ROWS_PER_BATCH),
    )
    .returning("document_ref as ref")
    .execute();
}

async function selectExpiredFiles(database: Kysely<Tables>, now: number) {
  return database
    .deleteFrom("kept_files")
    .where("ref", "in", (select) =>
      select
        .selectFrom("kept_files")
        .select("ref")
        .where("keep_until", "<=", now)
        .limit(ROWS_PER_BATCH),
    )
    .returning("ref")
    .execute();
}

/** Counts of pages are kept for 13 months, one more than the console shows. */
const PAGE_USAGE_TTL_MS = 400 * DAY_MS;

/** Rows that are kept for a day. */
async function selectEarlierDays(
  database: Kysely<Tables>,
  table: "activity" | "uploads" | "idempotency_keys",
  now: number,
) {
  const { rows } = await sql<{ ref: null }>`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where created_at < ${now - DAY_MS}::bigint limit ${sql.lit(ROWS_PER_BATCH)}
    )) returning null as ref`.execute(database);
  return rows;
}

/**
 * Number of captures whose sizes one statement sums. The embedded database blocks the event loop
 * meanwhile.
 */
const MAX_SUMMED_CAPTURES = 5_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Returns the newest capture that does not fit into `maxBytes` together with all newer ones;
 * undefined if all fit. Ids are in order of time (UUID version 7).
 */
async function findFirstExcessCapture(
  database: Kysely<Tables>,
  maxBytes: number,
): Promise<string | undefined> {
  let before = LAST_ID;
  let bytesLeft = maxBytes;
  for (;;) {
    const newest = sql`
      select id, size_bytes from captures where id < ${before}::uuid order by id desc limit ${sql.lit(MAX_SUMMED_CAPTURES)}`;
    const added = await sql<{ oldest: string | null; bytes: number }>`
      select min(id::text) as oldest, coalesce(sum(size_bytes), 0)::double precision as bytes
      from (${newest}) as newest`.execute(database);
    const { oldest = null, bytes = 0 } = added.rows[0] ?? {};
    if (oldest === null) return undefined;
    if (bytes > bytesLeft) {
      const { rows } = await sql<{ id: string }>`
        select id from (
          select id, sum(size_bytes) over (order by id desc) as bytes_to_here from (${newest}) as newest
        ) as aged where bytes_to_here > ${bytesLeft}::bigint order by id desc limit 1`.execute(
        database,
      );
      return rows[0]?.id;
    }
    bytesLeft -= bytes;
    before = oldest;
  }
}

/**
 * Returns the removal of the next of the oldest captures up to and including `last`. It continues
 * after the previous ones, because a search from the start would read all removed rows.
 */
function evictCaptures(last: string) {
  let after = FIRST_ID;
  return async (database: Kysely<Tables>) => {
    const evicted = await sql<{ id: string; ref: string | null; key: string }>`
    delete from captures where id = any(array(
      select id from captures where id > ${after}::uuid and id <= ${last}::uuid
      order by id limit ${sql.lit(ROWS_PER_BATCH)}
    )) returning id, body_ref as ref, cache_key as key`.execute(database);
    for (const { id } of evicted.rows) if (id > after) after = id;
    await forgetCaptures(
      database,
      evicted.rows.map(({ key }) => key),
    );
    return evicted.rows;
  };
}

/** Returns those of `refs` that no row references. */
async function selectUnreferenced(
  database: Kysely<Tables>,
  refs: readonly string[],
): Promise<string[]> {
  if (refs.length === 0) return [];
  const free = await sql<{ ref: string }>`
    select ref from json_array_elements_text(${JSON.stringify(refs)}::json) as given (ref)
    where not exists (select 1 from scrapes where document_ref = ref)
      and not exists (select 1 from captures where body_ref = ref)
      and not exists (select 1 from change_versions where body_ref = ref)
      and not exists (select 1 from monitor_versions where body_ref = ref)
      and not exists (select 1 from results where document_ref = ref)
      and not exists (select 1 from jobs where seal_ref = ref)
      and not exists (select 1 from kept_files where kept_files.ref = given.ref)`.execute(database);
  return free.rows.map(({ ref }) => ref);
}

async function removeBlobs(
  { kysely, blobs }: Parts,
  refs: readonly string[],
  now: number,
): Promise<number> {
  const free = await selectUnreferenced(kysely, refs);
  for (const ref of free) await blobs.delete(ref, { putBefore: now - BLOB_GRACE_MS });
  return free.length;
}

/** Finds blobs without a row: a process ended between storing the blob and committing the row. */
async function sweepBlobs(parts: Parts, now: number): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  for await (const { ref, putAt } of parts.blobs.list()) {
    if (putAt >= now - BLOB_GRACE_MS) continue;
    batch.push(ref);
    if (batch.length < ROWS_PER_BATCH) continue;
    removed += await removeBlobs(parts, batch, now);
    batch = [];
  }
  return removed + (await removeBlobs(parts, batch, now));
}

/** Creates the clean-up of a store. The starter closes it. */
export function createRetention(parts: Parts): Retention {
  const { kysely, seals, ledger, log, cacheMaxBytes } = parts;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let sweptAt = 0;

  async function cleanUp({ now = Date.now(), sweep = false } = {}): Promise<CleanUpReport> {
    const scrapes = await removeRows(parts, (database) => selectExpiredScrapes(database, now));
    const beyond = await findFirstExcessCapture(kysely, cacheMaxBytes);
    const captures =
      beyond === undefined
        ? { count: 0, refs: [] }
        : await removeRows(parts, evictCaptures(beyond));
    await keepNewestPages(kysely, parts.searchIndexPages, sweep);
    const files = await removeRows(parts, (database) => selectExpiredFiles(database, now));
    const jobs = await removeExpiredJobs(kysely, seals, (remove) => removeRows(parts, remove), now);
    for (const ref of jobs.shredded) await parts.blobs.delete(ref);
    await removeExpiredChecks(kysely, now);
    await forgetHosts(kysely, now);
    await sql`delete from page_usage where hour < ${now - PAGE_USAGE_TTL_MS}::bigint`.execute(
      kysely,
    );
    await removeOldSamples(kysely, now);
    for (const table of ["activity", "uploads", "idempotency_keys"] as const)
      await removeRows(parts, (database) => selectEarlierDays(database, table, now));
    const blobs =
      (await removeBlobs(
        parts,
        [...scrapes.refs, ...captures.refs, ...files.refs, ...jobs.refs],
        now,
      )) + (sweep ? await sweepBlobs(parts, now) : 0);
    const holds = await ledger.releaseExpired(now);
    return { scrapes: scrapes.count, captures: captures.count, jobs: jobs.count, blobs, holds };
  }

  async function pass(): Promise<void> {
    const now = Date.now();
    const sweep = now - sweptAt > DAY_MS;
    try {
      const report = await cleanUp({ now, sweep });
      if (sweep) sweptAt = now;
      log.debug({ report }, "cleaned up");
    } catch (error) {
      log.warn({ error }, "clean-up failed; the next pass tries again");
    }
  }

  return {
    cleanUp,
    start(intervalMs = 5 * 60 * 1000) {
      timer ??= setInterval(() => {
        running = running.then(pass);
      }, intervalMs).unref();
    },
    async close() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
