// Retention: results, jobs and files are removed when they expire, the oldest captures beyond the
// cache size, activity and idempotency keys after a day, and blobs without a row after a grace
// period.
import { sql, type Kysely } from "kysely";
import type { Logger } from "../log.ts";
import { BLOB_GRACE_MS, type BlobStore } from "./blobs/blobs.ts";
import { forgetHosts } from "./jobs/hosts.ts";
import { removeExpiredJobs } from "./jobs/job-removal.ts";
import type { LedgerStore } from "./accounts/ledger.ts";
import type { Tables } from "./database/schema.ts";
import { forgetCaptures, keepNewestPages } from "./search/search-pages.ts";
import type { Seals } from "./database/seals.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const BATCH = 500;
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
    if (rows.length < BATCH) return { count, refs: [...refs] };
  }
}

async function expiredScrapes(database: Kysely<Tables>, now: number) {
  return database
    .deleteFrom("scrapes")
    .where("id", "in", (select) =>
      select.selectFrom("scrapes").select("id").where("expires_at", "<=", now).limit(BATCH),
    )
    .returning("document_ref as ref")
    .execute();
}

async function expiredFiles(database: Kysely<Tables>, now: number) {
  return database
    .deleteFrom("kept_files")
    .where("ref", "in", (select) =>
      select.selectFrom("kept_files").select("ref").where("keep_until", "<=", now).limit(BATCH),
    )
    .returning("ref")
    .execute();
}

/** The oldest captures beyond `maxBytes`, counted from the newest. */
async function evictedCaptures(database: Kysely<Tables>, maxBytes: number) {
  const evicted = await sql<{ ref: string | null; key: string }>`
    delete from captures where id in (
      select id from (
        select id, fetched_at, sum(size_bytes) over (order by fetched_at desc, id desc) as bytes_to_here from captures
      ) as aged where bytes_to_here > ${maxBytes}::bigint order by fetched_at limit ${sql.lit(BATCH)}
    ) returning body_ref as ref, cache_key as key`.execute(database);
  await forgetCaptures(
    database,
    evicted.rows.map(({ key }) => key),
  );
  return evicted.rows;
}

/** Returns those of `refs` that no row references. */
async function unreferenced(database: Kysely<Tables>, refs: readonly string[]): Promise<string[]> {
  if (refs.length === 0) return [];
  const free = await sql<{ ref: string }>`
    select ref from json_array_elements_text(${JSON.stringify(refs)}::json) as given (ref)
    where not exists (select 1 from scrapes where document_ref = ref)
      and not exists (select 1 from captures where body_ref = ref)
      and not exists (select 1 from change_versions where body_ref = ref)
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
  const free = await unreferenced(kysely, refs);
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
    if (batch.length < BATCH) continue;
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
    const scrapes = await removeRows(parts, (database) => expiredScrapes(database, now));
    const captures = await removeRows(parts, (database) =>
      evictedCaptures(database, cacheMaxBytes),
    );
    await keepNewestPages(kysely, parts.searchIndexPages, sweep);
    const files = await removeRows(parts, (database) => expiredFiles(database, now));
    const jobs = await removeExpiredJobs(kysely, seals, (remove) => removeRows(parts, remove), now);
    for (const ref of jobs.shredded) await parts.blobs.delete(ref);
    await forgetHosts(kysely, now);
    await kysely
      .deleteFrom("activity")
      .where("created_at", "<", now - DAY_MS)
      .execute();
    await kysely
      .deleteFrom("uploads")
      .where("created_at", "<", now - DAY_MS)
      .execute();
    await kysely
      .deleteFrom("idempotency_keys")
      .where("created_at", "<", now - DAY_MS)
      .execute();
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
