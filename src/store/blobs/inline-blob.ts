// Small bodies are stored in their row and large ones in the blob store: a file costs more than a
// few bytes.
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { BlobRef, BlobStore } from "./blobs.ts";

/** Maximum compressed bytes stored in a row. */
export const INLINE_BYTES = 2_048;
/** Larger text is not expected to compress to INLINE_BYTES, so it is not tried. */
const TRY_BYTES = 16_384;

export type StoredBytes = {
  readonly ref: BlobRef | null;
  /** Zstandard in base64, as rows are written. */
  readonly inline: string | null;
  readonly sizeBytes: number;
};

/** Decides where `bytes` are stored and stores them. */
export async function keepBytes(blobs: BlobStore, bytes: Uint8Array): Promise<StoredBytes> {
  const sizeBytes = bytes.byteLength;
  if (sizeBytes <= TRY_BYTES) {
    const packed = zstdCompressSync(bytes);
    if (packed.byteLength <= INLINE_BYTES)
      return { ref: null, inline: packed.toString("base64"), sizeBytes };
    return { ref: await blobs.put(bytes, packed), inline: null, sizeBytes };
  }
  return { ref: await blobs.put(bytes), inline: null, sizeBytes };
}

/** Returns the bytes of a row; undefined when its blob is gone. */
export async function findBytes(
  blobs: BlobStore,
  ref: BlobRef | null,
  inline: Uint8Array | string | null,
): Promise<Uint8Array | undefined> {
  if (inline !== null)
    return zstdDecompressSync(typeof inline === "string" ? Buffer.from(inline, "base64") : inline);
  return ref === null ? undefined : blobs.get(ref);
}
