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
  /** Verdict of a fetched page. */
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
  sumOutcomes(jobId: string): Promise<Partial<Record<LedgerState, number>>>;
  /** Undefined for a job without a start URL, such as a batch. */
  start(jobId: string): Promise<StartFate | undefined>;
  /** Why URLs gave no document, most frequent reasons first, at most some hundreds. */
  listRefusals(jobId: string): Promise<RefusalCount[]>;
  page(
    jobId: string,
    range: {
      readonly skip: number;
      readonly limit: number;
      readonly fate?: LedgerState | undefined;
    },
  ): Promise<JobLedgerRow[]>;
  /** Yields all current rows in chunks. */
  iterateUrls(jobId: string, fate?: LedgerState): AsyncIterable<readonly JobLedgerRow[]>;
};

const STREAM_ROWS = 1_000;
const MAX_REASONS = 500;
/**
 * URLs examined per statement. One over all URLs of a large job would block the embedded database's
 * event loop.
 */
const ROWS_PER_BATCH = 25_000;
/** Groups of one part of a job; more than `MAX_REASONS`, because parts are added up. */
const MAX_GROUPS = 5_000;

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
      to,
      skip,
      limit,
      fate,
    }: {
      after: number;
      to?: number;
      skip: number;
      limit: number;
      fate?: LedgerState | undefined;
    },
  ): Promise<JobLedgerRow[]> {
    const only = fate === undefined ? sql`` : sql`and ${FATE} = ${fate}`;
    const end = to === undefined ? sql`` : sql`and f.sequence <= ${to}::integer`;
    const found = await sql<LedgerQueryRow>`
      select f.sequence, f.url, ${FATE} as fate, f.reason, f.verdict, above.url as parent, f.depth
      from frontier as f join job_progress as progress on progress.job_id = f.job_id
      left join frontier as above on above.job_id = f.job_id and above.identity = f.parent
      where f.job_id = ${jobId}::uuid and f.sequence > ${after}::integer ${end} ${only}
      order by f.sequence limit ${limit}::integer offset ${skip}::integer`.execute(kysely);
    return found.rows.map((row) => ({
      ...row,
      reason: row.reason ?? undefined,
      verdict: row.verdict ?? undefined,
      parent: row.parent ?? undefined,
    }));
  }

  /**
   * Yields the URLs of a job in parts, as the sequences before and at their ends. Sequences have no
   * gaps.
   */
  async function* iterateParts(jobId: string): AsyncGenerator<{ after: number; to: number }> {
    const found = await sql<{ last: number | null }>`
      select max(sequence) as last from frontier where job_id = ${jobId}::uuid`.execute(kysely);
    const last = found.rows[0]?.last ?? 0;
    for (let after = 0; after < last; after += ROWS_PER_BATCH)
      yield { after, to: after + ROWS_PER_BATCH };
  }

  const within = (jobId: string, { after, to }: { after: number; to: number }) => sql`
    from frontier as f join job_progress as progress on progress.job_id = f.job_id
    where f.job_id = ${jobId}::uuid and f.sequence > ${after}::integer and f.sequence <= ${to}::integer`;

  async function readWithFate(
    jobId: string,
    range: { readonly skip: number; readonly limit: number },
    fate: LedgerState,
  ): Promise<JobLedgerRow[]> {
    const rows: JobLedgerRow[] = [];
    let { skip } = range;
    for await (const part of iterateParts(jobId)) {
      if (skip > 0) {
        const found = await sql<{ count: number }>`
          select count(*)::integer as count ${within(jobId, part)} and ${FATE} = ${fate}`.execute(
          kysely,
        );
        const count = found.rows[0]?.count ?? 0;
        if (count <= skip) {
          skip -= count;
          continue;
        }
      }
      const limit = range.limit - rows.length;
      rows.push(...(await read(jobId, { ...part, skip, limit, fate })));
      skip = 0;
      if (rows.length >= range.limit) break;
    }
    return rows;
  }

  return {
    async sumOutcomes(jobId) {
      const sums: Partial<Record<LedgerState, number>> = {};
      for await (const part of iterateParts(jobId)) {
        const found = await sql<{ fate: LedgerState; count: number }>`
          select ${FATE} as fate, count(*)::integer as count ${within(jobId, part)} group by 1`.execute(
          kysely,
        );
        for (const { fate, count } of found.rows) sums[fate] = (sums[fate] ?? 0) + count;
      }
      return sums;
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
    async listRefusals(jobId) {
      const groups = new Map<string, RefusalCount>();
      for await (const part of iterateParts(jobId)) {
        const found = await sql<{ fate: LedgerState; reason: string | null; count: number }>`
          select ${FATE} as fate, f.reason, count(*)::integer as count ${within(jobId, part)}
            and f.fate is distinct from 'fetched'
          group by 1, 2 order by 3 desc limit ${sql.lit(MAX_GROUPS)}`.execute(kysely);
        for (const { fate, reason, count } of found.rows) {
          const name = JSON.stringify([fate, reason]);
          const earlier = groups.get(name)?.count ?? 0;
          groups.set(name, { fate, reason: reason ?? undefined, count: earlier + count });
        }
      }
      return [...groups.values()]
        .toSorted((one, other) => other.count - one.count)
        .slice(0, MAX_REASONS);
    },
    // Without a filter there are no gaps, so the offset is a sequence number and nothing is skipped
    // by counting.
    page: (jobId, { skip, limit, fate }) =>
      fate === undefined
        ? read(jobId, { after: skip, skip: 0, limit })
        : readWithFate(jobId, { skip, limit }, fate),
    async *iterateUrls(jobId, fate) {
      for await (const part of iterateParts(jobId)) {
        for (let { after } = part; ;) {
          const rows = await read(jobId, { ...part, after, skip: 0, limit: STREAM_ROWS, fate });
          const newest = rows.at(-1);
          if (newest === undefined) break;
          after = newest.sequence;
          yield rows;
        }
      }
    },
  };
}
