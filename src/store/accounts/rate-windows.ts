// Requests of the last minute by owner and second, over all processes on one database.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type RateWindows = {
  /**
   * Counts up to `wanted` requests in `second` if the minute that ends with it has room. Returns
   * how many were counted, the minute's total, and its oldest second.
   */
  take(
    owner: string,
    request: { readonly second: number; readonly wanted: number; readonly max: number },
  ): Promise<{ taken: number; total: number; oldest: number }>;
  /** Uncounts requests that were not made. */
  giveBack(owner: string, second: number, count: number): Promise<void>;
};

const SECONDS = 60;

export function createRateWindows(kysely: Kysely<Tables>): RateWindows {
  return {
    async take(owner, { second, wanted, max }) {
      return await kysely.transaction().execute(async (transaction) => {
        // Serializes processes per owner, so that counts being written by others are seen.
        await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 0))`.execute(transaction);
        await sql`delete from rate_windows where owner = ${owner} and second <= ${second - SECONDS}::bigint`.execute(
          transaction,
        );
        const found = await sql<{ total: number; oldest: number | null }>`
          select coalesce(sum(taken), 0)::bigint as total, min(second) as oldest from rate_windows
          where owner = ${owner} and taken > 0`.execute(transaction);
        const { total = 0, oldest = null } = found.rows[0] ?? {};
        const taken = Math.max(0, Math.min(wanted, max - total));
        if (taken > 0)
          await sql`
            insert into rate_windows (owner, second, taken) values (${owner}, ${second}::bigint, ${taken}::integer)
            on conflict (owner, second) do update set taken = rate_windows.taken + excluded.taken`.execute(
            transaction,
          );
        return { taken, total: total + taken, oldest: oldest ?? second };
      });
    },
    async giveBack(owner, second, count) {
      await sql`update rate_windows set taken = taken - ${count}::integer
        where owner = ${owner} and second = ${second}::bigint`.execute(kysely);
    },
  };
}
