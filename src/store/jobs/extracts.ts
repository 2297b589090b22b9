// Extraction jobs. States: processing -> completed | failed; an ended job never changes.
import { sql, type Kysely } from "kysely";
import type { ErrorCode } from "../../contract/request/error-codes.ts";
import type { ErrorRecord } from "../../errors.ts";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import { isUuid } from "../database/uuid.ts";

/** One URL of a job: waiting until it has data or an error. */
export type ExtractPage = {
  readonly url: string;
  readonly data?: unknown;
  readonly error?: string;
  /** Of the error; missing where the page answered with an error status. */
  readonly code?: ErrorCode;
  readonly warning?: string;
};

export type NewExtract = {
  /** UUID version 7. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The validated options. JSON. */
  readonly options: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type ExtractEnd = {
  readonly state: "completed" | "failed";
  readonly data?: unknown;
  /** URLs by the fields they gave. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
  readonly error?: ErrorRecord;
  readonly warning?: string | undefined;
};

export type ExtractRecord = NewExtract & {
  readonly state: "processing" | "completed" | "failed" | "cancelled";
  /** Undefined until the pages are known. */
  readonly pages: readonly ExtractPage[] | undefined;
  readonly data: unknown;
  readonly sources: Readonly<Record<string, readonly string[]>> | undefined;
  readonly error: ErrorRecord | undefined;
  readonly warning: string | undefined;
  readonly creditsUsed: number;
  readonly completedAt: number | undefined;
};

export type ExtractStore = {
  create(extract: NewExtract): Promise<void>;
  /** Undefined when unknown or expired. */
  load(id: string, now?: number): Promise<ExtractRecord | undefined>;
  /** Stores the results so far; does nothing once the job has ended. */
  savePages(id: string, pages: readonly ExtractPage[], creditsUsed: number): Promise<void>;
  /** Returns false when it had ended. */
  end(id: string, end: ExtractEnd, now?: number): Promise<boolean>;
  processing(): Promise<string[]>;
};

type Row = {
  id: string;
  account_id: string;
  key_id: string;
  options: unknown;
  state: ExtractRecord["state"];
  pages: ExtractPage[] | null;
  data: unknown;
  sources: Record<string, string[]> | null;
  error: ErrorRecord | null;
  warning: string | null;
  credits_used: number;
  created_at: number;
  completed_at: number | null;
  expires_at: number;
};

const json = (value: unknown) =>
  value === undefined ? sql`null` : sql`${toStorableJson(value)}::jsonb`;

export function createExtractStore(kysely: Kysely<Tables>): ExtractStore {
  return {
    async create({ id, accountId, keyId, options, createdAt, expiresAt }) {
      await sql`
        insert into extracts (id, account_id, key_id, options, pages, created_at, expires_at)
        values (${id}::uuid, ${accountId}::uuid, ${keyId}::uuid, ${json(options)}, 'null'::jsonb, ${createdAt}, ${expiresAt})`.execute(
        kysely,
      );
    },
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const found = await sql<Row>`
        select id, account_id, key_id, options, state, pages, data, sources, error, warning, credits_used, created_at,
          completed_at, expires_at from extracts
        where id = ${id.toLowerCase()}::uuid and (expires_at > ${now}::bigint or state = 'processing')`.execute(
        kysely,
      );
      return found.rows[0] === undefined ? undefined : toRecord(found.rows[0]);
    },
    async savePages(id, pages, creditsUsed) {
      await sql`
        update extracts set pages = ${json(pages)}, credits_used = ${creditsUsed}::bigint
        where id = ${id}::uuid and state = 'processing'`.execute(kysely);
    },
    async end(id, { state, data, sources, error, warning }, now = Date.now()) {
      const ended = await sql<{ id: string }>`
        update extracts set state = ${state}, data = ${json(data)}, sources = ${json(sources)}, error = ${json(error)},
          warning = ${warning ?? null}, completed_at = ${now}::bigint,
          expires_at = ${now}::bigint + expires_at - created_at
        where id = ${id}::uuid and state = 'processing' returning id`.execute(kysely);
      return ended.rows.length > 0;
    },
    async processing() {
      const found = await sql<{ id: string }>`
        select id from extracts where state = 'processing' order by id limit 1000`.execute(kysely);
      return found.rows.map(({ id }) => id);
    },
  };
}

const toRecord = (row: Row): ExtractRecord => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  options: row.options,
  state: row.state,
  pages: row.pages ?? undefined,
  data: row.data ?? undefined,
  sources: row.sources ?? undefined,
  error: row.error ?? undefined,
  warning: row.warning ?? undefined,
  creditsUsed: row.credits_used,
  createdAt: row.created_at,
  completedAt: row.completed_at ?? undefined,
  expiresAt: row.expires_at,
});

/** Removes those that ended and expired. */
export async function removeExpiredExtracts(kysely: Kysely<Tables>, now: number): Promise<void> {
  await sql`delete from extracts where expires_at <= ${now}::bigint and state <> 'processing'`.execute(
    kysely,
  );
}
