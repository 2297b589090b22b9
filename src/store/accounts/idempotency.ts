import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type IdempotencyStore = {
  /**
   * Returns true the first time an account uses `key`, and false for repeats during its lifetime.
   */
  claim(accountId: string, key: string, now: number): Promise<boolean>;
  /** Frees the key of a failed request, so that the caller can retry with it. */
  release(accountId: string, key: string): Promise<void>;
};

/** Stores idempotency keys for a day (retention.ts). */
export function createIdempotencyStore(kysely: Kysely<Tables>): IdempotencyStore {
  return {
    async claim(accountId, key, now) {
      const inserted = await kysely
        .insertInto("idempotency_keys")
        .values({ account_id: accountId, key, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .returning("key")
        .execute();
      return inserted.length === 1;
    },
    async release(accountId, key) {
      await kysely
        .deleteFrom("idempotency_keys")
        .where("account_id", "=", accountId)
        .where("key", "=", key)
        .execute();
    },
  };
}
