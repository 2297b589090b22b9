// Saved browser state by name: cookies and storage that scrapes and sessions of one account share.
// Names are column values, never paths. One writer at a time, any number of readers.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sql, type Kysely } from "kysely";
import { v7 } from "uuid";
import type { Profile } from "../../contract/session/profile.ts";
import { LimitError, RequestError } from "../../errors.ts";
import type { Tables } from "../database/schema.ts";
import type { Vault } from "../database/vault.ts";

/** A borrowed profile. The borrower must return it. */
export type ProfileLoan = AsyncDisposable & {
  /** Playwright's storage state as JSON for a new context; undefined for a profile without any. */
  readonly state: string | undefined;
  readonly saves: boolean;
  /**
   * Saves the state; does nothing for a reader. Throws CONFLICT when another writer has taken over.
   */
  save(state: string): Promise<void>;
  /** Extends the write lease by `lifeMs` milliseconds. */
  extend(lifeMs: number): Promise<void>;
  /** Returns the profile without saving. */
  close(): Promise<void>;
};

export type ProfileSummary = {
  readonly name: string;
  readonly savedAt: number | null;
  readonly sizeBytes: number;
  /** True while a session or scrape may save to it. */
  readonly isInUse: boolean;
};

export type ProfileStore = {
  /** Ordered by name, at most 1000. */
  list(accountId: string): Promise<ProfileSummary[]>;
  /**
   * Throws CONFLICT when someone else is writing to the profile. A writer's lease expires after
   * `lifeMs`. Loans of the same holder do not conflict, and the holder keeps the profile between
   * them for HOLD_MS.
   */
  borrow(holder: ProfileHolder, profile: Profile, lifeMs: number): Promise<ProfileLoan>;
  /** Returns false when there is no such profile. Throws CONFLICT during a write. */
  remove(accountId: string, name: string): Promise<boolean>;
};

/** An account, and the job whose pages share a profile. */
export type ProfileHolder = { readonly accountId: string; readonly jobId?: string | undefined };

/** Time between the end of one page of a job and the start of its next. */
const HOLD_MS = 60_000;
const MAX_LISTED = 1_000;
const MAX_BYTES = 10 * 1024 * 1024;

const createConflictError = (name: string): RequestError =>
  new RequestError(
    "CONFLICT",
    `Another session is currently saving to the profile ${JSON.stringify(name)}. Only one can save at a time; end it, or use saveChanges: false.`,
  );

export function createProfileStore(kysely: Kysely<Tables>, vault: Vault): ProfileStore {
  const buildContext = (accountId: string, name: string): string => `${accountId}\n${name}`;

  async function load(accountId: string, name: string): Promise<string | undefined> {
    const row = await kysely
      .selectFrom("browser_profiles")
      .select("state")
      .where("account_id", "=", accountId)
      .where("name", "=", name)
      .executeTakeFirst();
    if (row?.state === undefined || row.state === null) return undefined;
    const packed = await vault.open(row.state, buildContext(accountId, name));
    return zstdDecompressSync(packed).toString("utf8");
  }

  /** Returns false when another writer has it. */
  async function claim(
    accountId: string,
    name: string,
    writer: string,
    lifeMs: number,
  ): Promise<boolean> {
    const now = Date.now();
    const claimed = await sql<{ name: string }>`
      insert into browser_profiles (account_id, name, writer, writer_until)
      values (${accountId}::uuid, ${name}, ${writer}, ${now + lifeMs}::bigint)
      on conflict (account_id, name) do update set writer = excluded.writer, writer_until = excluded.writer_until
        where browser_profiles.writer is null or browser_profiles.writer_until <= ${now}::bigint
          or browser_profiles.writer = excluded.writer
      returning name`.execute(kysely);
    return claimed.rows.length > 0;
  }

  return {
    async list(accountId) {
      const rows = await kysely
        .selectFrom("browser_profiles")
        .select(["name", "saved_at", "writer", "writer_until"])
        .select(sql<number>`coalesce(length(state), 0)`.as("size"))
        .where("account_id", "=", accountId)
        .orderBy("name")
        .limit(MAX_LISTED)
        .execute();
      const now = Date.now();
      return rows.map((row) => ({
        name: row.name,
        savedAt: row.saved_at,
        sizeBytes: Number(row.size),
        isInUse: row.writer !== null && row.writer_until > now,
      }));
    },

    async borrow({ accountId, jobId }, { name, saveChanges }, lifeMs) {
      const writer = jobId ?? v7();
      if (saveChanges && !(await claim(accountId, name, writer, lifeMs)))
        throw createConflictError(name);
      const mine = kysely
        .updateTable("browser_profiles")
        .where("account_id", "=", accountId)
        .where("name", "=", name)
        .where("writer", "=", writer);
      const close = async (): Promise<void> => {
        if (!saveChanges) return;
        const left =
          jobId === undefined
            ? { writer: null, writer_until: 0 }
            : { writer_until: Date.now() + HOLD_MS };
        await mine.set(left).execute();
      };
      try {
        return {
          state: await load(accountId, name),
          saves: saveChanges,
          async save(state) {
            if (!saveChanges) return;
            const bytes = Buffer.from(state);
            if (bytes.length > MAX_BYTES)
              throw new LimitError(
                "PAYLOAD_TOO_LARGE",
                `The profile ${JSON.stringify(name)} would hold more than ${MAX_BYTES} bytes and was not saved.`,
              );
            const sealed = await vault.seal(zstdCompressSync(bytes), buildContext(accountId, name));
            const [saved] = await mine.set({ state: sealed, saved_at: Date.now() }).execute();
            if (saved?.numUpdatedRows === 0n) throw createConflictError(name);
          },
          async extend(ms) {
            if (saveChanges) await mine.set({ writer_until: Date.now() + ms }).execute();
          },
          close,
          [Symbol.asyncDispose]: close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },

    async remove(accountId, name) {
      const chosen = { account: accountId, now: Date.now() };
      const removed = await sql<{ name: string }>`
        delete from browser_profiles where account_id = ${chosen.account}::uuid and name = ${name}
          and (writer is null or writer_until <= ${chosen.now}::bigint) returning name`.execute(
        kysely,
      );
      if (removed.rows.length > 0) return true;
      const found = await kysely
        .selectFrom("browser_profiles")
        .select("name")
        .where("account_id", "=", accountId)
        .where("name", "=", name)
        .executeTakeFirst();
      if (found !== undefined) throw createConflictError(name);
      return false;
    },
  };
}
