// Monitors and their pages. Settings hold webhook addresses, headers and tokens, so they are stored
// encrypted. Every statement of a caller names the account: ids of other accounts are unknown.
import { createHash } from "node:crypto";
import { sql, type Kysely, type Selectable } from "kysely";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import type { Vault } from "../database/vault.ts";

export type MonitorStatus = "active" | "paused";

export type CheckSummary = {
  readonly totalPages: number;
  readonly same: number;
  readonly changed: number;
  readonly new: number;
  readonly removed: number;
  readonly error: number;
};

export type MonitorRecord = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  /** The key that pays for its checks. */
  readonly keyId: string;
  readonly name: string;
  readonly status: MonitorStatus;
  /** JSON of the monitor room, encrypted in its row. */
  readonly settings: unknown;
  /** Secret of the feed's address; part of the encrypted settings, looked up by its hash. */
  readonly feedToken: string;
  readonly retentionDays: number;
  readonly currentCheckId: string | null;
  /** Milliseconds since the epoch. */
  readonly lastRunAt: number | null;
  readonly lastSummary: CheckSummary | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type MonitorStore = {
  create(record: MonitorRecord): Promise<void>;
  load(accountId: string, id: string): Promise<MonitorRecord | undefined>;
  /** For work without a caller: runs of checks and notifications. */
  loadAny(id: string): Promise<MonitorRecord | undefined>;
  loadByFeed(token: string): Promise<MonitorRecord | undefined>;
  /** Newest first; `before` is the id of the last one of the previous page. */
  list(
    accountId: string,
    page: {
      readonly limit: number;
      readonly offset: number;
      readonly before?: string | undefined;
    },
  ): Promise<MonitorRecord[]>;
  count(accountId: string): Promise<number>;
  /** Over all accounts, for metrics. */
  countStates(now: number): Promise<{
    /** Scheduled checks whose time has come. */
    readonly due: number;
    /** Monitors whose last check could not read a page. */
    readonly broken: number;
    /** Notifications that are not delivered yet. */
    readonly waiting: number;
  }>;
  /** Replaces what a caller can change; false if the monitor is gone. */
  update(
    record: Pick<
      MonitorRecord,
      | "id"
      | "accountId"
      | "name"
      | "status"
      | "settings"
      | "feedToken"
      | "retentionDays"
      | "updatedAt"
    >,
  ): Promise<boolean>;
  /** Removes the monitor with its checks, versions and notifications. */
  remove(accountId: string, id: string): Promise<boolean>;
};

type Row = Selectable<Tables["monitors"]>;
type SealedColumns = { readonly settings: unknown; readonly feedToken: string };

const buildContext = (id: string): string => `monitor ${id}`;
const toFeedKey = (token: string): string => createHash("sha256").update(token).digest("hex");

export function createMonitorStore(kysely: Kysely<Tables>, vault: Vault): MonitorStore {
  const seal = async (id: string, sealed: SealedColumns): Promise<Buffer> =>
    Buffer.from(await vault.seal(Buffer.from(JSON.stringify(sealed)), buildContext(id)));

  async function toRecord(row: Row): Promise<MonitorRecord> {
    const bytes = await vault.open(row.sealed, buildContext(row.id));
    const { settings, feedToken } = JSON.parse(
      Buffer.from(bytes).toString("utf8"),
    ) as SealedColumns;
    return {
      id: row.id,
      accountId: row.account_id,
      keyId: row.key_id,
      name: row.name,
      status: row.status,
      settings,
      feedToken,
      retentionDays: row.retention_days,
      currentCheckId: row.current_check_id,
      lastRunAt: row.last_run_at,
      lastSummary: row.last_summary as CheckSummary | null,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    };
  }

  const toOne = async (row: Row | undefined): Promise<MonitorRecord | undefined> =>
    row === undefined ? undefined : await toRecord(row);
  const select = () => kysely.selectFrom("monitors").selectAll();

  return {
    async create(record) {
      const { id, settings, feedToken } = record;
      await kysely
        .insertInto("monitors")
        .values({
          id,
          account_id: record.accountId,
          key_id: record.keyId,
          name: record.name,
          status: record.status,
          sealed: await seal(id, { settings, feedToken }),
          feed_key: toFeedKey(feedToken),
          retention_days: record.retentionDays,
          current_check_id: null,
          last_run_at: null,
          last_summary: sql`${toStorableJson(null)}::json`,
          created_at: record.createdAt,
          updated_at: record.updatedAt,
        })
        .execute();
    },
    load: async (accountId, id) =>
      toOne(
        await select().where("account_id", "=", accountId).where("id", "=", id).executeTakeFirst(),
      ),
    loadAny: async (id) => toOne(await select().where("id", "=", id).executeTakeFirst()),
    loadByFeed: async (token) =>
      toOne(await select().where("feed_key", "=", toFeedKey(token)).executeTakeFirst()),
    async list(accountId, { limit, offset, before }) {
      const rows = await select()
        .where("account_id", "=", accountId)
        .$if(before !== undefined, (rows) => rows.where("id", "<", before ?? ""))
        .orderBy("id", "desc")
        .limit(limit)
        .offset(offset)
        .execute();
      return Promise.all(rows.map(toRecord));
    },
    async count(accountId) {
      const row = await kysely
        .selectFrom("monitors")
        .select((of) => of.fn.countAll<number>().as("count"))
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
    async countStates(now) {
      const { rows } = await sql<{ due: number; broken: number; waiting: number }>`select
        (select count(*) from schedules where kind = 'monitor' and next_at <= ${now}::bigint) as due,
        (select count(*) from monitors where (last_summary ->> 'error')::integer > 0) as broken,
        (select count(*) from monitor_notices where state = 'waiting') as waiting`.execute(kysely);
      const [row] = rows;
      return {
        due: Number(row?.due ?? 0),
        broken: Number(row?.broken ?? 0),
        waiting: Number(row?.waiting ?? 0),
      };
    },
    async update({ id, accountId, settings, feedToken, ...record }) {
      const [updated] = await kysely
        .updateTable("monitors")
        .set({
          name: record.name,
          status: record.status,
          sealed: await seal(id, { settings, feedToken }),
          retention_days: record.retentionDays,
          updated_at: record.updatedAt,
        })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .execute();
      return (updated?.numUpdatedRows ?? 0n) > 0n;
    },
    async remove(accountId, id) {
      const [removed] = await kysely
        .deleteFrom("monitors")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .execute();
      return (removed?.numDeletedRows ?? 0n) > 0n;
    },
  };
}
