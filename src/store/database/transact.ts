import { CompiledQuery, type Kysely } from "kysely";
import type { Database, Tables } from "./schema.ts";

/** Runs `work` in a transaction. Raw and built statements commit together. */
export function transactOn(kysely: Kysely<Tables>): Database["transact"] {
  return (work) =>
    kysely.transaction().execute((transaction) =>
      work(async (text, values = []) => {
        const { rows } = await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
        return { rows };
      }, transaction),
    );
}
