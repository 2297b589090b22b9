// Checks of monitors. A check ends in one transaction: its pages, the versions for the next check,
// the state of the monitor and the notifications to send. A crash before the commit leaves nothing;
// a crash after it leaves the check ended.
import { createHash } from "node:crypto";
import { sql, type Kysely, type Selectable, type Transaction } from "kysely";
import type { BlobStore } from "../blobs/blobs.ts";
import { findBytes, keepBytes } from "../blobs/inline-blob.ts";
import { buildRowInsert, toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import type { TransactionStep } from "../jobs/jobs.ts";
import { insertNotices, type NewNotice } from "./monitor-notices.ts";
import type { CheckSummary } from "./monitors.ts";

export type CheckRecord = {
  /** Also the id of its job. */
  readonly id: string;
  readonly monitorId: string;
  readonly accountId: string;
  readonly status: string;
  readonly trigger: "scheduled" | "manual";
  /** Times in milliseconds since the epoch. */
  readonly scheduledFor: number | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly estimatedCredits: number;
  readonly actualCredits: number | null;
  readonly summary: CheckSummary;
  readonly targetResults: readonly object[];
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type NewCheck = Pick<
  CheckRecord,
  "id" | "monitorId" | "accountId" | "trigger" | "scheduledFor" | "estimatedCredits" | "createdAt"
> & { readonly expiresAt: number };

export type CheckPage = {
  readonly id: string;
  readonly targetId: string;
  readonly url: string;
  readonly status: string;
  /** The other fields of the page on the wire. JSON. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
};

/** A version of a page: its text, and its values if any. */
export type PageVersion = {
  readonly id: string;
  readonly fetchedAt: number;
  readonly textHash: string;
  /** Loads the content; undefined when its blob is gone. */
  load(): Promise<unknown>;
};

export type PageHistory = {
  /** Undefined for a page that was never checked. */
  readonly state: unknown;
  /** Newest first. */
  readonly versions: readonly PageVersion[];
};

export type PageChange = {
  readonly targetId: string;
  readonly url: string;
  readonly state: unknown;
  readonly version?:
    | { readonly fetchedAt: number; readonly textHash: string; readonly body: unknown }
    | undefined;
};

export type CheckEnd = {
  readonly status: "completed" | "failed" | "partial" | "skipped_no_credits";
  readonly summary: CheckSummary;
  readonly targetResults: readonly object[];
  readonly actualCredits: number;
  readonly error: string | null;
  readonly pages: readonly CheckPage[];
  readonly changes: readonly PageChange[];
  readonly notices: readonly NewNotice[];
  /** Scrapes that stay readable as long as the check. */
  readonly keptScrapes: readonly string[];
  /** Scrapes that the next check refers to if their pages change; readable at least until a time. */
  readonly baselines?: { readonly scrapes: readonly string[]; readonly until: number } | undefined;
};

export type PageFilter = {
  readonly skip: number;
  readonly limit: number;
  readonly status?: string | undefined;
};

export type MonitorCheckStore = {
  /** Writes a check with its job. Returns false without writing while another check runs. */
  begin(check: NewCheck): TransactionStep;
  /** Records a skipped check; once for each time. */
  skip(check: NewCheck, status: "skipped_overlap" | "skipped_no_credits"): Promise<void>;
  /** Returns false when the check has ended or its monitor is gone. */
  markStarted(id: string, now: number): Promise<boolean>;
  /** Ends a check; returns false when it had already ended. */
  end(check: Pick<CheckRecord, "id" | "monitorId">, end: CheckEnd, now: number): Promise<boolean>;
  /** Ends checks whose job has ended without them. */
  endAbandoned(monitorId: string, now: number): Promise<void>;
  load(accountId: string, monitorId: string, id: string): Promise<CheckRecord | undefined>;
  /** Newest first. */
  list(
    accountId: string,
    monitorId: string,
    filter: {
      readonly limit: number;
      readonly offset: number;
      readonly status?: string | undefined;
    },
  ): Promise<CheckRecord[]>;
  /** In the order of the targets. */
  listCheckPages(checkId: string, filter: PageFilter): Promise<CheckPage[]>;
  /**
   * Pages that notified of a change, that they are broken or that they can be read again, newest
   * first, over all checks of a monitor.
   */
  listAlerts(monitorId: string, limit: number): Promise<CheckPage[]>;
  listHistory(
    monitorId: string,
    page: { readonly targetId: string; readonly url: string },
  ): Promise<PageHistory>;
  /** The URLs of a target that earlier checks saw. */
  listKnownUrls(
    monitorId: string,
    targetId: string,
  ): Promise<{ readonly url: string; readonly state: unknown }[]>;
  /** Keeps scrapes readable at least until a time. */
  keepScrapes(ids: readonly string[], until: number): Promise<void>;
};

/** Maximum stored versions of a page. */
export const MAX_VERSIONS = 8;
const PAGES_PER_BATCH = 200;
const REMOVED_PER_BATCH = 500;
const NO_PAGES: CheckSummary = { totalPages: 0, same: 0, changed: 0, new: 0, removed: 0, error: 0 };

const insertPages = buildRowInsert("monitor_pages", {
  id: "uuid",
  check_id: "uuid",
  monitor_id: "uuid",
  position: "integer",
  target_id: "text",
  url: "text",
  status: "text",
  about: "json",
  created_at: "bigint",
});

const insertVersions = buildRowInsert("monitor_versions", {
  id: "uuid",
  monitor_id: "uuid",
  key: "text",
  fetched_at: "bigint",
  text_hash: "text",
  body_ref: "text",
  body_inline: "bytea",
});

/** Hexadecimal SHA-256, because URLs may exceed the index's key size. */
const toKey = (page: { readonly targetId: string; readonly url: string }): string =>
  createHash("sha256")
    .update(JSON.stringify([page.targetId, page.url]))
    .digest("hex");

const toCheck = (row: Selectable<Tables["monitor_checks"]>): CheckRecord => ({
  id: row.id,
  monitorId: row.monitor_id,
  accountId: row.account_id,
  status: row.status,
  trigger: row.trigger,
  scheduledFor: row.scheduled_for,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  estimatedCredits: row.estimated_credits,
  actualCredits: row.actual_credits,
  summary: row.summary as CheckSummary,
  targetResults: row.target_results as object[],
  error: row.error,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toPage = (row: Selectable<Tables["monitor_pages"]>): CheckPage => ({
  id: row.id,
  targetId: row.target_id,
  url: row.url,
  status: row.status,
  about: row.about as CheckPage["about"],
  createdAt: row.created_at,
});

async function extendScrapes(
  database: Kysely<Tables>,
  ids: readonly string[],
  until: number,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`update scrapes set expires_at = ${until}::bigint
    where id in (select value::uuid from json_array_elements_text(${JSON.stringify(ids)}::json))
      and expires_at < ${until}::bigint`.execute(database);
}

async function insertCheck(
  database: Kysely<Tables>,
  check: NewCheck,
  status: string,
): Promise<boolean> {
  const isOver = status.startsWith("skipped");
  const made = await sql<{ id: string }>`
    insert into monitor_checks (id, monitor_id, account_id, status, trigger, scheduled_for, finished_at,
      estimated_credits, summary, target_results, created_at, updated_at, expires_at)
    select ${check.id}::uuid, id, account_id, ${status}, ${check.trigger}, ${check.scheduledFor}::bigint,
      ${isOver ? check.createdAt : null}::bigint, ${check.estimatedCredits}::integer, ${toStorableJson(NO_PAGES)}::json,
      '[]'::json, ${check.createdAt}::bigint, ${check.createdAt}::bigint, ${check.expiresAt}::bigint
    from monitors where id = ${check.monitorId}::uuid
    on conflict do nothing returning id`.execute(database);
  return made.rows.length > 0;
}

/** Checks that still run although their job has ended, for example with a stopped account. */
const endAbandonedChecks = (database: Kysely<Tables>, monitorId: string, now: number) =>
  sql`update monitor_checks set status = 'failed', error = 'The check was stopped before it ended.',
      finished_at = ${now}::bigint, updated_at = ${now}::bigint
    where monitor_id = ${monitorId}::uuid and status in ('queued', 'running')
      and not exists (select 1 from job_progress where job_id = monitor_checks.id and state = 'scraping')`.execute(
    database,
  );

async function writeChanges(
  transaction: Transaction<Tables>,
  monitorId: string,
  changes: readonly (PageChange & { readonly kept?: KeptBodies | undefined })[],
  createId: () => string,
): Promise<void> {
  for (const change of changes) {
    const key = toKey(change);
    await sql`
      insert into monitor_states (monitor_id, key, target_id, url, state)
      values (${monitorId}::uuid, ${key}, ${change.targetId}, ${change.url}, ${toStorableJson(change.state)}::json)
      on conflict (monitor_id, key) do update set state = excluded.state`.execute(transaction);
    const { version, kept } = change;
    if (version === undefined || kept === undefined) continue;
    await insertVersions([
      {
        id: createId(),
        monitor_id: monitorId,
        key,
        fetched_at: version.fetchedAt,
        text_hash: version.textHash,
        body_ref: kept.ref,
        body_inline: kept.inline,
      },
    ]).execute(transaction);
    await sql`delete from monitor_versions where monitor_id = ${monitorId}::uuid and key = ${key} and id not in (
        select id from monitor_versions where monitor_id = ${monitorId}::uuid and key = ${key}
        order by fetched_at desc, id desc limit ${MAX_VERSIONS}::integer)`.execute(transaction);
  }
}

type KeptBodies = Awaited<ReturnType<typeof keepBytes>>;

export function createMonitorCheckStore(
  kysely: Kysely<Tables>,
  blobs: BlobStore,
  createId: () => string,
): MonitorCheckStore {
  return {
    begin: (check) => async (transaction) => {
      await endAbandonedChecks(transaction, check.monitorId, check.createdAt);
      const taken = await sql<{ id: string }>`
        update monitors set current_check_id = ${check.id}::uuid
        where id = ${check.monitorId}::uuid and (current_check_id is null or not exists (
          select 1 from monitor_checks where id = current_check_id and status in ('queued', 'running')))
        returning id`.execute(transaction);
      return taken.rows.length > 0 && (await insertCheck(transaction, check, "queued"));
    },
    async skip(check, status) {
      await insertCheck(kysely, check, status);
    },
    async markStarted(id, now) {
      const found = await sql<{ id: string }>`
        update monitor_checks set status = 'running', started_at = coalesce(started_at, ${now}::bigint),
          updated_at = ${now}::bigint
        where id = ${id}::uuid and status in ('queued', 'running') returning id`.execute(kysely);
      return found.rows.length > 0;
    },
    async end({ id, monitorId }, end, now) {
      // Written before the transaction; a blob without a row is removed later.
      const changes: (PageChange & { readonly kept: KeptBodies | undefined })[] = [];
      for (const change of end.changes) {
        const { version } = change;
        const kept =
          version === undefined
            ? undefined
            : await keepBytes(blobs, Buffer.from(toStorableJson(version.body)));
        changes.push({ ...change, kept });
      }
      return await kysely.transaction().execute(async (transaction) => {
        const ended = await sql<{ expires_at: number }>`
          update monitor_checks set status = ${end.status}, summary = ${toStorableJson(end.summary)}::json,
            target_results = ${toStorableJson(end.targetResults)}::json, actual_credits = ${end.actualCredits}::integer,
            error = ${end.error}, finished_at = ${now}::bigint, updated_at = ${now}::bigint
          where id = ${id}::uuid and status in ('queued', 'running') returning expires_at`.execute(
          transaction,
        );
        const [row] = ended.rows;
        if (row === undefined) return false;
        for (let first = 0; first < end.pages.length; first += PAGES_PER_BATCH)
          await insertPages(
            end.pages.slice(first, first + PAGES_PER_BATCH).map((page, index) => ({
              id: page.id,
              check_id: id,
              monitor_id: monitorId,
              position: first + index,
              target_id: page.targetId,
              url: page.url,
              status: page.status,
              about: page.about,
              created_at: page.createdAt,
            })),
          ).execute(transaction);
        await writeChanges(transaction, monitorId, changes, createId);
        await extendScrapes(transaction, end.keptScrapes, row.expires_at);
        if (end.baselines !== undefined)
          await extendScrapes(transaction, end.baselines.scrapes, end.baselines.until);
        await insertNotices(transaction, end.notices);
        await sql`update monitors set last_run_at = ${now}::bigint, last_summary = ${toStorableJson(end.summary)}::json,
            current_check_id = case when current_check_id = ${id}::uuid then null else current_check_id end
          where id = ${monitorId}::uuid`.execute(transaction);
        return true;
      });
    },
    async load(accountId, monitorId, id) {
      const row = await kysely
        .selectFrom("monitor_checks")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("monitor_id", "=", monitorId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? undefined : toCheck(row);
    },
    async endAbandoned(monitorId, now) {
      await endAbandonedChecks(kysely, monitorId, now);
    },
    async list(accountId, monitorId, { limit, offset, status }) {
      let query = kysely
        .selectFrom("monitor_checks")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("monitor_id", "=", monitorId);
      if (status !== undefined) query = query.where("status", "=", status);
      const rows = await query.orderBy("id", "desc").limit(limit).offset(offset).execute();
      return rows.map(toCheck);
    },
    async listCheckPages(checkId, { skip, limit, status }) {
      let query = kysely.selectFrom("monitor_pages").selectAll().where("check_id", "=", checkId);
      if (status !== undefined) query = query.where("status", "=", status);
      const rows = await query.orderBy("position").offset(skip).limit(limit).execute();
      return rows.map(toPage);
    },
    async listAlerts(monitorId, limit) {
      // Checks of older versions have no event.
      const { rows } = await sql<Selectable<Tables["monitor_pages"]>>`
        select * from (
          (select * from monitor_pages where monitor_id = ${monitorId}::uuid and status <> 'same'
            and case when about -> 'event' is not null then about ->> 'event' is not null
              else status = 'removed'
                or (status = 'changed' and (about -> 'judgment' ->> 'meaningful') is distinct from 'false') end
            order by id desc limit ${limit}::integer)
          union all
          (select * from monitor_pages where monitor_id = ${monitorId}::uuid and status = 'same'
            and about ->> 'event' = 'recovered' order by id desc limit ${limit}::integer)
        ) as alerts order by id desc limit ${limit}::integer`.execute(kysely);
      return rows.map(toPage);
    },
    async listHistory(monitorId, page) {
      const key = toKey(page);
      const { rows } = await sql<{
        state: unknown;
        id: string | null;
        fetched_at: number;
        text_hash: string;
        body_ref: string | null;
        body_inline: Uint8Array | null;
      }>`
        select state, id, fetched_at, text_hash, body_ref, body_inline
        from monitor_states left join monitor_versions using (monitor_id, key)
        where monitor_id = ${monitorId}::uuid and key = ${key}
        order by fetched_at desc, id desc`.execute(kysely);
      return {
        state: rows[0]?.state,
        versions: rows.flatMap((row) =>
          row.id === null
            ? []
            : [
                {
                  id: row.id,
                  fetchedAt: row.fetched_at,
                  textHash: row.text_hash,
                  async load() {
                    const bytes = await findBytes(blobs, row.body_ref, row.body_inline);
                    return bytes === undefined
                      ? undefined
                      : (JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown);
                  },
                },
              ],
        ),
      };
    },
    async listKnownUrls(monitorId, targetId) {
      return await kysely
        .selectFrom("monitor_states")
        .select(["url", "state"])
        .where("monitor_id", "=", monitorId)
        .where("target_id", "=", targetId)
        .orderBy("url")
        .execute();
    },
    async keepScrapes(ids, until) {
      await extendScrapes(kysely, ids, until);
    },
  };
}

/** Removes expired checks with their pages and notifications; returns their number. */
export async function removeExpiredChecks(kysely: Kysely<Tables>, now: number): Promise<number> {
  for (let count = 0; ;) {
    const { rows } = await sql<{ id: string }>`
      with gone as (
        delete from monitor_checks where id in (
          select id from monitor_checks where expires_at <= ${now}::bigint and status not in ('queued', 'running')
          limit ${sql.lit(REMOVED_PER_BATCH)}) returning id
      ), sent as (
        delete from monitor_notices where state <> 'waiting' and check_id in (select id from gone)
      ) select id from gone`.execute(kysely);
    count += rows.length;
    if (rows.length < REMOVED_PER_BATCH) return count;
  }
}
