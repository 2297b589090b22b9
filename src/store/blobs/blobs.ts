// The interface of blob stores. A blob's name is the SHA-256 of its bytes, so equal bytes are
// stored once, a name never changes its meaning, and damage is detected on reading. Adapters:
// blob-folder.ts, blob-s3.ts.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import {
  constants,
  zstdCompress,
  zstdCompressSync,
  zstdDecompress,
  zstdDecompressSync,
} from "node:zlib";
import { StorageError } from "../../errors.ts";

/** 64 lowercase hexadecimal digits. */
export type BlobRef = string;

export type BlobEntry = {
  readonly ref: BlobRef;
  readonly storedBytes: number;
  readonly putAt: number;
};

export type BlobStore = {
  /**
   * Stores `bytes` and returns their name. Putting the same bytes again is cheap and renews the
   * blob's age. `packed` is the Zstandard form, if the caller has it.
   */
  put(bytes: Uint8Array, packed?: Uint8Array): Promise<BlobRef>;
  /**
   * Returns the bytes; undefined when the blob is missing or damaged, or `ref` is not a valid name.
   * Removes a damaged blob, so that the next put of the same bytes repairs it; `keepDamaged` leaves
   * the store as it is.
   */
  get(ref: BlobRef, options?: { readonly keepDamaged?: boolean }): Promise<Uint8Array | undefined>;
  /**
   * Removes the blob; with `putBefore` (milliseconds since the epoch) only if it was last put
   * before.
   */
  delete(ref: BlobRef, options?: { readonly putBefore?: number }): Promise<void>;
  /** Lists every blob in no order, for clean-up. */
  list(): AsyncIterable<BlobEntry>;
  close(): Promise<void>;
};

/**
 * Younger blobs are never cleaned up: the row that references one may not be committed yet. `put`
 * renews an existing blob past half of this age.
 */
export const BLOB_GRACE_MS = 60 * 60 * 1000;

/** Validates every path and object key: nothing else becomes part of one. */
export function isBlobRef(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function computeBlobRef(bytes: Uint8Array): BlobRef {
  return hash("sha256", bytes);
}

/**
 * Up to this size compression runs synchronously: 0.25 ms for 96 KB of HTML, and handing it to a
 * thread costs as much again.
 */
const MAX_SYNC_BYTES = 128 * 1024;
const compressLarge = promisify(zstdCompress);
const decompressLarge = promisify(zstdDecompress);

const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Output space beyond the input size. Zstandard adds at most 1/256 and about 64 bytes. */
const ROOM = 1_024;

/**
 * Compresses with Zstandard (RFC 8878) level 1: HTML is a tenth larger than at level 3, in half the
 * time. With room for the whole output it is written in place instead of being gathered first,
 * which halves the memory.
 */
export async function packBlob(bytes: Uint8Array): Promise<Uint8Array> {
  const size = bytes.byteLength;
  if (size > MAX_SYNC_BYTES) return await compressLarge(bytes, { params: LEVEL });
  return zstdCompressSync(bytes, { params: LEVEL, chunkSize: size + Math.ceil(size / 256) + ROOM });
}

/** Decompresses the output of `packBlob`. Rejects for anything else. */
export const unpackBytes = async (packed: Uint8Array): Promise<Uint8Array> =>
  packed.byteLength <= MAX_SYNC_BYTES / 4
    ? zstdDecompressSync(packed)
    : await decompressLarge(packed);

/** Returns the bytes if their hash is `ref`, otherwise undefined. */
export async function unpackBlob(
  packed: Uint8Array,
  ref: BlobRef,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await unpackBytes(packed);
    return computeBlobRef(bytes) === ref ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The last few thousand names put by this process: an unchanged page needs no look-up in the store.
 */
export class RecentBlobs {
  readonly #putAt = new Map<BlobRef, number>();

  has(ref: BlobRef): boolean {
    const at = this.#putAt.get(ref);
    return at !== undefined && Date.now() - at < BLOB_GRACE_MS / 4;
  }

  add(ref: BlobRef): void {
    this.#putAt.delete(ref);
    this.#putAt.set(ref, Date.now());
    if (this.#putAt.size <= 4_096) return;
    const oldest = this.#putAt.keys().next();
    if (oldest.done !== true) this.#putAt.delete(oldest.value);
  }

  delete(ref: BlobRef): void {
    this.#putAt.delete(ref);
  }
}

/**
 * The error of a failing store; a missing blob is not an error. The cause is for the log only,
 * because it names hosts and paths.
 */
export const createBlobError = (doing: string, cause: unknown): StorageError =>
  new StorageError("blob store", `The blob store failed while ${doing}; try again in a moment.`, {
    cause,
  });
