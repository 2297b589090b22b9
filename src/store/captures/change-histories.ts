// Versions of pages for change tracking: one history per account, URL and tag, newest first by
// fetch time. A writer names the revision its decision is based on. If another was faster, nothing
// is written and it decides again. Concurrent scrapes of a page neither lose nor duplicate a
// version.
import { createHash } from "node:crypto";
import { sql, type Kysely, type Transaction } from "kysely";
import { toJsonBytes } from "../../runtime/json-bytes.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { findBytes, keepBytes } from "../blobs/inline-blob.ts";
import type { Tables } from "../database/schema.ts";

export type HistoryScope = {
  readonly accountId: string;
  /** The requested URL. */
  readonly url: string;
  /** null, "" and a name are three different histories. */
  readonly tag: string | null;
};

export type ChangeVersion = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly fetchedAt: number;
  /** The job that fetched it. */
  readonly jobId: string | null;
  /** Equal for equal texts. */
  readonly textHash: string;
  /** The options the text was made with. */
  readonly madeWith: string;
  /** Loads the stored content; undefined when its blob is gone. */
  load(): Promise<unknown>;
};

export type ChangeHistory = {
  /** 0 for a new history. */
  readonly revision: number;
  /** Newest first. */
  readonly versions: readonly ChangeVersion[];
};

export type NewVersion = Omit<ChangeVersion, "id" | "load"> & { readonly body: unknown };

/** Repeats of a crawl have the same key and expect the same pages. */
export type Sighting = { readonly crawlKey: string; readonly jobId: string };

export type HistoryChange = {
  /** Undefined when there is nothing to compare later, for example for a page that is gone. */
  readonly version?: NewVersion | undefined;
  /** Ids of versions to remove. */
  readonly drop: readonly string[];
  /** The crawl that saw the page. */
  readonly seen?: Sighting | undefined;
  /** The crawl that found the page gone: its repeats do not look for it again. */
  readonly gone?: Sighting | undefined;
};

/** A page with its versions, newest first. */
export type ListedHistory = {
  /** The history's key; unique in the account. */
  readonly key: string;
  readonly url: string;
  readonly tag: string | null;
  readonly versions: readonly ChangeVersion[];
};

export type HistoryFilter = {
  readonly limit: number;
  /** Only histories last fetched before this time. */
  readonly before: number | undefined;
  /** Part of the URL. */
  readonly text: string | undefined;
};

export type ChangeHistoryStore = {
  /** Histories that have versions, last fetched first. */
  list(accountId: string, filter: HistoryFilter): Promise<ListedHistory[]>;
  /** Undefined if the account has no such history with versions. */
  find(accountId: string, key: string): Promise<ListedHistory | undefined>;
  load(scope: HistoryScope): Promise<ChangeHistory>;
  /** Returns false, without writing, when the history is no longer at `revision`. */
  save(scope: HistoryScope, revision: number, change: HistoryChange): Promise<boolean>;
  /** Returns up to `max` URLs that an earlier crawl of this key saw and this job did not. */
  unseen(accountId: string, sighting: Sighting, max: number): Promise<string[]>;
};

/** Hexadecimal SHA-256, because URLs may exceed the index's key size. */
function buildHistoryKey({ url, tag }: HistoryScope): string {
  return createHash("sha256")
    .update(JSON.stringify([url, tag]))
    .digest("hex");
}

export function createChangeHistoryStore(
  kysely: Kysely<Tables>,
  blobs: BlobStore,
  createId: () => string,
): ChangeHistoryStore {
  /** Histories with these keys; the order is that of the keys. */
  async function loadAll(accountId: string, keys: readonly string[]): Promise<ListedHistory[]> {
    if (keys.length === 0) return [];
    const [histories, rows] = await Promise.all([
      kysely
        .selectFrom("change_histories")
        .select(["key", "url", "tag", "revision"])
        .where("account_id", "=", accountId)
        .where("key", "in", keys)
        .execute(),
      kysely
        .selectFrom("change_versions")
        .select(["key", "id", "fetched_at", "job_id", "text_hash", "made_with", "body_ref"])
        .select("body_inline")
        .where("account_id", "=", accountId)
        .where("key", "in", keys)
        .orderBy("fetched_at", "desc")
        .orderBy("id", "desc")
        .execute(),
    ]);
    return keys.flatMap((key) => {
      const history = histories.find((one) => one.key === key);
      if (history === undefined) return [];
      const { url, tag, revision } = history;
      const own = rows.filter((row) => row.key === key);
      const versions = own.map((row) => toVersion({ ...row, revision }, blobs));
      return versions.length === 0 ? [] : [{ key, url, tag, versions }];
    });
  }

  return {
    async list(accountId, { limit, before, text }) {
      const wanted = text === undefined ? "%" : `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
      const { rows } = await sql<{ key: string }>`
        select key from change_versions join change_histories using (account_id, key)
        where account_id = ${accountId}::uuid and url ilike ${wanted}
        group by key having max(fetched_at) < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
        order by max(fetched_at) desc, key limit ${limit}`.execute(kysely);
      return await loadAll(
        accountId,
        rows.map(({ key }) => key),
      );
    },
    async find(accountId, key) {
      return (await loadAll(accountId, [key]))[0];
    },
    async load(scope) {
      const key = buildHistoryKey(scope);
      // One statement: a revision without its versions would be an inconsistent state.
      const { rows } = await sql<LoadedRow>`
        select revision, id, fetched_at, job_id, text_hash, made_with, body_ref, body_inline
        from change_histories left join change_versions using (account_id, key)
        where account_id = ${scope.accountId}::uuid and key = ${key}
        order by fetched_at desc, id desc`.execute(kysely);
      const versions = rows.flatMap((row) => (row.id === null ? [] : [toVersion(row, blobs)]));
      return { revision: rows[0]?.revision ?? 0, versions };
    },
    async save(scope, revision, change) {
      const { version } = change;
      const key = buildHistoryKey(scope);
      // Before the transaction: a blob without a row is swept later.
      const kept =
        version === undefined ? undefined : await keepBytes(blobs, toJsonBytes(version.body));
      return await kysely.transaction().execute(async (transaction) => {
        if (!(await claim(transaction, scope, key, revision))) return false;
        if (change.drop.length > 0)
          await transaction.deleteFrom("change_versions").where("id", "in", change.drop).execute();
        if (version !== undefined && kept !== undefined)
          await transaction
            .insertInto("change_versions")
            .values({
              id: createId(),
              account_id: scope.accountId,
              key,
              fetched_at: version.fetchedAt,
              job_id: version.jobId,
              text_hash: version.textHash,
              made_with: version.madeWith,
              body_ref: kept.ref,
              body_inline: kept.inline === null ? null : Buffer.from(kept.inline, "base64"),
              size_bytes: kept.sizeBytes,
            })
            .execute();
        await markSeen(transaction, scope.accountId, key, change);
        return true;
      });
    },
    async unseen(accountId, { crawlKey, jobId }, max) {
      const rows = await kysely
        .selectFrom("change_sightings as seen")
        .innerJoin("change_histories as history", (join) =>
          join
            .onRef("history.account_id", "=", "seen.account_id")
            .onRef("history.key", "=", "seen.key"),
        )
        .select("history.url")
        .where("seen.account_id", "=", accountId)
        .where("seen.crawl_key", "=", crawlKey)
        .where("seen.job_id", "<>", jobId)
        .orderBy("history.url")
        .limit(max)
        .execute();
      return rows.map(({ url }) => url);
    },
  };
}

type LoadedRow = {
  revision: number;
  /** Null, like the following columns, for a history without versions. */
  id: string | null;
  fetched_at: number;
  job_id: string | null;
  text_hash: string;
  made_with: string;
  body_ref: string | null;
  body_inline: Uint8Array | null;
};

function toVersion(row: LoadedRow, blobs: BlobStore): ChangeVersion {
  return {
    id: row.id ?? "",
    fetchedAt: row.fetched_at,
    jobId: row.job_id,
    textHash: row.text_hash,
    madeWith: row.made_with,
    async load() {
      const bytes = await findBytes(blobs, row.body_ref, row.body_inline);
      return bytes === undefined
        ? undefined
        : (JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown);
    },
  };
}

/**
 * Advances the history to the next revision if it is at the given one, and locks it until the
 * transaction ends.
 */
async function claim(
  transaction: Transaction<Tables>,
  { accountId, url, tag }: HistoryScope,
  key: string,
  revision: number,
): Promise<boolean> {
  if (revision === 0) {
    const made = await transaction
      .insertInto("change_histories")
      .values({ account_id: accountId, key, url, tag, revision: 1 })
      .onConflict((conflict) => conflict.doNothing())
      .returning("key")
      .execute();
    return made.length > 0;
  }
  const moved = await transaction
    .updateTable("change_histories")
    .set({ revision: revision + 1 })
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .where("revision", "=", revision)
    .returning("key")
    .execute();
  return moved.length > 0;
}

async function markSeen(
  transaction: Transaction<Tables>,
  accountId: string,
  key: string,
  { seen, gone }: HistoryChange,
): Promise<void> {
  if (seen !== undefined)
    await transaction
      .insertInto("change_sightings")
      .values({ account_id: accountId, crawl_key: seen.crawlKey, key, job_id: seen.jobId })
      .onConflict((conflict) =>
        conflict.columns(["account_id", "crawl_key", "key"]).doUpdateSet({ job_id: seen.jobId }),
      )
      .execute();
  if (gone !== undefined)
    await transaction
      .deleteFrom("change_sightings")
      .where("account_id", "=", accountId)
      .where("crawl_key", "=", gone.crawlKey)
      .where("key", "=", key)
      .execute();
}
