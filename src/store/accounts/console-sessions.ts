import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type ConsoleSessionRecord = {
  /** SHA-256 of the secret that the browser or the link carries. */
  readonly hash: string;
  readonly kind: "session" | "link";
  /** SHA-256 of the key that signed in; null for the operator. */
  readonly keyHash: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type ConsoleSessionStore = {
  /** Also removes rows that expired before `createdAt`. */
  insert(session: ConsoleSessionRecord): Promise<void>;
  find(hash: string): Promise<ConsoleSessionRecord | undefined>;
  /** Returns the removed row: of two callers with one link only one gets it. */
  take(hash: string, kind: ConsoleSessionRecord["kind"]): Promise<ConsoleSessionRecord | undefined>;
};

const toRecord = (row: Tables["console_sessions"]): ConsoleSessionRecord => ({
  hash: row.hash,
  kind: row.kind,
  keyHash: row.key_hash,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Sessions of the console and its one-time links. */
export function createConsoleSessionStore(kysely: Kysely<Tables>): ConsoleSessionStore {
  return {
    async insert({ hash, kind, keyHash, createdAt, expiresAt }) {
      await kysely.deleteFrom("console_sessions").where("expires_at", "<=", createdAt).execute();
      await kysely
        .insertInto("console_sessions")
        .values({
          hash,
          kind,
          key_hash: keyHash,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .execute();
    },
    async find(hash) {
      const row = await kysely
        .selectFrom("console_sessions")
        .selectAll()
        .where("hash", "=", hash)
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async take(hash, kind) {
      const row = await kysely
        .deleteFrom("console_sessions")
        .where("hash", "=", hash)
        .where("kind", "=", kind)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
  };
}
