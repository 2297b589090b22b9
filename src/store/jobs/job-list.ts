// Jobs of every kind as one list, newest first. Ids are UUIDs of version 7, so they sort by time
// and serve as cursors. A query reads a bounded number of rows: a filter that few jobs match
// returns a short page and a cursor.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { JobListState } from "../../contract/jobs/job-list.ts";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import { JOB_KINDS, type JobListKind } from "../../contract/jobs/kinds.ts";
import type { Tables } from "../database/schema.ts";
import { createFirstIdAt } from "../database/uuid.ts";

export type ListedJob = {
  readonly id: string;
  readonly kind: JobListKind;
  readonly state: JobListState;
  /** The start URL, or the first URL. */
  readonly url: string | null;
  readonly prompt: string | null;
  readonly keyId: string;
  /** Pages of a crawl, batch or extraction, or steps of an agent run: in progress or queued. */
  readonly pending: number;
  readonly completed: number;
  readonly failed: number;
  readonly creditsUsed: number;
  readonly error: string | null;
  /** Code of the error table. */
  readonly code: string | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly expiresAt: number;
};

export type JobListQuery = {
  readonly kinds: readonly JobListKind[];
  readonly state?: JobListState | undefined;
  readonly keyIds?: readonly string[] | undefined;
  /** Substring of the URL or prompt, case-insensitive. */
  readonly text?: string | undefined;
  /** Host of the URL, or a parent domain. */
  readonly host?: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly since?: number | undefined;
  /** Milliseconds since the epoch, exclusive. */
  readonly until?: number | undefined;
  /** Only jobs before this one. */
  readonly before?: string | undefined;
  readonly limit: number;
};

export type JobListPage = {
  readonly jobs: readonly ListedJob[];
  /** Cursor of the next page; undefined at the end. */
  readonly cursor: string | undefined;
};

/** Jobs by state, each counted up to `MAX_JOB_TOTAL`. */
export type JobTotals = Readonly<Record<JobListState, number>>;

export type JobListStore = {
  list(accountId: string, query: JobListQuery, now?: number): Promise<JobListPage>;
  countJobs(accountId: string, kinds: readonly JobListKind[], now?: number): Promise<JobTotals>;
  /** Returns those of `ids` that belong to the account, in no order. At most some hundred. */
  load(accountId: string, ids: readonly string[]): Promise<ListedJob[]>;
};

export const MAX_JOB_TOTAL = 1_000;

/** Jobs of one kind that a query examines. */
const WINDOW = 2_000;
const MAX_PROMPT_CHARACTERS = 300;
/** Ids are created a moment before the time stored with them. */
const ID_SLACK_MS = 1_000;

type Row = {
  id: string;
  kind: string;
  state: JobStatus;
  url: string | null;
  prompt: string | null;
  key_id: string;
  pending: number;
  completed: number;
  failed: number;
  credits_used: number;
  error: string | null;
  code: string | null;
  created_at: number;
  completed_at: number | null;
  expires_at: number;
};

const toJob = (row: Row): ListedJob => ({
  id: row.id,
  kind: LISTED.get(row.kind) ?? (row.kind as JobListKind),
  state: row.state === "scraping" ? "running" : row.state,
  url: row.url,
  prompt: row.prompt,
  keyId: row.key_id,
  pending: row.pending,
  completed: row.completed,
  failed: row.failed,
  creditsUsed: row.credits_used,
  error: row.error,
  code: row.code,
  createdAt: row.created_at,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
});

type Sql = RawBuilder<unknown>;

/** Stored names of the kinds. */
const STORED = new Map<JobListKind, string>(
  Object.entries(JOB_KINDS).map(([name, { listed }]) => [listed, name]),
);
const LISTED = new Map([...STORED].map(([listed, name]) => [name, listed]));

const buildStateCondition = (state: JobListState): Sql =>
  sql`state = ${state === "running" ? "scraping" : state}`;

/** Rows of jobs as `job`, with the columns of `Row`, before filters and limit. */
const SELECT = sql`
  select job.id, job.kind, state,
    coalesce(job.url, options #>> '{urls,0}',
      (select url from frontier where job_id = job.id order by sequence limit 1)) as url,
    left(options ->> 'prompt', ${sql.lit(MAX_PROMPT_CHARACTERS)}) as prompt, key_id, pending, completed, failed,
    credits_used, error ->> 'message' as error, error ->> 'code' as code, created_at, completed_at, expires_at
  from jobs as job cross join lateral (
    -- Without OFFSET the planner may read all progress rows for the join.
    select * from job_progress where job_id = job.id offset 0
  ) as progress`;

const joinConditions = (conditions: readonly Sql[]): Sql => sql.join([...conditions], sql` and `);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Ids of one kind that a query examines, newest first. */
function selectCandidates(kind: JobListKind, accountId: string, query: JobListQuery): Sql {
  const { state, before, since, until } = query;
  const stored = STORED.get(kind) ?? kind;
  const [table, id, conditions] =
    state === undefined
      ? [sql`jobs`, sql`id`, [sql`account_id = ${accountId}::uuid`, sql`kind = ${stored}`]]
      : [
          sql`job_progress`,
          sql`job_id`,
          [
            sql`owner_id = ${accountId}::uuid`,
            sql`job_kind = ${stored}`,
            buildStateCondition(state),
          ],
        ];
  if (before !== undefined) conditions.push(sql`${id} < ${before}::uuid`);
  if (since !== undefined)
    conditions.push(sql`${id} >= ${createFirstIdAt(since - ID_SLACK_MS)}::uuid`);
  if (until !== undefined) conditions.push(sql`${id} < ${createFirstIdAt(until)}::uuid`);
  return sql`select ${id} as id from ${table}
    where ${joinConditions(conditions)} order by ${id} desc`;
}

/** Conditions that no index covers. */
function buildFilters(query: JobListQuery, now: number): Sql {
  const { keyIds, text, host, since, until } = query;
  // Not ended, or still readable.
  const conditions = [sql`(state = 'scraping' or expires_at > ${now}::bigint)`];
  if (keyIds !== undefined) conditions.push(sql`key_id = any(${`{${keyIds.join(",")}}`}::uuid[])`);
  if (since !== undefined) conditions.push(sql`created_at >= ${since}::bigint`);
  if (until !== undefined) conditions.push(sql`created_at < ${until}::bigint`);
  if (text !== undefined) {
    const pattern = `%${escapeLike(text)}%`;
    conditions.push(sql`(url ilike ${pattern} or prompt ilike ${pattern})`);
  }
  if (host !== undefined) {
    const named = sql`lower(substring(url from '^[a-zA-Z]+://(?:[^/?#@]*@)?([^/?#:]+)'))`;
    const wanted = host.toLowerCase();
    conditions.push(sql`(${named} = ${wanted} or ${named} like ${`%.${escapeLike(wanted)}`})`);
  }
  return joinConditions(conditions);
}

export function createJobListStore(kysely: Kysely<Tables>): JobListStore {
  /** Returns up to `limit` jobs of one kind, and the last examined id if there are more. */
  async function read(
    kind: JobListKind,
    accountId: string,
    query: JobListQuery,
    now: number,
  ): Promise<{ readonly jobs: ListedJob[]; readonly lookedTo: string | undefined }> {
    const ids = selectCandidates(kind, accountId, query);
    const found = await sql<Row>`
      select listed.* from (${ids} limit ${sql.lit(WINDOW)}) as candidate cross join lateral (
        select * from (${SELECT} where job.id = candidate.id offset 0) as one
        where ${buildFilters(query, now)}
      ) as listed order by candidate.id desc limit ${query.limit}`.execute(kysely);
    const jobs = found.rows.map(toJob);
    if (jobs.length === query.limit) return { jobs, lookedTo: jobs.at(-1)?.id };
    const end = await sql<{ id: string }>`${ids} offset ${sql.lit(WINDOW - 1)} limit 1`.execute(
      kysely,
    );
    return { jobs, lookedTo: end.rows[0]?.id };
  }

  return {
    async list(accountId, query, now = Date.now()) {
      const pages = await Promise.all(query.kinds.map((kind) => read(kind, accountId, query, now)));
      // Some kind has not been examined below the highest of these.
      const [lookedTo = ""] = pages
        .flatMap((page) => page.lookedTo ?? [])
        .toSorted()
        .reverse();
      const jobs = pages
        .flatMap((page) => page.jobs)
        .filter(({ id }) => id >= lookedTo)
        .toSorted((left, right) => (left.id < right.id ? 1 : -1));
      if (jobs.length > query.limit) {
        const listed = jobs.slice(0, query.limit);
        return { jobs: listed, cursor: listed.at(-1)?.id };
      }
      return { jobs, cursor: lookedTo === "" ? undefined : lookedTo };
    },

    async countJobs(accountId, kinds, now = Date.now()) {
      const totals = { running: 0, completed: 0, failed: 0, cancelled: 0 };
      const states = Object.keys(totals) as JobListState[];
      await Promise.all(
        kinds.map(async (kind) => {
          const counts = states.map((state) => {
            const query = { kinds, state, limit: MAX_JOB_TOTAL };
            return sql`(select count(*)::integer from (
              select 1 from (${selectCandidates(kind, accountId, query)} limit ${sql.lit(WINDOW)}) as candidate
              cross join lateral (
                select 1 from (${SELECT} where job.id = candidate.id offset 0) as one
                where ${buildFilters(query, now)}
              ) as listed limit ${sql.lit(MAX_JOB_TOTAL)}
            ) as counted) as ${sql.id(state)}`;
          });
          const found = await sql<JobTotals>`select ${sql.join(counts)}`.execute(kysely);
          for (const state of states)
            totals[state] = Math.min(MAX_JOB_TOTAL, totals[state] + (found.rows[0]?.[state] ?? 0));
        }),
      );
      return totals;
    },

    async load(accountId, ids) {
      if (ids.length === 0) return [];
      const wanted = `{${ids.join(",")}}`;
      const found = await sql<Row>`${SELECT}
        where job.id = any(${wanted}::uuid[]) and job.account_id = ${accountId}::uuid`.execute(
        kysely,
      );
      return found.rows.map(toJob);
    },
  };
}
