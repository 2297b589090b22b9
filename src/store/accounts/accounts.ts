import type { Kysely, Selectable } from "kysely";
import { v7 } from "uuid";
import { DEFAULT_SCOPES, type Scope } from "../../contract/account/scopes.ts";
import { InternalError } from "../../errors.ts";
import type { Tables } from "../database/schema.ts";
import { isUuid } from "../database/uuid.ts";

export type KeyLimits = {
  /** Total credits the key may spend; null means unlimited. */
  readonly creditBudget: number | null;
  readonly requestsPerMinute: number | null;
  /** Maximum requests in progress. */
  readonly concurrency: number | null;
};

export type AccountLimits = KeyLimits & {
  /** Maximum pages in the search index; null means unlimited. */
  readonly indexPages: number | null;
};

export type AccountRecord = {
  readonly id: string;
  /** Unique. */
  readonly name: string;
  readonly limits: AccountLimits;
  readonly createdAt: number;
  /** Since when its keys are rejected; null while it is enabled. */
  readonly disabledAt: number | null;
};

export type KeyRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** SHA-256 of the key, hexadecimal. */
  readonly hash: string;
  /** The key before the last rotation, and until when it is accepted. */
  readonly previous: { readonly hash: string; readonly until: number } | null;
  /** The first characters, which identify the key to people. */
  readonly prefix: string;
  readonly limits: KeyLimits;
  readonly scopes: readonly Scope[];
  /** Hosts that may be fetched, such as "example.com" and "*.example.com"; null allows all. */
  readonly allowHosts: readonly string[] | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
};

export type AccountStore = {
  /** Returns false when the name is taken. */
  insert(account: AccountRecord): Promise<boolean>;
  /** By id or name. */
  find(nameOrId: string): Promise<AccountRecord | undefined>;
  /** Returns all, oldest first. */
  list(): Promise<AccountRecord[]>;
  saveDisabled(id: string, at: number | null): Promise<void>;
  saveLimits(id: string, limits: AccountLimits): Promise<void>;
};

export type KeyStore = {
  /**
   * Returns the id of the single account of a fresh installation. Created on first use, the same
   * for every process.
   */
  ensureAccount(): Promise<string>;
  insert(key: KeyRecord): Promise<void>;
  /** Finds a key by its hash or by the hash before its rotation. */
  findByHash(hash: string): Promise<KeyRecord | undefined>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** Returns the keys of one account, oldest first, including revoked and expired ones. */
  list(accountId: string): Promise<KeyRecord[]>;
  count(): Promise<number>;
  /** Revokes the key. Returns false when it does not exist or was revoked before. */
  revoke(id: string, at: number): Promise<boolean>;
  /**
   * Gives the key a new hash and keeps the current one as previous. Returns false when there is no
   * such valid key.
   */
  rotate(
    id: string,
    next: { readonly hash: string; readonly prefix: string; readonly previousUntil: number },
  ): Promise<boolean>;
  saveLimits(id: string, limits: KeyLimits): Promise<void>;
  /** Records when keys were last used; `uses` maps key ids to milliseconds since the epoch. */
  saveLastUsed(uses: ReadonlyMap<string, number>): Promise<void>;
};

export const FIRST_ACCOUNT_ID = "00000000-0000-7000-8000-00000000000a";

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
    scopes: row.scopes ?? DEFAULT_SCOPES,
    allowHosts: row.allow_hosts,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

function toAccount(row: Selectable<Tables["accounts"]>): AccountRecord {
  return {
    id: row.id,
    name: row.name,
    limits: {
      creditBudget: row.credit_budget,
      requestsPerMinute: row.requests_per_minute,
      concurrency: row.concurrency,
      indexPages: row.index_pages,
    },
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  };
}

export function createAccountStore(kysely: Kysely<Tables>): AccountStore {
  return {
    async insert({ id, name, limits, createdAt, disabledAt }) {
      const rows = await kysely
        .insertInto("accounts")
        .values({
          id,
          name,
          created_at: createdAt,
          disabled_at: disabledAt,
          credit_budget: limits.creditBudget,
          requests_per_minute: limits.requestsPerMinute,
          concurrency: limits.concurrency,
          index_pages: limits.indexPages,
        })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .returning("id")
        .execute();
      return rows.length === 1;
    },
    async find(nameOrId) {
      const row = await kysely
        .selectFrom("accounts")
        .selectAll()
        .where(isUuid(nameOrId) ? "id" : "name", "=", nameOrId)
        .executeTakeFirst();
      return row === undefined ? undefined : toAccount(row);
    },
    async list() {
      const rows = await kysely
        .selectFrom("accounts")
        .selectAll()
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(toAccount);
    },
    async saveDisabled(id, at) {
      await kysely.updateTable("accounts").set({ disabled_at: at }).where("id", "=", id).execute();
    },
    async saveLimits(id, limits) {
      await kysely
        .updateTable("accounts")
        .set({
          credit_budget: limits.creditBudget,
          requests_per_minute: limits.requestsPerMinute,
          concurrency: limits.concurrency,
          index_pages: limits.indexPages,
        })
        .where("id", "=", id)
        .execute();
    },
  };
}

/** Stores API keys, as hashes only. */
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
        .values({ id: FIRST_ACCOUNT_ID, name: "default", created_at: Date.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const made = await find();
      if (made === undefined) throw new InternalError("Failed to create the first account.");
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
          scopes: JSON.stringify(key.scopes),
          allow_hosts: key.allowHosts === null ? null : JSON.stringify(key.allowHosts),
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

/** Returns a time-ordered id (RFC 9562, version 7), as all rows have. */
export function createRowId(): string {
  return v7();
}
