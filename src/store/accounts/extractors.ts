// Stored extractors. Every statement names the account: ids of other accounts are unknown.
import { sql, type Kysely, type Selectable } from "kysely";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type ExtractorState = "ready" | "drifted";
export type ExtractorOrigin = "program" | "examples" | "rules" | "model";

export type ExtractorRecord = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly source: ExtractorOrigin;
  /** Counts up with each new program. */
  readonly version: number;
  readonly state: ExtractorState;
  /** The program, as the contract has it. */
  readonly program: unknown;
  /** Input of its learning: examples, schema, prompt, options of the pages, problems. */
  readonly request: unknown;
  /** Statistics of its last pages. */
  readonly health: unknown;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type ExtractorStore = {
  create(record: ExtractorRecord): Promise<void>;
  load(accountId: string, id: string): Promise<ExtractorRecord | undefined>;
  /** Newest first; `before` is the last id of the previous page. */
  list(accountId: string, limit: number, before?: string): Promise<ExtractorRecord[]>;
  count(accountId: string): Promise<number>;
  /**
   * Replaces an extractor with the result of `change`, under a lock; undefined if it is gone.
   * `change` may return undefined to keep it.
   */
  update(
    accountId: string,
    id: string,
    change: (record: ExtractorRecord) => ExtractorRecord | undefined,
  ): Promise<ExtractorRecord | undefined>;
  remove(accountId: string, id: string): Promise<boolean>;
};

type Row = Selectable<Tables["extractors"]>;

const toRecord = (row: Row): ExtractorRecord => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  source: row.source,
  version: row.version,
  state: row.state,
  program: row.program,
  request: row.request,
  health: row.health,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
});

export function createExtractorStore(kysely: Kysely<Tables>): ExtractorStore {
  return {
    async create(record) {
      const { id, accountId, name, source, version, state, program, request, health } = record;
      await sql`
        insert into extractors (id, account_id, name, source, version, state, program, request, health, created_at,
          updated_at)
        values (${id}::uuid, ${accountId}::uuid, ${name}, ${source}, ${version}::integer, ${state},
          ${toStorableJson(program)}::json, ${toStorableJson(request)}::json, ${toStorableJson(health)}::json,
          ${record.createdAt}::bigint, ${record.updatedAt}::bigint)`.execute(kysely);
    },

    async load(accountId, id) {
      const row = await kysely
        .selectFrom("extractors")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },

    async list(accountId, limit, before) {
      let query = kysely.selectFrom("extractors").selectAll().where("account_id", "=", accountId);
      if (before !== undefined) query = query.where("id", "<", before);
      const rows = await query.orderBy("id", "desc").limit(limit).execute();
      return rows.map((row) => toRecord(row));
    },

    async count(accountId) {
      const row = await kysely
        .selectFrom("extractors")
        .select((select) => select.fn.countAll<number>().as("count"))
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },

    async update(accountId, id, change) {
      return await kysely.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom("extractors")
          .selectAll()
          .where("account_id", "=", accountId)
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const before = toRecord(row);
        const after = change(before);
        if (after === undefined) return before;
        const { name, source, version, state, program, request, health, updatedAt } = after;
        await sql`
          update extractors set name = ${name}, source = ${source}, version = ${version}::integer, state = ${state},
            program = ${toStorableJson(program)}::json, request = ${toStorableJson(request)}::json,
            health = ${toStorableJson(health)}::json, updated_at = ${updatedAt}::bigint
          where id = ${id}::uuid and account_id = ${accountId}::uuid`.execute(transaction);
        return after;
      });
    },

    async remove(accountId, id) {
      const [removed] = await kysely
        .deleteFrom("extractors")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .execute();
      return (removed?.numDeletedRows ?? 0n) > 0n;
    },
  };
}
