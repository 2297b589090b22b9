import type { Kysely } from "kysely";
import type { BlobRef } from "./blobs.ts";
import type { StoredFiles } from "./stored-files.ts";
import type { Tables } from "../database/schema.ts";

export type AnnouncedUpload = {
  readonly id: string;
  readonly accountId: string;
  /** The file name given by the caller. */
  readonly name: string;
  readonly contentType: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type UploadState = "awaited" | "received" | "unknown";

export type UploadStore = {
  /** Registers an upload. Returns false when the account has `max` unparsed ones since `since`. */
  announce(
    upload: AnnouncedUpload,
    bound: { readonly max: number; readonly since: number },
  ): Promise<boolean>;
  /** Returns the state of a registered upload: bytes awaited, present, or unknown. */
  find(id: string): Promise<UploadState>;
  /**
   * Stores the bytes of a registered upload until it expires, unless it has some. Returns its
   * previous state.
   */
  receive(id: string, bytes: Uint8Array): Promise<UploadState>;
  /**
   * Returns the upload with its bytes and marks it parsed. The bytes are undefined when they were
   * not sent or are gone.
   */
  take(
    id: string,
  ): Promise<(AnnouncedUpload & { readonly bytes: Uint8Array | undefined }) | undefined>;
};

/** Stores files that callers send before the request that parses them. */
export function createUploadStore(kysely: Kysely<Tables>, files: StoredFiles): UploadStore {
  const findRow = (id: string) =>
    kysely
      .selectFrom("uploads")
      .select(["expires_at", "ref"])
      .where("id", "=", id)
      .executeTakeFirst();
  const toState = ({ ref }: { readonly ref: unknown }): UploadState =>
    ref === null ? "awaited" : "received";
  return {
    async announce(upload, { max, since }) {
      return await kysely.transaction().execute(async (transaction) => {
        // Serialized per account, so that two uploads do not both take the last free place.
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
        if (Number(waiting) >= max) return false;
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
      // Two requests may get this far: the condition lets the first one win. The other's bytes
      // expire unused.
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
