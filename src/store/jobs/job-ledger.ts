// The outcome of every URL a job has seen.
import { sql, type Kysely } from "kysely";
import type { LedgerState } from "../../contract/jobs/ledger.ts";
import type { VerdictKind } from "../../contract/page/verdict.ts";
import type { Tables } from "../database/schema.ts";

export type JobLedgerRow = {
  /** From 1 without gaps, in the order of discovery. */
  readonly sequence: number;
  readonly url: string;
  readonly fate: LedgerState;
  readonly reason: string | undefined;
  /** For a fetched page. */
  readonly verdict: VerdictKind | undefined;
  /** URL of the page it was found on. */
  readonly parent: string | undefined;
  readonly depth: number;
};

/** Number of URLs with the same fate other than fetched, and its reason. */
export type RefusalCount = {
  readonly fate: LedgerState;
  readonly reason: string | undefined;
  readonly count: number;
};

/** The outcome of a crawl's start URL. */
export type StartFate = {
  readonly fate: LedgerState;
  readonly reason: string | undefined;
  /** Status of its document; undefined without one. */
  readonly statusCode: number | undefined;
};

export type JobLedgerStore = {
  sums(jobId: string): Promise<Partial<Record<LedgerState, number>>>;
  /** Undefined for a job without a start URL, such as a batch. */
  start(jobId: string): Promise<StartFate | undefined>;
  /** Why URLs gave no document, most frequent reasons first, at most some hundreds. */
  refusals(jobId: string): Promise<RefusalCount[]>;
  page(
    jobId: string,
    range: {
      readonly skip: number;
      readonly limit: number;
      readonly fate?: LedgerState | undefined;
    },
  ): Promise<JobLedgerRow[]>;
  /** Yields all current rows in chunks. */
  stream(jobId: string, fate?: LedgerState): AsyncIterable<readonly JobLedgerRow[]>;
};

const STREAM_ROWS = 1_000;
const MAX_REASONS = 500;

/**
 * The fate of a row. Unfinished rows of an ended job are cancelled. Held rows have the fate `limit`
 * until they are promoted.
 */
const FATE = sql<LedgerState>`coalesce(f.fate, case
  when progress.state <> 'scraping' then 'cancelled' when f.state = 'leased' then 'working' else 'pending' end)`;

type LedgerQueryRow = {
  sequence: number;
  url: string;
  fate: LedgerState;
  reason: string | null;
  verdict: VerdictKind | null;
  parent: string | null;
  depth: number;
};

export function createJobLedgerStore(kysely: Kysely<Tables>): JobLedgerStore {
  async function read(
    jobId: string,
    {
      after,
      skip,
      limit,
      fate,
    }: { after: number; skip: number; limit: number; fate?: LedgerState | undefined },
  ): Promise<JobLedgerRow[]> {
    const only = fate === undefined ? sql`` : sql`and ${FATE} = ${fate}`;
    const found = await sql<LedgerQueryRow>`
      select f.sequence, f.url, ${FATE} as fate, f.reason, f.verdict, above.url as parent, f.depth
      from frontier as f join job_progress as progress on progress.job_id = f.job_id
      left join frontier as above on above.job_id = f.job_id and above.identity = f.parent
      where f.job_id = ${jobId}::uuid and f.sequence > ${after}::integer ${only}
      order by f.sequence limit ${limit}::integer offset ${skip}::integer`.execute(kysely);
    return found.rows.map((row) => ({
      ...row,
      reason: row.reason ?? undefined,
      verdict: row.verdict ?? undefined,
      parent: row.parent ?? undefined,
    }));
  }

  return {
    async sums(jobId) {
      const found = await sql<{ fate: LedgerState; count: number }>`
        select ${FATE} as fate, count(*) as count
        from frontier as f join job_progress as progress on progress.job_id = f.job_id
        where f.job_id = ${jobId}::uuid group by 1`.execute(kysely);
      return Object.fromEntries(found.rows.map(({ fate, count }) => [fate, count]));
    },
    async start(jobId) {
      const found = await sql<{ fate: LedgerState; reason: string | null; status: number | null }>`
        select ${FATE} as fate, f.reason, (select status_code from results
          where results.job_id = f.job_id and requested_url = f.url order by results.sequence limit 1) as status
        from frontier as f join job_progress as progress on progress.job_id = f.job_id
        where f.job_id = ${jobId}::uuid and f.sequence = 1 and f.source = 'start'`.execute(kysely);
      const [row] = found.rows;
      if (row === undefined) return undefined;
      const { fate, reason, status } = row;
      return { fate, reason: reason ?? undefined, statusCode: status ?? undefined };
    },
    async refusals(jobId) {
      const found = await sql<{ fate: LedgerState; reason: string | null; count: number }>`
        select ${FATE} as fate, f.reason, count(*) as count
        from frontier as f join job_progress as progress on progress.job_id = f.job_id
        where f.job_id = ${jobId}::uuid and f.fate is distinct from 'fetched'
        group by 1, 2 order by 3 desc limit ${sql.lit(MAX_REASONS)}`.execute(kysely);
      return found.rows.map(({ fate, reason, count }) => ({
        fate,
        reason: reason ?? undefined,
        count: Number(count),
      }));
    },
    // Without a filter there are no gaps, so the offset is a sequence number and nothing is skipped
    // by counting.
    page: (jobId, { skip, limit, fate }) =>
      fate === undefined
        ? read(jobId, { after: skip, skip: 0, limit })
        : read(jobId, { after: 0, skip, limit, fate }),
    async *stream(jobId, fate) {
      for (let after = 0; ;) {
        const rows = await read(jobId, { after, skip: 0, limit: STREAM_ROWS, fate });
        const newest = rows.at(-1);
        if (newest === undefined) return;
        after = newest.sequence;
        yield rows;
      }
    },
  };
}
