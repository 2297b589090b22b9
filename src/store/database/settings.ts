import type { Kysely } from "kysely";
import { InternalError } from "../../errors.ts";
import type { Tables } from "./schema.ts";

export type SettingStore = {
  load(name: string): Promise<string | undefined>;
  save(name: string, value: string): Promise<void>;
  /** Replaces `from` by `to`. Returns false when the stored value has changed. */
  replace(name: string, from: string, to: string): Promise<boolean>;
  /** Returns the stored value, or stores that of `create`. All processes get the same one. */
  loadOrCreate(name: string, create: () => string): Promise<string>;
};

/** Stores values the service generates, such as the secret that signs links. */
export function createSettingStore(kysely: Kysely<Tables>): SettingStore {
  const load = async (name: string): Promise<string | undefined> =>
    (
      await kysely
        .selectFrom("settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst()
    )?.value;
  return {
    load,
    async save(name, value) {
      await kysely
        .insertInto("settings")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
    },
    async replace(name, from, to) {
      const { numUpdatedRows } = await kysely
        .updateTable("settings")
        .set({ value: to })
        .where("name", "=", name)
        .where("value", "=", from)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async loadOrCreate(name, create) {
      const found = await load(name);
      if (found !== undefined) return found;
      await kysely
        .insertInto("settings")
        .values({ name, value: create() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const stored = await load(name);
      if (stored === undefined) throw new InternalError(`The setting ${name} was not stored.`);
      return stored;
    },
  };
}
