import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { opendir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import {
  BLOB_GRACE_MS,
  RecentBlobs,
  createBlobError,
  computeBlobRef,
  isBlobRef,
  packBlob,
  unpackBlob,
  type BlobEntry,
  type BlobStore,
} from "./blobs.ts";
import { makeFolder } from "../database/data-folder.ts";

const SUFFIX = ".zst";

/**
 * Compressed blobs up to this size are read and written synchronously: a write takes 40 µs, a read
 * 20 µs. Using the thread pool for the four steps costs more CPU, a tenth of a whole scrape.
 */
const MAX_SYNC_BYTES = 128 * 1024;

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/**
 * Stores blobs as files `ab/abcd….zst` below `root`. Writes are atomic: to a temporary file, then
 * renamed. No fsync; a file damaged by a power cut fails its hash and counts as missing.
 */
export function createBlobFolder(root: string): BlobStore {
  const folder = path.resolve(root);
  const partials = path.join(folder, "partial");
  const recent = new RecentBlobs();
  let wasThere = existsSync(folder);
  const buildFilePath = (ref: string): string => path.join(folder, ref.slice(0, 2), ref + SUFFIX);

  /**
   * Returns false when the file does not exist. Synchronous, because it mostly does not, and that
   * costs 10 µs.
   */
  async function refresh(file: string): Promise<boolean> {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) return false;
    if (Date.now() - found.mtimeMs > BLOB_GRACE_MS / 2) await utimes(file, new Date(), new Date());
    return true;
  }

  /**
   * A folder that existed and is gone, such as an unmounted volume, is an error: its contents will
   * come back.
   */
  const assertThere = (): void => {
    if (wasThere && !existsSync(folder)) throw new Error(`The folder ${folder} is gone.`);
  };

  /** Runs the step, and repeats it if the target folder had to be created. */
  async function createFolderAndRetry(
    made: string,
    step: () => void | Promise<void>,
  ): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!isMissing(error)) throw error;
      assertThere();
      await makeFolder(made);
      await step();
    }
    wasThere = true;
  }

  async function write(file: string, packed: Uint8Array): Promise<void> {
    const partial = path.join(partials, randomUUID());
    const options = { flag: "wx", mode: 0o600 };
    const isSmall = packed.byteLength <= MAX_SYNC_BYTES;
    await createFolderAndRetry(partials, () =>
      isSmall ? writeFileSync(partial, packed, options) : writeFile(partial, packed, options),
    );
    await createFolderAndRetry(path.dirname(file), () => renameSync(partial, file));
  }

  async function read(file: string): Promise<Uint8Array> {
    return statSync(file).size <= MAX_SYNC_BYTES ? readFileSync(file) : await readFile(file);
  }

  async function* list(): AsyncIterable<BlobEntry> {
    let shards;
    try {
      shards = await opendir(folder);
    } catch (error) {
      if (isMissing(error)) return;
      throw createBlobError("listing", error);
    }
    for await (const shard of shards) {
      if (!shard.isDirectory() || !/^[0-9a-f]{2}$/.test(shard.name)) continue;
      for await (const entry of await opendir(path.join(folder, shard.name))) {
        const ref = entry.name.slice(0, -SUFFIX.length);
        if (!entry.name.endsWith(SUFFIX) || !isBlobRef(ref)) continue;
        const found = await stat(buildFilePath(ref)).catch(() => undefined);
        if (found !== undefined)
          yield { ref, storedBytes: found.size, putAt: Math.floor(found.mtimeMs) };
      }
    }
  }

  async function remove(
    ref: string,
    { putBefore }: { readonly putBefore?: number } = {},
  ): Promise<void> {
    if (!isBlobRef(ref)) return;
    const file = buildFilePath(ref);
    try {
      if (putBefore !== undefined && (await stat(file)).mtimeMs >= putBefore) return;
      recent.delete(ref);
      await rm(file);
    } catch (error) {
      if (!isMissing(error)) throw createBlobError("deleting", error);
    }
  }

  return {
    list,
    async put(bytes, packed) {
      const ref = computeBlobRef(bytes);
      if (recent.has(ref)) return ref;
      try {
        if (!(await refresh(buildFilePath(ref))))
          await write(buildFilePath(ref), packed ?? (await packBlob(bytes)));
      } catch (error) {
        throw createBlobError("writing", error);
      }
      recent.add(ref);
      return ref;
    },
    async get(ref, { keepDamaged = false } = {}) {
      if (!isBlobRef(ref)) return undefined;
      let packed;
      try {
        packed = await read(buildFilePath(ref));
      } catch (error) {
        recent.delete(ref);
        try {
          if (!isMissing(error)) throw error;
          assertThere();
        } catch (fault) {
          throw createBlobError("reading", fault);
        }
        return undefined;
      }
      const bytes = await unpackBlob(packed, ref);
      // Otherwise a damaged file would keep the next put of the same bytes from repairing it.
      if (bytes === undefined && !keepDamaged) await remove(ref);
      return bytes;
    },
    delete: remove,
    async close() {
      // Left by a process that ended during a write. No other process writes here within the grace
      // period.
      const left = await opendir(partials).catch(() => undefined);
      if (left === undefined) return;
      for await (const entry of left) {
        const file = path.join(partials, entry.name);
        const found = await stat(file).catch(() => undefined);
        if (found !== undefined && Date.now() - found.mtimeMs > BLOB_GRACE_MS)
          await rm(file, { force: true });
      }
    },
  };
}
