// Divides an owner's concurrency limit among the processes on one database, so that it holds over
// all of them.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type ConcurrencyShares = {
  /**
   * Sets the share of a process to `wanted`, limited by what others leave below `max`, but at
   * least to `used`. Expired shares do not count. Returns the share.
   */
  set(
    owner: string,
    share: {
      readonly process: string;
      readonly used: number;
      readonly wanted: number;
      readonly max: number;
      readonly leaseMs: number;
    },
  ): Promise<number>;
  /** In progress or reserved, over all processes. */
  total(owner: string): Promise<number>;
  /** Releases all shares of a process. */
  release(process: string): Promise<void>;
};

export function createConcurrencyShares(kysely: Kysely<Tables>): ConcurrencyShares {
  return {
    async set(owner, { process, used, wanted, max, leaseMs }) {
      return await kysely.transaction().execute(async (transaction) => {
        // Serializes processes per owner, so that shares being written by others are seen.
        await sql`select pg_advisory_xact_lock(hashtextextended(${`shares of ${owner}`}, 0))`.execute(
          transaction,
        );
        const now = Date.now();
        const found = await transaction
          .selectFrom("concurrency_shares")
          .select((select) => select.fn.sum<number | null>("held").as("held"))
          .where("owner", "=", owner)
          .where("process", "!=", process)
          .where("leased_until", ">", now)
          .executeTakeFirst();
        const held = Math.max(used, Math.min(wanted, max - Number(found?.held ?? 0)));
        if (held === 0) {
          await transaction
            .deleteFrom("concurrency_shares")
            .where("owner", "=", owner)
            .where((where) =>
              where.or([where("process", "=", process), where("leased_until", "<=", now)]),
            )
            .execute();
          return 0;
        }
        const values = { owner, process, held, leased_until: now + leaseMs };
        await transaction
          .insertInto("concurrency_shares")
          .values(values)
          .onConflict((conflict) =>
            conflict
              .columns(["owner", "process"])
              .doUpdateSet({ held, leased_until: values.leased_until }),
          )
          .execute();
        return held;
      });
    },
    async total(owner) {
      const found = await kysely
        .selectFrom("concurrency_shares")
        .select((select) => select.fn.sum<number | null>("held").as("held"))
        .where("owner", "=", owner)
        .where("leased_until", ">", Date.now())
        .executeTakeFirst();
      return Number(found?.held ?? 0);
    },
    async release(process) {
      await kysely.deleteFrom("concurrency_shares").where("process", "=", process).execute();
    },
  };
}
