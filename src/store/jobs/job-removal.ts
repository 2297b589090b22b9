// Removes an expired job in batches: it may have a million rows, and other requests must not wait
// for their removal.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";
import type { Seals } from "../database/seals.ts";

const JOBS = 100;
const ROWS = 500;
/** Removed rows after which the embedded database is vacuumed; it has no autovacuum. */
const MIN_VACUUM_ROWS = 1_000;
/**
 * Maximum rows removed between two vacuums: a single one for a large job would block the event
 * loop.
 */
const MAX_BEFORE_VACUUM = 25_000;
/** Time during which requests for a removed job get "expired". Later it is unknown. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

type RemovedJobs = { count: number; refs: string[] };
type Report = RemovedJobs & {
  /** Unreadable blobs without other references. */
  readonly shredded: string[];
};
type RemovalQuery = (database: Kysely<Tables>) => Promise<{ ref: string | null }[]>;

type Table = "results" | "frontier" | "webhook_deliveries";

/**
 * Removes up to `MAX_BEFORE_VACUUM` rows of a job from a table and returns the blobs they
 * referenced. Goes by the gapless sequence: a search from the start would scan all rows removed
 * before.
 */
async function removeRows(
  table: Table,
  ref: string,
  jobId: string,
  inTurn: (remove: RemovalQuery) => Promise<RemovedJobs>,
): Promise<RemovedJobs> {
  let count = 0;
  let next: number | undefined;
  return inTurn(async (database) => {
    if (count >= MAX_BEFORE_VACUUM) return [];
    if (next === undefined) {
      const first = await sql<{ first: number | null }>`
        select min(sequence) as first from ${sql.ref(table)} where job_id = ${jobId}::uuid`.execute(
        database,
      );
      next = first.rows[0]?.first ?? undefined;
      if (next === undefined) return [];
    }
    const rows = await sql<{ ref: string | null }>`
      delete from ${sql.ref(table)} where job_id = ${jobId}::uuid
        and sequence >= ${next}::integer and sequence < ${next + ROWS}::integer
      returning ${sql.raw(ref)} as ref`.execute(database);
    next += ROWS;
    count += rows.rows.length;
    return rows.rows;
  });
}

/**
 * Removes jobs without pages that have ended and expired, some hundred in one statement; how many.
 */
async function removeJobsWithoutPages(kysely: Kysely<Tables>, now: number): Promise<number> {
  for (let count = 0; ;) {
    const gone = await sql<{ id: string }>`
      with gone as (
        delete from jobs where id in (
          select jobs.id from jobs join job_progress on job_id = jobs.id
          where expires_at <= ${now}::bigint and state <> 'scraping' and seal_ref is null
            and not exists (select 1 from frontier where frontier.job_id = jobs.id)
            and not exists (select 1 from results where results.job_id = jobs.id)
          limit ${sql.lit(ROWS)}
        ) returning id, account_id, kind
      ), events as (
        delete from webhook_deliveries where job_id in (select id from gone)
      ), noted as (
        -- The check of a monitor is read from its own table, so nobody asks for its job.
        insert into expired_jobs (id, account_id, kind, removed_at)
        select id, account_id, kind, ${now}::bigint from gone where kind <> 'monitor'
        on conflict do nothing
      ) select id from gone`.execute(kysely);
    count += gone.rows.length;
    if (gone.rows.length < ROWS) return count;
  }
}

/**
 * Removes ended, expired jobs with all their rows. `inBatches` repeats a removal until nothing is
 * left. Returns the number of jobs.
 */
export async function removeExpiredJobs(
  kysely: Kysely<Tables>,
  seals: Pick<Seals, "shred">,
  inBatches: (remove: RemovalQuery) => Promise<RemovedJobs>,
  now: number,
): Promise<Report> {
  const withoutPages = await removeJobsWithoutPages(kysely, now);
  const expired = await kysely
    .selectFrom("jobs")
    .innerJoin("job_progress as progress", "progress.job_id", "jobs.id")
    .select(["jobs.id", "jobs.seal_ref"])
    .where("expires_at", "<=", now)
    .where("state", "<>", "scraping")
    .limit(JOBS)
    .execute();
  await kysely
    .deleteFrom("expired_jobs")
    .where("removed_at", "<", now - REMEMBERED_MS)
    .execute();
  const refs: string[] = [];
  const shredded: string[] = [];
  const dead: Record<Table, number> = { results: 0, frontier: 0, webhook_deliveries: 0 };
  const reuse = async (table: Table, min: number): Promise<void> => {
    if (dead[table] < min) return;
    dead[table] = 0;
    await sql`vacuum ${sql.ref(table)}`.execute(kysely);
  };
  const removeAll = async (table: Table, ref: string, jobId: string): Promise<string[]> => {
    const refs: string[] = [];
    for (;;) {
      const removed = await removeRows(table, ref, jobId, inBatches);
      refs.push(...removed.refs);
      dead[table] += removed.count;
      await reuse(table, MAX_BEFORE_VACUUM);
      if (removed.count < MAX_BEFORE_VACUUM) return refs;
    }
  };
  for (const { id, seal_ref: sealRef } of expired) {
    if (sealRef !== null) await seals.shred(id, sealRef);
    const named = await removeAll("results", "document_ref", id);
    await removeAll("frontier", "null", id);
    await removeAll("webhook_deliveries", "null", id);
    (sealRef === null ? refs : shredded).push(...named);
    // Another cleaning process may leave rows: the next pass continues with them.
    await sql`with gone as (
        delete from jobs where id = ${id}::uuid
          and not exists (select 1 from frontier where job_id = ${id}::uuid)
          and not exists (select 1 from results where job_id = ${id}::uuid)
          and not exists (select 1 from webhook_deliveries where job_id = ${id}::uuid)
        returning id, account_id, kind
      )
      insert into expired_jobs (id, account_id, kind, removed_at)
      select id, account_id, kind, ${now}::bigint from gone on conflict do nothing`.execute(kysely);
  }
  for (const table of ["results", "frontier", "webhook_deliveries"] as const)
    await reuse(table, MIN_VACUUM_ROWS);
  return { count: withoutPages + expired.length, refs, shredded };
}
