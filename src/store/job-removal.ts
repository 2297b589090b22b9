// An expired job goes bit by bit: its rows may be a million, and nobody should wait for their removal.
import { sql, type Kysely } from "kysely";
import type { Tables } from "./schema.ts";
import type { Seals } from "./seals.ts";

const JOBS = 100;
const ROWS = 500;
/** Rows removed after which the embedded database is told to use their place again: nothing there does so by itself. */
const WORTH_A_VACUUM = 1_000;
/** So long who asks for a removed job is told that it has expired; then nothing is known of it any more. */
const REMEMBERED_MS = 7 * 24 * 60 * 60 * 1000;

type Removed = { count: number; refs: string[] };
type Report = Removed & {
  /** Blobs that nobody can read any more; nothing else names them. */
  readonly shredded: string[];
};
type Remove = (database: Kysely<Tables>) => Promise<{ ref: string | null }[]>;

/**
 * Removes some rows of a table that belong to a job and returns the blobs they named. By the place of the row: a join with
 * the chosen keys would read all rows of the job for each bit.
 */
function removeSome(table: string, ref: string, jobId: string): Remove {
  return async (database) => {
    const rows = await sql<{ ref: string | null }>`
      delete from ${sql.ref(table)} where ctid = any(array(
        select ctid from ${sql.ref(table)} where job_id = ${jobId}::uuid limit ${sql.lit(ROWS)}))
      returning ${sql.raw(ref)} as ref`.execute(database);
    return rows.rows;
  };
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
  let rows = 0;
  for (const { id, seal_ref: sealRef } of expired) {
    if (sealRef !== null) await seals.shred(id, sealRef);
    const documents = await inBatches(removeSome("results", "document_ref", id));
    const urls = await inBatches(removeSome("frontier", "null", id));
    const events = await inBatches(removeSome("webhook_deliveries", "null", id));
    (sealRef === null ? refs : shredded).push(...documents.refs);
    rows += documents.count + urls.count + events.count;
    await sql`with gone as (
        delete from jobs where id = ${id}::uuid returning id, account_id, kind
      )
      insert into expired_jobs (id, account_id, kind, removed_at)
      select id, account_id, kind, ${now}::bigint from gone on conflict do nothing`.execute(kysely);
  }
  if (rows > WORTH_A_VACUUM)
    await sql`vacuum frontier, results, webhook_deliveries`.execute(kysely);
  return { count: expired.length, refs, shredded };
}
