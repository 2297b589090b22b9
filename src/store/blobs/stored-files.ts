import { sql, type Kysely } from "kysely";
import type { BlobRef, BlobStore } from "./blobs.ts";
import type { Tables } from "../database/schema.ts";

export type StoredFiles = {
  /**
   * Keeps the bytes at least until `until` (milliseconds since the epoch); never shortens an
   * earlier promise.
   */
  keep(bytes: Uint8Array, until: number): Promise<BlobRef>;
  /** Returns the bytes; undefined when they are gone. */
  load(ref: BlobRef): Promise<Uint8Array | undefined>;
};

/**
 * Stores files with a separate expiry, not tied to a row: screenshots and PDFs behind public links.
 */
export function createStoredFiles(kysely: Kysely<Tables>, blobs: BlobStore): StoredFiles {
  return {
    async keep(bytes, until) {
      const ref = await blobs.put(bytes);
      await kysely
        .insertInto("kept_files")
        .values({ ref, keep_until: Math.ceil(until) })
        .onConflict((conflict) =>
          conflict.column("ref").doUpdateSet({
            keep_until: sql<number>`greatest(kept_files.keep_until, excluded.keep_until)`,
          }),
        )
        .execute();
      return ref;
    },
    load: (ref) => blobs.get(ref),
  };
}
