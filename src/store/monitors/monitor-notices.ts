// The outbox of monitors: written in the transaction that ends a check, claimed under a lease, kept
// as the delivery log. The dedup key makes a repeated write harmless.
import { sql, type Kysely, type Selectable } from "kysely";
import { buildRowInsert } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type NewNotice = {
  readonly id: string;
  readonly monitorId: string;
  readonly accountId: string;
  readonly checkId: string | null;
  /** Id of the channel in the settings of the monitor. */
  readonly channel: string;
  readonly event: string;
  /** A notice with a known key is not written again. */
  readonly dedupKey: string;
  /** JSON of the monitor room. */
  readonly payload: unknown;
  /** Time of the first attempt, milliseconds since the epoch. */
  readonly dueAt: number;
  readonly createdAt: number;
};

export type Notice = NewNotice & {
  /** Number of attempts, including the current one. */
  readonly attempts: number;
  /** Id of the message that an earlier attempt sent; null if it was sent alone or not at all. */
  readonly groupId: string | null;
};

export type NoticeEntry = Pick<
  Notice,
  "id" | "checkId" | "channel" | "event" | "createdAt" | "attempts"
> & {
  readonly state: "waiting" | "delivered" | "failed";
  /** Time of the next attempt of a waiting notice. */
  readonly dueAt: number;
  readonly endedAt: number | null;
  readonly statusCode: number | null;
  readonly error: string | null;
};

export type NoticeOutcome =
  | { readonly type: "delivered"; readonly statusCode: number | null }
  | {
      readonly type: "retry";
      readonly at: number;
      readonly statusCode: number | null;
      readonly error: string;
    }
  | { readonly type: "failed"; readonly statusCode: number | null; readonly error: string };

export type MonitorNoticeStore = {
  /** Writes notices without a check, such as a test. */
  add(notice: NewNotice): Promise<void>;
  /** Claims due notices, longest waiting first, and the others of their messages. */
  claim(claim: {
    readonly worker: string;
    readonly max: number;
    readonly leaseMs: number;
    readonly now: number;
  }): Promise<Notice[]>;
  /** Makes notices one message, in this and each further attempt. */
  group(worker: string, notices: readonly Pick<Notice, "id">[], groupId: string): Promise<void>;
  /** Records the outcome of an attempt; no effect if another worker has claimed the notice. */
  finish(
    worker: string,
    notices: readonly Pick<Notice, "id" | "attempts">[],
    outcome: NoticeOutcome,
    now: number,
  ): Promise<void>;
  /** Ends all leases; only for a process that is alone on the database. */
  releaseAll(): Promise<void>;
  /** Notices of a channel created since `since`, for its rate cap. */
  countSince(monitorId: string, channel: string, since: number): Promise<number>;
  /** The delivery log of a monitor, newest first. */
  log(
    monitorId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<NoticeEntry[]>;
};

const insert = buildRowInsert("monitor_notices", {
  id: "uuid",
  monitor_id: "uuid",
  account_id: "uuid",
  check_id: "uuid",
  channel: "text",
  event: "text",
  dedup_key: "text",
  payload: "json",
  state: "text",
  attempts: "integer",
  due_at: "bigint",
  leased_until: "bigint",
  created_at: "bigint",
});

const NOTICES_PER_BATCH = 500;

/** Writes notices; those with a known dedup key are skipped. */
export async function insertNotices(
  database: Kysely<Tables>,
  notices: readonly NewNotice[],
): Promise<void> {
  for (let first = 0; first < notices.length; first += NOTICES_PER_BATCH)
    await insert(
      notices.slice(first, first + NOTICES_PER_BATCH).map((notice) => ({
        id: notice.id,
        monitor_id: notice.monitorId,
        account_id: notice.accountId,
        check_id: notice.checkId,
        channel: notice.channel,
        event: notice.event,
        dedup_key: notice.dedupKey,
        payload: notice.payload,
        state: "waiting",
        attempts: 0,
        due_at: notice.dueAt,
        leased_until: 0,
        created_at: notice.createdAt,
      })),
    ).execute(database);
}

type Row = Selectable<Tables["monitor_notices"]>;

const toNotice = (row: Row): Notice => ({
  id: row.id,
  monitorId: row.monitor_id,
  accountId: row.account_id,
  checkId: row.check_id,
  channel: row.channel,
  event: row.event,
  dedupKey: row.dedup_key,
  payload: row.payload,
  dueAt: row.due_at,
  createdAt: row.created_at,
  attempts: row.attempts,
  groupId: row.group_id,
});

const STATES = { delivered: "delivered", retry: "waiting", failed: "failed" } as const;

export function createMonitorNoticeStore(kysely: Kysely<Tables>): MonitorNoticeStore {
  return {
    add: (notice) => insertNotices(kysely, [notice]),
    async claim({ worker, max, leaseMs, now }) {
      const claimed = await sql<Row>`
        with due as materialized (
          select id, group_id from monitor_notices
          where state = 'waiting' and due_at <= ${now}::bigint and leased_until <= ${now}::bigint
          order by due_at limit ${max}::integer for update skip locked
        )
        update monitor_notices set worker = ${worker}, leased_until = ${now + leaseMs}::bigint, attempts = attempts + 1
        where id in (select id from due) or (state = 'waiting' and leased_until <= ${now}::bigint
          and group_id in (select group_id from due where group_id is not null))
        returning *`.execute(kysely);
      return claimed.rows
        .map(toNotice)
        .sort((one, other) => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1));
    },
    async group(worker, notices, groupId) {
      const ids = JSON.stringify(notices.map(({ id }) => id));
      await sql`update monitor_notices set group_id = ${groupId}::uuid where worker = ${worker}
        and id in (select value::uuid from json_array_elements_text(${ids}::json))`.execute(kysely);
    },
    async finish(worker, notices, outcome, now) {
      for (const { id, attempts } of notices)
        await kysely
          .updateTable("monitor_notices")
          .set({
            state: STATES[outcome.type],
            worker: null,
            leased_until: 0,
            status_code: outcome.statusCode,
            failure: outcome.type === "delivered" ? null : outcome.error,
            ...(outcome.type === "retry" ? { due_at: outcome.at } : { ended_at: now }),
          })
          .where("id", "=", id)
          .where("worker", "=", worker)
          .where("attempts", "=", attempts)
          .where("state", "=", "waiting")
          .execute();
    },
    async releaseAll() {
      await sql`update monitor_notices set worker = null, leased_until = 0
        where state = 'waiting' and leased_until > 0`.execute(kysely);
    },
    async countSince(monitorId, channel, since) {
      const row = await kysely
        .selectFrom("monitor_notices")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where("monitor_id", "=", monitorId)
        .where("channel", "=", channel)
        .where("created_at", ">", since)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async log(monitorId, { limit, offset }) {
      const rows = await kysely
        .selectFrom("monitor_notices")
        .selectAll()
        .where("monitor_id", "=", monitorId)
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        checkId: row.check_id,
        channel: row.channel,
        event: row.event,
        state: row.state,
        createdAt: row.created_at,
        attempts: row.attempts,
        dueAt: row.due_at,
        endedAt: row.ended_at,
        statusCode: row.status_code,
        error: row.failure,
      }));
    },
  };
}
