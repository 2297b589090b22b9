// An expired job goes bit by bit: its rows may be a million, and nobody should wait for their removal.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";
import type { Seals } from "../database/seals.ts";

const JOBS = 100;
const ROWS = 500;
/** Rows removed after which the embedded database is told to use their place again: nothing there does so by itself. */
const WORTH_A_VACUUM = 1_000;
/** Rows removed between two such statements: one for all rows of a large job would block the event loop. */
const MAX_BEFORE_VACUUM = 25_000;
/** So long who asks for a removed job is told that it has expired; then nothing is known of it any more. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

type Removed = { count: number; refs: string[] };
type Report = Removed & {
  /** Blobs that nobody can read any more; nothing else names them. */
  readonly shredded: string[];
};
type Remove = (database: Kysely<Tables>) => Promise<{ ref: string | null }[]>;

type Table = "results" | "frontier" | "webhook_deliveries";

/**
 * Removes up to `MAX_BEFORE_VACUUM` rows of a table that belong to a job, and returns the blobs they named. Goes by the
 * sequence, which has no gaps: a search from the start would pass by all that was removed before, each time anew.
 */
async function removeRows(
  table: Table,
  ref: string,
  jobId: string,
  inTurn: (remove: Remove) => Promise<Removed>,
): Promise<Removed> {
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
 * Removes jobs that have ended and expired with all they have. `inBatches` repeats a removal until nothing is left. The
 * count is that of jobs.
 */
export async function removeExpiredJobs(
  kysely: Kysely<Tables>,
  seals: Pick<Seals, "shred">,
  inBatches: (remove: Remove) => Promise<Removed>,
  now: number,
): Promise<Report> {
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
  const reuse = async (table: Table, least: number): Promise<void> => {
    if (dead[table] < least) return;
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
    // Where another process is cleaning as well, rows may be left: the next pass goes on with them.
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
    await reuse(table, WORTH_A_VACUUM);
  return { count: expired.length, refs, shredded };
}
