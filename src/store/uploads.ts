import type { Kysely } from "kysely";
import type { BlobRef } from "./blobs.ts";
import type { KeptFiles } from "./kept-files.ts";
import type { Tables } from "./schema.ts";

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

export type UploadStore = {
  /** Notes an upload to come, unless the account has `most` since `since` that were not parsed; was there room? */
  announce(
    upload: AnnouncedUpload,
    bound: { readonly most: number; readonly since: number },
  ): Promise<boolean>;
  /** Keeps the bytes of an announced upload until it expires; false when it is not known. */
  receive(id: string, bytes: Uint8Array): Promise<boolean>;
  /** The upload with its bytes, which are undefined when they were not sent or are gone; notes that it was parsed. */
  take(
    id: string,
  ): Promise<(AnnouncedUpload & { readonly bytes: Uint8Array | undefined }) | undefined>;
};

/** Files that callers send ahead of the request that parses them. */
export function createUploadStore(kysely: Kysely<Tables>, files: KeptFiles): UploadStore {
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
    async receive(id, bytes) {
      const row = await kysely
        .selectFrom("uploads")
        .select("expires_at")
        .where("id", "=", id)
        .executeTakeFirst();
      if (row === undefined) return false;
      const ref: BlobRef = await files.keep(bytes, row.expires_at);
      await kysely.updateTable("uploads").set({ ref }).where("id", "=", id).execute();
      return true;
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
