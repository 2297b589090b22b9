import { sql, type Kysely } from "kysely";
import type { GroupWriter } from "../database/group-writer.ts";
import type { Tables } from "../database/schema.ts";

export type ActivityRecord = {
  /** Id of the job. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly endpoint: string;
  readonly apiVersion: string;
  /** The requested URL or query; null when it may not be stored. */
  readonly target: string | null;
  readonly succeeded: boolean;
  readonly createdAt: number;
};

/** A position in the list, newest first. */
export type ActivityPosition = { readonly createdAt: number; readonly id: string };

export type ActivityStore = {
  record(activity: ActivityRecord): void;
  /** Returns entries newest first, after `after` and not older than `since`. */
  list(
    accountId: string,
    query: { endpoint?: string; since: number; after?: ActivityPosition; limit: number },
  ): Promise<ActivityRecord[]>;
  /** When the last success was, milliseconds since the epoch. */
  findLastSuccessAt(accountId: string): Promise<number | undefined>;
};

type ActivityRow = Tables["activity"];

/** Stores who requested what during the last day. */
export function createActivityStore(kysely: Kysely<Tables>, writer: GroupWriter): ActivityStore {
  const queue = writer.registerTable<ActivityRow>("activity", {
    id: "uuid",
    account_id: "uuid",
    key_id: "uuid",
    endpoint: "text",
    api_version: "text",
    target: "text",
    succeeded: "boolean",
    created_at: "bigint",
  });
  return {
    record(activity) {
      queue.enqueue({
        id: activity.id,
        account_id: activity.accountId,
        key_id: activity.keyId,
        endpoint: activity.endpoint,
        api_version: activity.apiVersion,
        target: activity.target,
        succeeded: activity.succeeded,
        created_at: activity.createdAt,
      });
    },
    async list(accountId, { endpoint, since, after, limit }) {
      await writer.flush();
      let query = kysely
        .selectFrom("activity")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("created_at", ">=", since);
      if (endpoint !== undefined) query = query.where("endpoint", "=", endpoint);
      if (after !== undefined)
        query = query.where(
          sql<boolean>`(created_at, id) < (${after.createdAt}::bigint, ${after.id}::uuid)`,
        );
      const rows = await query
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        accountId: row.account_id,
        keyId: row.key_id,
        endpoint: row.endpoint,
        apiVersion: row.api_version,
        target: row.target,
        succeeded: row.succeeded,
        createdAt: row.created_at,
      }));
    },
    async findLastSuccessAt(accountId) {
      await writer.flush();
      const row = await kysely
        .selectFrom("activity")
        .select("created_at")
        .where("account_id", "=", accountId)
        .where("succeeded", "=", true)
        .orderBy("created_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return row?.created_at;
    },
  };
}
