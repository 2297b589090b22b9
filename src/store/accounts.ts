import type { Kysely, Selectable } from "kysely";
import { v7 } from "uuid";
import { InternalError } from "../errors.ts";
import type { Tables } from "./schema.ts";

export type KeyLimits = {
  /** Credits the key may spend in all; null is without end. */
  readonly creditBudget: number | null;
  readonly requestsPerMinute: number | null;
  /** Requests in work at once. */
  readonly concurrency: number | null;
};

export type KeyRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** The key before the last rotation, and until when it is still accepted. */
  readonly previous: { readonly hash: string; readonly until: number } | null;
  /** The first characters, by which a person knows the key again. */
  readonly prefix: string;
  readonly limits: KeyLimits;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

export type KeyStore = {
  /** The id of the one account a fresh installation has; made on first use, the same for every process. */
  ensureAccount(): Promise<string>;
  insert(key: KeyRecord): Promise<void>;
  /** By the hash of the key or of the one before its rotation. */
  findByHash(hash: string): Promise<KeyRecord | undefined>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** Of one account, oldest first; revoked and expired ones too. */
  list(accountId: string): Promise<KeyRecord[]>;
  count(): Promise<number>;
  /** Marks the key revoked; false when there is none or it was revoked before. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Gives the key a new hash; the one it had is remembered as the previous. False when there is no such valid key. */
  rotate(
    id: string,
    next: { readonly hash: string; readonly prefix: string; readonly previousUntil: number },
  ): Promise<boolean>;
  saveLimits(id: string, limits: KeyLimits): Promise<void>;
  /** Remembers when keys were last used; `uses` maps key id to milliseconds since the epoch. */
  saveLastUsed(uses: ReadonlyMap<string, number>): Promise<void>;
};

const FIRST_ACCOUNT = "00000000-0000-7000-8000-00000000000a";

function toRecord(row: Selectable<Tables["api_keys"]>): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hash: row.hash,
    previous:
      row.previous_hash === null
        ? null
        : { hash: row.previous_hash, until: row.previous_until ?? 0 },
    prefix: row.prefix,
    limits: {
      creditBudget: row.credit_budget,
      requestsPerMinute: row.requests_per_minute,
      concurrency: row.concurrency,
    },
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** Accounts and their keys. A key itself is never here, only its hash. */
export function createKeyStore(kysely: Kysely<Tables>): KeyStore {
  const keys = () => kysely.selectFrom("api_keys").selectAll();
  return {
    async ensureAccount() {
      const find = () =>
        kysely
          .selectFrom("accounts")
          .select("id")
          .orderBy("created_at")
          .limit(1)
          .executeTakeFirst();
      const found = await find();
      if (found !== undefined) return found.id;
      await kysely
        .insertInto("accounts")
        .values({ id: FIRST_ACCOUNT, name: "default", created_at: Date.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const made = await find();
      if (made === undefined) throw new InternalError("The first account could not be made.");
      return made.id;
    },
    async insert(key) {
      await kysely
        .insertInto("api_keys")
        .values({
          id: key.id,
          account_id: key.accountId,
          name: key.name,
          hash: key.hash,
          previous_hash: key.previous?.hash ?? null,
          previous_until: key.previous?.until ?? null,
          prefix: key.prefix,
          created_at: key.createdAt,
          last_used_at: key.lastUsedAt,
          expires_at: key.expiresAt,
          revoked_at: key.revokedAt,
          credit_budget: key.limits.creditBudget,
          requests_per_minute: key.limits.requestsPerMinute,
          concurrency: key.limits.concurrency,
        })
        .execute();
    },
    async findByHash(hash) {
      const row = await keys()
        .where((where) => where.or([where("hash", "=", hash), where("previous_hash", "=", hash)]))
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async find(id) {
      const row = await keys().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async list(accountId) {
      const rows = await keys()
        .where("account_id", "=", accountId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toRecord);
    },
    async count() {
      const row = await kysely
        .selectFrom("api_keys")
        .select((select) => select.fn.countAll<number>().as("count"))
        .executeTakeFirst();
      return row?.count ?? 0;
    },
    async revoke(id, at) {
      const rows = await kysely
        .updateTable("api_keys")
        .set({ revoked_at: at })
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return rows.length === 1;
    },
    async rotate(id, { hash, prefix, previousUntil }) {
      const rows = await kysely
        .updateTable("api_keys")
        .set((old) => ({
          hash,
          prefix,
          previous_hash: old.ref("hash"),
          previous_until: previousUntil,
        }))
        .where("id", "=", id)
        .where("revoked_at", "is", null)
        .returning("id")
        .execute();
      return rows.length === 1;
    },
    async saveLimits(id, limits) {
      await kysely
        .updateTable("api_keys")
        .set({
          credit_budget: limits.creditBudget,
          requests_per_minute: limits.requestsPerMinute,
          concurrency: limits.concurrency,
        })
        .where("id", "=", id)
        .execute();
    },
    async saveLastUsed(uses) {
      for (const [id, at] of uses)
        await kysely
          .updateTable("api_keys")
          .set({ last_used_at: at })
          .where("id", "=", id)
          .where((where) =>
            where.or([where("last_used_at", "is", null), where("last_used_at", "<", at)]),
          )
          .execute();
    },
  };
}

/** A time-ordered identifier (RFC 9562, version 7), as all rows have. */
export function createRowId(): string {
  return v7();
}
