import type { Kysely } from "kysely";
import type { BlobRef } from "./blobs.ts";
import type { KeptFiles } from "./kept-files.ts";
import type { Tables } from "../database/schema.ts";

export type AnnouncedUpload = {
  readonly id: string;
  readonly accountId: string;
  /** As the caller names the file. */
  readonly name: string;
  readonly contentType: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type UploadState = "awaited" | "received" | "unknown";

export type UploadStore = {
  /** Notes an upload to come, unless the account has `most` since `since` that were not parsed; was there room? */
  announce(
    upload: AnnouncedUpload,
    bound: { readonly most: number; readonly since: number },
  ): Promise<boolean>;
  /** What became of an announced upload: its bytes are awaited, or here, or nothing is known of it. */
  find(id: string): Promise<UploadState>;
  /** Keeps the bytes of an announced upload until it expires, unless it has some; the state it was found in. */
  receive(id: string, bytes: Uint8Array): Promise<UploadState>;
  /** The upload with its bytes, which are undefined when they were not sent or are gone; notes that it was parsed. */
  take(
    id: string,
  ): Promise<(AnnouncedUpload & { readonly bytes: Uint8Array | undefined }) | undefined>;
};

/** Files that callers send ahead of the request that parses them. */
export function createUploadStore(kysely: Kysely<Tables>, files: KeptFiles): UploadStore {
  const findRow = (id: string) =>
    kysely
      .selectFrom("uploads")
      .select(["expires_at", "ref"])
      .where("id", "=", id)
      .executeTakeFirst();
  const toState = ({ ref }: { readonly ref: unknown }): UploadState =>
    ref === null ? "awaited" : "received";
  return {
    async announce(upload, { most, since }) {
      return await kysely.transaction().execute(async (transaction) => {
        // One after the other for each account: two at once must not both see the last free place.
        await transaction
          .selectFrom("accounts")
          .select("id")
          .where("id", "=", upload.accountId)
          .forUpdate()
          .execute();
        const { waiting } = await transaction
          .selectFrom("uploads")
          .select((select) => select.fn.countAll<number>().as("waiting"))
          .where("account_id", "=", upload.accountId)
          .where("created_at", ">", since)
          .where("parsed_at", "is", null)
          .executeTakeFirstOrThrow();
        if (Number(waiting) >= most) return false;
        await transaction
          .insertInto("uploads")
          .values({
            id: upload.id,
            account_id: upload.accountId,
            name: upload.name,
            content_type: upload.contentType,
            created_at: upload.createdAt,
            expires_at: upload.expiresAt,
            ref: null,
            parsed_at: null,
          })
          .execute();
        return true;
      });
    },
    async find(id) {
      const row = await findRow(id);
      return row === undefined ? "unknown" : toState(row);
    },
    async receive(id, bytes) {
      const row = await findRow(id);
      if (row === undefined) return "unknown";
      if (row.ref !== null) return "received";
      const ref: BlobRef = await files.keep(bytes, row.expires_at);
      // Two requests may have got this far: the condition lets the first one win. The other's bytes expire unused.
      const { numUpdatedRows } = await kysely
        .updateTable("uploads")
        .set({ ref })
        .where("id", "=", id)
        .where("ref", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n ? "awaited" : "received";
    },
    async take(id) {
      const row = await kysely
        .updateTable("uploads")
        .set((set) => ({ parsed_at: set.fn.coalesce("parsed_at", set.val(Date.now())) }))
        .where("id", "=", id)
        .where("ref", "is not", null)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      return {
        id: row.id,
        accountId: row.account_id,
        name: row.name,
        contentType: row.content_type,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        bytes: row.ref === null ? undefined : await files.load(row.ref),
      };
    },
  };
}
