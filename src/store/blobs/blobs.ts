// The port of the blob store. A blob is named by the SHA-256 of its bytes, so equal bytes are kept once, a name never
// changes its meaning, and damage is noticed when reading. Adapters: blob-folder.ts, blob-s3.ts.
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

/** 64 lower-case hexadecimal digits. */
export type BlobRef = string;

export type BlobEntry = {
  readonly ref: BlobRef;
  readonly storedBytes: number;
  readonly putAt: number;
};

export type BlobStore = {
  /**
   * Keeps `bytes` and returns their name; putting the same bytes again costs little and makes the blob young again. `packed` is
   * what they are in Zstandard, from whoever has packed them already.
   */
  put(bytes: Uint8Array, packed?: Uint8Array): Promise<BlobRef>;
  /** The bytes, or undefined when the blob is missing, damaged or `ref` is not a name. */
  get(ref: BlobRef): Promise<Uint8Array | undefined>;
  /** Removes the blob; with `putBefore` (milliseconds since the epoch) only if it was last put before that. */
  delete(ref: BlobRef, options?: { readonly putBefore?: number }): Promise<void>;
  /** Every blob, in no order; for clean-up. */
  list(): AsyncIterable<BlobEntry>;
  close(): Promise<void>;
};

/**
 * A blob younger than this is never cleaned up: the row that points at it may not be committed yet. `put` renews the age of
 * an existing blob once it is older than half of it.
 */
export const BLOB_GRACE_MS = 60 * 60 * 1000;

/** Guards every path and object key: nothing else ever becomes part of one. */
export function isBlobRef(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

export function blobRefOf(bytes: Uint8Array): BlobRef {
  return hash("sha256", bytes);
}

/** Up to this many bytes the work is done here: 0.25 ms for 96 KB of HTML, and handing it to a thread costs as much again. */
const SMALL = 128 * 1024;
const compressLarge = promisify(zstdCompress);
const decompressLarge = promisify(zstdDecompress);

const LEVEL = { [constants.ZSTD_c_compressionLevel]: 1 };
/** Bytes that a packed blob has room for beyond those that go in; the most that Zstandard adds is a 256th and some 64. */
const ROOM = 1_024;

/**
 * Zstandard (RFC 8878), level 1: of HTML a tenth larger than level 3, in half the time. With room for all of it at once it is
 * written where it stays, else it is gathered elsewhere first: half of the memory that the system has to hand out for it.
 */
export async function packBlob(bytes: Uint8Array): Promise<Uint8Array> {
  const size = bytes.byteLength;
  if (size > SMALL) return await compressLarge(bytes, { params: LEVEL });
  return zstdCompressSync(bytes, { params: LEVEL, chunkSize: size + Math.ceil(size / 256) + ROOM });
}

/** What `packBlob` packed. Rejects for anything else. */
export const unpackBytes = async (packed: Uint8Array): Promise<Uint8Array> =>
  packed.byteLength <= SMALL / 4 ? zstdDecompressSync(packed) : await decompressLarge(packed);

/** The bytes if they are those `ref` names, else undefined. */
export async function unpackBlob(
  packed: Uint8Array,
  ref: BlobRef,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await unpackBytes(packed);
    return blobRefOf(bytes) === ref ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** The last few thousand names put by this process: a page that did not change costs no look at the store. */
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

/** What an adapter throws when its store fails; a missing blob is no failure. The cause is for the log: it names hosts and paths. */
export const blobFailure = (doing: string, cause: unknown): StorageError =>
  new StorageError("blob store", `The blob store failed while ${doing}; try again in a moment.`, {
    cause,
  });
