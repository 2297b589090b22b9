// The backlog for workers over all processes, for operators.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type Backlog = {
  /** Running jobs and the state of their URLs, for each kind. */
  readonly jobs: readonly {
    readonly kind: string;
    readonly running: number;
    /** To be fetched; leased by a worker; beyond the limit until a page gives no document. */
    readonly waiting: number;
    readonly active: number;
    readonly held: number;
  }[];
  /** Events to send, first attempts and retries. */
  readonly events: number;
};

type JobsRow = {
  kind: string;
  running: number;
  pending: number;
  active: number;
  held: number;
};

/** Counts over partial indexes and the counters of running jobs; scans no table. */
export async function readBacklog(kysely: Kysely<Tables>): Promise<Backlog> {
  const jobs = await sql<JobsRow>`
    select kind, count(*) as running, sum(pending)::bigint as pending, sum(held)::bigint as held,
      sum((select count(*) from frontier where frontier.job_id = progress.job_id and frontier.state = 'leased'))::bigint as active
    from job_progress as progress join jobs on jobs.id = progress.job_id
    where progress.state = 'scraping' group by kind order by kind`.execute(kysely);
  const events = await sql<{ count: number }>`
    select count(*) as count from webhook_deliveries where state = 'waiting'`.execute(kysely);
  return {
    jobs: jobs.rows.map(({ kind, running, pending, active, held }) => ({
      kind,
      running,
      waiting: Math.max(0, pending - active),
      active,
      held,
    })),
    events: events.rows[0]?.count ?? 0,
  };
}
