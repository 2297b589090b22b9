// Encrypts the results of jobs with zero data retention, each job with a separate key that is only
// in the blob store. A deleted row survives in the database's log and free space until overwritten;
// deleting the key makes all of it unreadable at once.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { InternalError } from "../../errors.ts";
import { packBlob, unpackBytes, type BlobRef, type BlobStore } from "../blobs/blobs.ts";
import { findBytes, INLINE_BYTES, keepBytes, type StoredBytes } from "../blobs/inline-blob.ts";
import type { Tables } from "./schema.ts";

export type Seals = {
  /** Creates and stores a key. Returns the name of its blob. */
  create(): Promise<BlobRef>;
  /**
   * Stores a document of a job, encrypted when the job has a key. Throws when the key is gone:
   * nothing is stored in plain text.
   */
  keep(jobId: string, bytes: Uint8Array): Promise<StoredBytes & { readonly sealed: boolean }>;
  /** Returns the stored bytes; undefined when they or their key are gone. */
  find(
    jobId: string,
    ref: BlobRef | null,
    inline: Uint8Array | null,
  ): Promise<Uint8Array | undefined>;
  /** Deletes the key, which makes everything encrypted with it unreadable, including copies. */
  shred(jobId: string, ref: BlobRef): Promise<void>;
};

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Maximum jobs whose keys, or their absence, are cached. */
const MAX_JOBS = 1_000;

/** "gone": the job is encrypted and its key is missing. "unknown": there is no such job. */
type Key = Uint8Array | "none" | "gone" | "unknown";

export function createSeals(kysely: Kysely<Tables>, blobs: BlobStore): Seals {
  const known = new Map<string, Key>();
  /** A group of finished pages asks for its job's key at once. */
  const loading = new Map<string, Promise<Key>>();

  async function load(jobId: string): Promise<Key> {
    const job = await kysely
      .selectFrom("jobs")
      .select("seal_ref")
      .where("id", "=", jobId)
      .executeTakeFirst();
    if (job === undefined) return "unknown";
    return job.seal_ref === null ? "none" : ((await blobs.get(job.seal_ref)) ?? "gone");
  }

  function loadOnce(jobId: string): Promise<Key> {
    const running = loading.get(jobId);
    if (running !== undefined) return running;
    const started = load(jobId).finally(() => loading.delete(jobId));
    loading.set(jobId, started);
    return started;
  }

  async function loadKey(jobId: string): Promise<Key> {
    const key = known.get(jobId) ?? (await loadOnce(jobId));
    known.delete(jobId);
    // A missing key may come back when its store does.
    if (key !== "gone" && key !== "unknown") known.set(jobId, key);
    const oldest = known.keys().next();
    if (known.size > MAX_JOBS && oldest.done !== true) known.delete(oldest.value);
    return key;
  }

  return {
    create: () => blobs.put(randomBytes(KEY_BYTES)),
    async keep(jobId, bytes) {
      const key = await loadKey(jobId);
      if (key === "none") return { ...(await keepBytes(blobs, bytes)), sealed: false };
      // Finishing a page of a removed job writes no row, so it must not leave a blob either.
      if (key === "unknown")
        return { ref: null, inline: null, sizeBytes: bytes.byteLength, sealed: true };
      if (key === "gone")
        throw new InternalError("The encryption key of a job with zero data retention is gone.");
      const sealed = close(key, await packBlob(bytes));
      const sizeBytes = bytes.byteLength;
      if (sealed.byteLength <= INLINE_BYTES)
        return { ref: null, inline: sealed.toString("base64"), sizeBytes, sealed: true };
      return { ref: await blobs.put(sealed), inline: null, sizeBytes, sealed: true };
    },
    async find(jobId, ref, inline) {
      const key = await loadKey(jobId);
      if (key === "none") return await findBytes(blobs, ref, inline);
      const sealed = inline ?? (ref === null ? undefined : await blobs.get(ref));
      const packed =
        typeof key === "string" || sealed === undefined ? undefined : open(key, sealed);
      return packed === undefined ? undefined : await unpackBytes(packed);
    },
    async shred(jobId, ref) {
      known.delete(jobId);
      await blobs.delete(ref);
    },
  };
}

/** Concatenates nonce, ciphertext and tag (NIST SP 800-38D). The nonce is random and used once. */
function close(key: Uint8Array, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Undefined when it was encrypted with another key or altered. */
function open(key: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  const end = sealed.byteLength - TAG_BYTES;
  if (end < NONCE_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(end));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]);
  } catch {
    return undefined;
  }
}
