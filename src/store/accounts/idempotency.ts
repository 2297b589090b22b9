import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type IdempotencyStore = {
  /** True the first time an account uses `key`, false for every repeat within its life. */
  claim(accountId: string, key: string, now: number): Promise<boolean>;
  /** Frees a key whose request came to nothing, so that the caller can try again with it. */
  release(accountId: string, key: string): Promise<void>;
};

/** Keys by which a caller says "this is the same request again"; they live for a day (retention.ts). */
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
