// Jobs of every kind as one list, newest first. Ids are UUIDs of version 7, so they sort by time
// and serve as cursors. A query reads a bounded number of rows: a filter that few jobs match
// returns a short page and a cursor.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { JobListState } from "../../contract/jobs/job-list.ts";
import type { JobListKind } from "../../contract/jobs/kinds.ts";
import { chargeOfRun } from "../../contract/account/prices.ts";
import type { AgentOutcome, Tables } from "../database/schema.ts";

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
  /** Of the error table. */
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
  /** For the next page; undefined at the end. */
  readonly cursor: string | undefined;
};

/** Jobs by state, each counted up to `MAX_JOB_TOTAL`. */
export type JobTotals = Readonly<Record<JobListState, number>>;

export type JobListStore = {
  list(accountId: string, query: JobListQuery, now?: number): Promise<JobListPage>;
  totals(accountId: string, kinds: readonly JobListKind[], now?: number): Promise<JobTotals>;
  /** Returns those of `ids` that belong to the account, in no order. At most some hundred. */
  load(accountId: string, ids: readonly string[]): Promise<ListedJob[]>;
};

export const MAX_JOB_TOTAL = 1_000;

/** Jobs of one table that a query examines. */
const WINDOW = 2_000;
const MAX_PROMPT_CHARACTERS = 300;
/** Ids are created a moment before the time stored with them. */
const ID_SLACK_MS = 1_000;

type Row = {
  id: string;
  kind: JobListKind;
  state: "scraping" | "processing" | "completed" | "failed" | "cancelled";
  outcome: AgentOutcome | null;
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

const stateOf = ({ state, outcome }: Row): JobListState => {
  if (state === "scraping" || state === "processing") return "running";
  return outcome === "cancelled" ? "cancelled" : state;
};

const toJob = (row: Row): ListedJob => ({
  id: row.id,
  kind: row.kind,
  state: stateOf(row),
  url: row.url,
  prompt: row.prompt,
  keyId: row.key_id,
  pending: row.pending,
  completed: row.completed,
  failed: row.failed,
  creditsUsed:
    row.kind === "agent"
      ? chargeOfRun({ outcome: row.outcome, creditsUsed: row.credits_used })
      : row.credits_used,
  error: row.error,
  code: row.code,
  createdAt: row.created_at,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
});

type Sql = RawBuilder<unknown>;

/** One of the tables that hold jobs. */
type Source = {
  readonly kinds: readonly JobListKind[];
  /** Rows of the matching jobs as `job`, with the columns of `Row`, before filters and limit. */
  readonly select: Sql;
  readonly table: Sql;
  /** The index with account, state and id. */
  readonly byState: { readonly table: Sql; readonly account: Sql; readonly id: Sql };
  readonly stateOf: (state: JobListState) => Sql;
  /** Not ended, or still readable. */
  readonly isAlive: (now: number) => Sql;
};

const runningAs =
  (running: string) =>
  (state: JobListState): Sql =>
    sql`state = ${state === "running" ? running : state}`;

/** A cancelled agent run is stored as failed. */
const agentState = (state: JobListState): Sql => {
  if (state === "cancelled") return sql`state = 'failed' and outcome = 'cancelled'`;
  if (state === "failed") return sql`state = 'failed' and outcome is distinct from 'cancelled'`;
  return runningAs("processing")(state);
};

const promptOf = sql`left(options ->> 'prompt', ${sql.lit(MAX_PROMPT_CHARACTERS)})`;

const JOBS: Source = {
  kinds: ["crawl", "batch", "extract"],
  table: sql`jobs`,
  byState: { table: sql`job_progress`, account: sql`owner_id`, id: sql`job_id` },
  stateOf: runningAs("scraping"),
  // Without OFFSET the planner may read all progress rows for the join.
  select: sql`
    select job.id, case job.kind when 'batch_scrape' then 'batch' else job.kind end as kind, state, null as outcome,
      coalesce(job.url, options #>> '{urls,0}',
        (select url from frontier where job_id = job.id order by sequence limit 1)) as url,
      ${promptOf} as prompt, key_id, pending, completed, failed, credits_used, error ->> 'message' as error, error ->> 'code' as code,
      created_at, completed_at, expires_at
    from jobs as job cross join lateral (
      select * from job_progress where job_id = job.id offset 0
    ) as progress`,
  isAlive: (now) => sql`(state = 'scraping' or expires_at > ${now}::bigint)`,
};

const AGENTS: Source = {
  kinds: ["agent"],
  table: sql`agent_runs`,
  byState: { table: sql`agent_runs`, account: sql`account_id`, id: sql`id` },
  stateOf: agentState,
  select: sql`
    select job.id, 'agent' as kind, state, outcome, options #>> '{urls,0}' as url, ${promptOf} as prompt,
      key_id, step.pending, step.completed, step.failed, credits_used, error ->> 'message' as error, error ->> 'code' as code,
      created_at, finished_at as completed_at, expires_at
    from agent_runs as job cross join lateral (
      select count(*) filter (where ended_at is null)::integer as pending,
        count(*) filter (where ended_at is not null and agent_steps.error is null)::integer as completed,
        count(*) filter (where ended_at is not null and agent_steps.error is not null)::integer as failed
      from agent_steps where run_id = job.id
    ) as step`,
  isAlive: (now) => sql`(state = 'processing' or expires_at > ${now}::bigint)`,
};

const SOURCES = [JOBS, AGENTS];

const sourcesOf = (kinds: readonly JobListKind[]): Source[] =>
  SOURCES.filter((source) => source.kinds.some((kind) => kinds.includes(kind)));

/** Returns the lowest version 7 id created at `ms`. */
function firstIdAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0").slice(-12);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

const and = (conditions: readonly Sql[]): Sql => sql.join([...conditions], sql` and `);

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Ids of a source that a query examines, newest first. */
function candidates(source: Source, accountId: string, query: JobListQuery): Sql {
  const { state, before, since, until } = query;
  const { table, account, id } =
    state === undefined
      ? { table: source.table, account: sql`account_id`, id: sql`id` }
      : source.byState;
  const conditions = [sql`${account} = ${accountId}::uuid`];
  if (state !== undefined) conditions.push(source.stateOf(state));
  if (before !== undefined) conditions.push(sql`${id} < ${before}::uuid`);
  if (since !== undefined) conditions.push(sql`${id} >= ${firstIdAt(since - ID_SLACK_MS)}::uuid`);
  if (until !== undefined) conditions.push(sql`${id} < ${firstIdAt(until)}::uuid`);
  return sql`select ${id} as id from ${table}
    where ${and(conditions)} order by ${id} desc`;
}

/** Conditions that no index covers. */
function filters(source: Source, query: JobListQuery, now: number): Sql {
  const { kinds, keyIds, text, host, since, until } = query;
  const conditions = [source.isAlive(now)];
  if (source.kinds.some((kind) => !kinds.includes(kind)))
    conditions.push(sql`kind in (${sql.join(kinds.map((kind) => sql`${kind}`))})`);
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
  return and(conditions);
}

export function createJobListStore(kysely: Kysely<Tables>): JobListStore {
  /** Returns up to `limit` jobs of one source, and the last examined id if there are more. */
  async function read(
    source: Source,
    accountId: string,
    query: JobListQuery,
    now: number,
  ): Promise<{ readonly jobs: ListedJob[]; readonly lookedTo: string | undefined }> {
    const ids = candidates(source, accountId, query);
    const found = await sql<Row>`
      select listed.* from (${ids} limit ${sql.lit(WINDOW)}) as candidate cross join lateral (
        select * from (${source.select} where job.id = candidate.id offset 0) as one
        where ${filters(source, query, now)}
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
      const pages = await Promise.all(
        sourcesOf(query.kinds).map((source) => read(source, accountId, query, now)),
      );
      // Some source has not been examined below the highest of these.
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

    async totals(accountId, kinds, now = Date.now()) {
      const totals = { running: 0, completed: 0, failed: 0, cancelled: 0 };
      const states = Object.keys(totals) as JobListState[];
      await Promise.all(
        sourcesOf(kinds).map(async (source) => {
          const counts = states.map((state) => {
            const query = { kinds, state, limit: MAX_JOB_TOTAL };
            return sql`(select count(*)::integer from (
              select 1 from (${candidates(source, accountId, query)} limit ${sql.lit(WINDOW)}) as candidate
              cross join lateral (
                select 1 from (${source.select} where job.id = candidate.id offset 0) as one
                where ${filters(source, query, now)}
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
      const found = await Promise.all(
        SOURCES.map((source) =>
          sql<Row>`${source.select}
            where job.id = any(${wanted}::uuid[]) and job.account_id = ${accountId}::uuid`.execute(
            kysely,
          ),
        ),
      );
      return found.flatMap(({ rows }) => rows.map(toJob));
    },
  };
}
