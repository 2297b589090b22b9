// A change of a job is drafted under the lock of its progress row and then written in one
// statement. Because the lock excludes other changes, plain code decides here: what is new, what
// exceeds the limit, which document is the first of its kind, the next number, and whether the job
// ends.
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from "kysely";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import type { VerdictKind } from "../../contract/page/verdict.ts";
import type { ErrorRecord } from "../../errors.ts";
import { createRowId } from "../accounts/accounts.ts";
import type { FoundUrl, Refusal } from "./frontier.ts";
import { splitChunks } from "../database/chunks.ts";
import {
  buildGivenRows,
  ROWS_PER_BATCH,
  buildRowInsert,
  toStorableJson,
} from "../database/json-rows.ts";
import { isChangeable, type KnownUrl } from "./known-urls.ts";
import type { SiteTally } from "./site-tally.ts";
import { dropTallies, buildTallyUpdate } from "./site-tallies.ts";
import type { Tables } from "../database/schema.ts";

/** Counters of the row, plus values fixed at the start of the job. */
type Progress = Omit<Selectable<Tables["job_progress"]>, "settled" | "warnings" | "claimed_at"> & {
  readonly account_id: string;
  readonly kind: string;
  readonly page_limit: number | null;
  /** Why the start URL could not be fetched; known only while there is no document. */
  start_error: ErrorRecord | null;
  /** Short names of the events the caller subscribed to; null without a webhook. */
  readonly wanted: readonly string[] | null;
};

/** The result of a change that may have ended the job. */
export type JobChange = {
  /** State after the change. */
  readonly state: JobStatus;
  /** True for exactly one call per job: the one that ended it. */
  readonly ended: boolean;
  /**
   * True for at most one call: pages of an earlier crawl must be checked now, by a run that is due.
   */
  readonly revisits?: boolean;
};

type FreshRow = Record<string, unknown>;

export type UrlOutcome = {
  readonly identity: bigint;
  readonly fate: string;
  readonly reason?: string | undefined;
  readonly verdict?: VerdictKind | undefined;
  readonly error?: ErrorRecord | undefined;
};

export type Draft = {
  readonly jobId: string;
  readonly now: number;
  readonly progress: Progress;
  /** Identities handled by this change; a row may be updated once per statement. */
  readonly taken: Set<bigint>;
  readonly fresh: FreshRow[];
  /**
   * URLs refused earlier for their depth or an outdated scope, now found where they may be fetched.
   */
  readonly revived: FreshRow[];
  readonly endings: UrlOutcome[];
  readonly results: FreshRow[];
  readonly deliveries: FreshRow[];
  /** Tallies of the finished pages' sites. */
  tallies: ReadonlyMap<string, SiteTally>;
  promoted: number;
  ends: boolean;
  /** True if the pages of the previous crawl are due for a check. */
  revisits: boolean;
  /** Pages that became claimable. */
  ready: number;
};

/**
 * Pages without a document make room for others, up to this many beyond the limit: a crawl must
 * end.
 */
const ROOM_FOR_FAILURES = 100;

/** Locks the job and opens a draft. Undefined when there is no such job. */
export async function openDraft(
  transaction: Transaction<Tables>,
  jobId: string,
  now: number,
): Promise<Draft | undefined> {
  const found = await sql<Progress>`
    select progress.job_id, state, seeding, revisit, completed_at, error, pending, completed, failed, spent, held, discovered,
      robots_blocked, events, credits_used, account_id, kind, page_limit, webhook -> 'events' as wanted,
      case when failed > 0 and completed = 0 then (select frontier.error from frontier
        where frontier.job_id = ${jobId}::uuid and frontier.sequence = 1 and source = 'start') end as start_error
    from job_progress as progress join jobs on jobs.id = progress.job_id
    where progress.job_id = ${jobId}::uuid for update of progress`.execute(transaction);
  const [progress] = found.rows;
  return progress === undefined ? undefined : createEmptyDraft(jobId, progress, now);
}

export function createEmptyDraft(jobId: string, progress: Progress, now: number): Draft {
  return {
    jobId,
    now,
    progress: { ...progress },
    taken: new Set(),
    fresh: [],
    revived: [],
    endings: [],
    results: [],
    deliveries: [],
    tallies: new Map(),
    promoted: 0,
    ends: false,
    revisits: false,
    ready: 0,
  };
}

/** Number of pages that may still be accepted. */
function countRemaining({ page_limit, pending, completed, spent }: Progress): number {
  if (page_limit === null) return Infinity;
  const overspent = Math.max(0, spent - page_limit - ROOM_FOR_FAILURES);
  return Math.max(0, page_limit - pending - completed - overspent);
}

/** Promotes the oldest held URLs into the available room. */
export function promoteHeld(draft: Draft): void {
  const { progress } = draft;
  const count = Math.min(countRemaining(progress), progress.held);
  progress.held -= count;
  progress.pending += count;
  draft.promoted += count;
  draft.ready += count;
}

export type Admission = "accepted" | "held" | "refused" | "revived" | "known";

/** Admits a URL; `earlier` is the frontier's record of its identity. */
export function admit(draft: Draft, url: FoundUrl, earlier: KnownUrl | undefined): Admission {
  const { progress } = draft;
  const isRevived = earlier !== undefined && isChangeable(earlier) && url.refused === undefined;
  if (draft.taken.has(url.identity) || (earlier !== undefined && !isRevived)) return "known";
  draft.taken.add(url.identity);
  const state =
    url.refused !== undefined ? "done" : countRemaining(progress) > 0 ? "ready" : "held";
  if (state === "ready") {
    progress.pending += 1;
    draft.ready += 1;
  } else if (state === "held") progress.held += 1;
  const verdict: Refusal | undefined =
    state === "held"
      ? { fate: "limit", reason: `limit of ${progress.page_limit} pages` }
      : url.refused;
  if (verdict?.fate === "robots") progress.robots_blocked += 1;
  const row = {
    job_id: draft.jobId,
    identity: String(url.identity),
    sequence: 0,
    depth: url.depth,
    state,
    source: url.source,
    url: url.url,
    host: url.host,
    parent: url.parent === undefined ? null : String(url.parent),
    marks: url.marks ?? null,
    fate: verdict?.fate ?? null,
    reason: verdict?.reason ?? null,
    ended_at: state === "done" ? draft.now : null,
    queued_at: state === "ready" ? draft.now : null,
  };
  if (isRevived) {
    draft.revived.push(row);
    return "revived";
  }
  progress.discovered += 1;
  draft.fresh.push({ ...row, sequence: progress.discovered });
  return state === "ready" ? "accepted" : state === "held" ? "held" : "refused";
}

/** Stores an event for delivery if the caller subscribed to it. */
export function announce(
  draft: Draft,
  event: string,
  about: {
    readonly resultSequence?: number;
    readonly error?: string;
    readonly data?: unknown;
  } = {},
): void {
  const { progress, jobId, now } = draft;
  const type = `${progress.kind}.${event}`;
  if (progress.wanted?.includes(event) !== true) return;
  progress.events += 1;
  draft.deliveries.push({
    id: createRowId(),
    job_id: jobId,
    account_id: progress.account_id,
    sequence: progress.events,
    type,
    webhook: null,
    result_sequence: about.resultSequence ?? null,
    data: about.data ?? null,
    error: about.error ?? null,
    created_at: now,
    due_at: now,
  });
}

/** Ends a running job. Unfinished pages read as cancelled, held ones as beyond the limit. */
export function endJob(
  draft: Draft,
  state: Exclude<JobStatus, "scraping">,
  error?: ErrorRecord,
  data?: unknown,
): void {
  const { progress } = draft;
  progress.state = state;
  progress.seeding = false;
  draft.ends = true;
  progress.pending = 0;
  progress.completed_at = draft.now;
  progress.error = error ?? null;
  announce(draft, state, {
    ...(data === undefined ? {} : { data }),
    ...(error === undefined || state === "cancelled" ? {} : { error: error.message }),
  });
}

/**
 * Ends the job when no page is left and no source can add one; returns true then. A crawl without
 * any document whose start URL could not be fetched has failed, even if a sitemap listed URLs that
 * it may not visit.
 */
export function endIfDone(draft: Draft): boolean {
  const { state, seeding, pending, kind, completed, start_error } = draft.progress;
  if (state !== "scraping" || seeding || pending > 0) return false;
  if (beginRevisit(draft)) return false;
  if (kind === "crawl" && completed === 0 && start_error !== null)
    endJob(draft, "failed", start_error);
  else endJob(draft, "completed");
  return true;
}

/** No more URLs come from elsewhere; true when that ends the job. */
export function endSeeding(draft: Draft): boolean {
  const { progress } = draft;
  if (progress.revisit === "running") progress.revisit = null;
  progress.seeding = false;
  return endIfDone(draft);
}

/** Only for a crawl that saw all pages: a page beyond its limit may still be linked. */
function beginRevisit(draft: Draft): boolean {
  const { progress } = draft;
  if (progress.revisit !== "due" || progress.completed === 0 || progress.held > 0) return false;
  progress.revisit = "running";
  progress.seeding = true;
  draft.revisits = true;
  return true;
}

const insertFresh = buildRowInsert("frontier", {
  job_id: "uuid",
  identity: "bigint",
  sequence: "integer",
  depth: "integer",
  state: "text",
  source: "text",
  url: "text",
  host: "text",
  parent: "bigint",
  marks: "jsonb",
  fate: "text",
  reason: "text",
  ended_at: "bigint",
  queued_at: "bigint",
});

const insertResults = buildRowInsert("results", {
  job_id: "uuid",
  sequence: "integer",
  scrape_id: "uuid",
  requested_url: "text",
  final_url: "text",
  status_code: "integer",
  target: "bigint",
  content: "bigint",
  title: "text",
  description: "text",
  document_ref: "text",
  document_inline: "bytea",
  size_bytes: "integer",
  credits: "bigint",
  created_at: "bigint",
});

const insertDeliveries = buildRowInsert("webhook_deliveries", {
  id: "uuid",
  job_id: "uuid",
  account_id: "uuid",
  sequence: "integer",
  type: "text",
  webhook: "jsonb",
  result_sequence: "integer",
  data: "jsonb",
  error: "text",
  created_at: "bigint",
  due_at: "bigint",
});

function endPages({ jobId, endings, now }: Draft): RawBuilder<unknown> {
  const rows = endings.map((ending) => ({ ...ending, identity: String(ending.identity) }));
  return sql`update frontier set state = 'done', fate = given.fate, reason = given.reason,
      verdict = given.verdict, error = given.error, ended_at = ${now}::bigint, worker = null, leased_until = null
    from ${buildGivenRows(rows, { identity: "bigint", fate: "text", reason: "text", verdict: "text", error: "jsonb" })}
    where frontier.job_id = ${jobId}::uuid and frontier.identity = given.identity`;
}

function promote({ jobId, promoted, now }: Draft): RawBuilder<unknown> {
  return sql`update frontier set state = 'ready', fate = null, reason = null, queued_at = ${now}::bigint
    where job_id = ${jobId}::uuid and identity in (
      select identity from frontier where job_id = ${jobId}::uuid and state = 'held'
      order by depth, sequence limit ${promoted}::integer)`;
}

function dropLeases({ jobId }: Draft): RawBuilder<unknown> {
  return sql`update frontier set state = 'ready', worker = null, leased_until = null
    where job_id = ${jobId}::uuid and state = 'leased'`;
}

/** No worker has a job that has ended. */
export const closeRun = ({ jobId }: Draft): RawBuilder<unknown> =>
  sql`update job_runs set due_at = null, worker = null where job_id = ${jobId}::uuid`;

/**
 * The run that looks up pages of an earlier crawl. The one that read the sitemaps, if any, is done.
 */
const reopenRun = ({ jobId, now, progress }: Draft): RawBuilder<unknown> =>
  sql`insert into job_runs (job_id, run_kind, due_at) values (${jobId}::uuid, ${progress.kind}, ${now}::bigint)
    on conflict (job_id) do update set due_at = excluded.due_at, worker = null, attempts = 0`;

/** Results with zero data retention that were not read by then are deleted. */
const UNRETAINED_MS = 60 * 60 * 1000;

function extendExpiry({ jobId, now }: Draft): RawBuilder<unknown> {
  return sql`update jobs set expires_at = case when zero_data_retention
      then least(expires_at, ${now + UNRETAINED_MS}::bigint) else greatest(expires_at, ${now}::bigint + life_ms) end
    where id = ${jobId}::uuid`;
}

const REVIVED = {
  identity: "bigint",
  state: "text",
  depth: "integer",
  source: "text",
  parent: "bigint",
  marks: "jsonb",
  fate: "text",
  reason: "text",
  queued_at: "bigint",
} as const;

function requeueRows(jobId: string, revived: readonly FreshRow[]): RawBuilder<unknown> {
  return sql`update frontier set state = given.state, depth = given.depth, source = given.source, parent = given.parent,
      marks = given.marks, fate = given.fate, reason = given.reason, queued_at = given.queued_at, ended_at = null
    from ${buildGivenRows(revived, REVIVED)}
    where frontier.job_id = ${jobId}::uuid and frontier.identity = given.identity`;
}

function saveProgress({ jobId, progress }: Draft): RawBuilder<unknown> {
  const { state, seeding, completed_at, error, pending, completed, failed, spent, held } = progress;
  return sql`update job_progress set state = ${state}, seeding = ${seeding}, revisit = ${progress.revisit},
      completed_at = ${completed_at}::bigint,
      error = ${error === null ? null : toStorableJson(error)}::jsonb, pending = ${pending}::integer,
      completed = ${completed}::integer, failed = ${failed}::integer, spent = ${spent}::integer,
      held = ${held}::integer, discovered = ${progress.discovered}::integer,
      robots_blocked = ${progress.robots_blocked}::integer, events = ${progress.events}::integer,
      credits_used = ${progress.credits_used}::bigint
    where job_id = ${jobId}::uuid`;
}

/**
 * Writes the draft as one statement; very many URLs follow in chunks. All parts of the statement
 * see the old tables, so each row may be changed by one part only.
 */
export async function writeDraft(database: Kysely<Tables>, draft: Draft): Promise<void> {
  const parts: RawBuilder<unknown>[] = [];
  const [fresh = [], ...moreFresh] = splitChunks(draft.fresh, ROWS_PER_BATCH);
  const [revived = [], ...moreRevived] = splitChunks(draft.revived, ROWS_PER_BATCH);
  if (draft.results.length > 0) parts.push(insertResults(draft.results));
  if (fresh.length > 0) parts.push(insertFresh(fresh));
  if (revived.length > 0) parts.push(requeueRows(draft.jobId, revived));
  if (draft.endings.length > 0) parts.push(endPages(draft));
  if (draft.promoted > 0) parts.push(promote(draft));
  // A job that ends with its last pages has no other lease, and a row must not be changed twice.
  if (draft.ends && draft.endings.length === 0) parts.push(dropLeases(draft));
  if (draft.ends) parts.push(extendExpiry(draft), dropTallies(draft.jobId), closeRun(draft));
  else if (draft.tallies.size > 0) parts.push(buildTallyUpdate(draft.jobId, draft.tallies));
  if (draft.revisits) parts.push(reopenRun(draft));
  if (draft.deliveries.length > 0) parts.push(insertDeliveries(draft.deliveries));
  const before = parts.map((part, index) => sql`${sql.ref(`part_${index}`)} as (${part})`);
  const progress = saveProgress(draft);
  await (before.length === 0 ? progress : sql`with ${sql.join(before)} ${progress}`).execute(
    database,
  );
  for (const rows of moreFresh) await insertFresh(rows).execute(database);
  for (const rows of moreRevived) await requeueRows(draft.jobId, rows).execute(database);
}
