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
    /** When the oldest waiting URL was queued, milliseconds since the epoch; null without any. */
    readonly oldestAt: number | null;
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

/**
 * When the oldest waiting URL of each kind was queued. URLs of a job are claimed by depth and then in the order in which they
 * were found, so the first URL of each depth is enough: one step in an index per job and depth.
 */
export const selectOldest = sql<{ kind: string; oldestAt: number }>`
  with recursive first (job_id, depth, queued_at) as (
    select progress.job_id, page.depth, page.queued_at from job_progress as progress cross join lateral (
      select depth, queued_at from frontier where frontier.job_id = progress.job_id and state = 'ready'
      order by depth, sequence limit 1) as page
    where progress.state = 'scraping' and pending > 0
    union all
    select first.job_id, page.depth, page.queued_at from first cross join lateral (
      select depth, queued_at from frontier where frontier.job_id = first.job_id and state = 'ready'
        and frontier.depth > first.depth
      order by depth, sequence limit 1) as page
  )
  select kind, min(coalesce(queued_at, created_at)) as "oldestAt" from first join jobs on jobs.id = job_id group by kind`;

/** Counts over partial indexes and the counters of running jobs; scans no table. */
export async function readBacklog(kysely: Kysely<Tables>): Promise<Backlog> {
  const jobs = await sql<JobsRow>`
    select kind, count(*) as running, sum(pending)::bigint as pending, sum(held)::bigint as held,
      sum((select count(*) from frontier where frontier.job_id = progress.job_id and frontier.state = 'leased'))::bigint as active
    from job_progress as progress join jobs on jobs.id = progress.job_id
    where progress.state = 'scraping' group by kind order by kind`.execute(kysely);
  const oldest = await selectOldest.execute(kysely);
  const events = await sql<{ count: number }>`
    select count(*) as count from webhook_deliveries where state = 'waiting'`.execute(kysely);
  return {
    jobs: jobs.rows.map(({ kind, running, pending, active, held }) => ({
      kind,
      running,
      waiting: Math.max(0, pending - active),
      active,
      held,
      oldestAt: oldest.rows.find((row) => row.kind === kind)?.oldestAt ?? null,
    })),
    events: events.rows[0]?.count ?? 0,
  };
}
