// One suite for the blob store interface over each adapter. The bucket is a real S3 server in this
// process.
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBlobFolder } from "../../src/store/blobs/blob-folder.ts";
import { openBlobBucket, parseS3Location } from "../../src/store/blobs/blob-s3.ts";
import {
  BLOB_GRACE_MS,
  computeBlobRef,
  packBlob,
  type BlobStore,
} from "../../src/store/blobs/blobs.ts";
import { BUCKET, BUCKET_KEYS, startBucket, type BucketServer } from "../bucket.ts";
import { temporaryFolder } from "../databases.ts";

/** `open` creates a store that has not seen another's writes; `damage` corrupts a stored blob. */
type Adapter = {
  open(): Promise<BlobStore>;
  damage(ref: string, stored: Uint8Array): Promise<void>;
};

const page = (seed: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => (at * seed + ((at * at) % 251)) & 255);

function describeBlobs(name: string, prepare: () => Promise<Adapter>): void {
  describe(name, () => {
    let adapter: Adapter;
    let blobs: BlobStore;
    beforeAll(async () => {
      adapter = await prepare();
      blobs = await adapter.open();
    });
    afterAll(() => blobs.close());

    it("returns the same bytes for any content", async () => {
      for (const bytes of [page(1, 0), page(2, 1), page(3, 100_000), page(5, 3_000_000)]) {
        const ref = await blobs.put(bytes);
        expect(ref).toBe(computeBlobRef(bytes));
        expect(Buffer.compare((await blobs.get(ref)) ?? page(1, 3), bytes)).toBe(0);
      }
    });

    it("stores equal bytes once, also when put concurrently and by another process", async () => {
      const bytes = page(7, 5_000);
      const other = await adapter.open();
      const refs = await Promise.all([blobs.put(bytes), blobs.put(bytes), other.put(bytes)]);
      expect(new Set(refs).size).toBe(1);
      let count = 0;
      for await (const entry of blobs.list()) if (entry.ref === refs[0]) count += 1;
      expect(count).toBe(1);
      await other.close();
    });

    it("stores compressed input unchanged", async () => {
      const bytes = page(15, 6_000);
      // With a checksum, which compression here never adds.
      const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
      const ref = await blobs.put(bytes, packed);
      expect(Buffer.compare((await blobs.get(ref)) ?? page(1, 3), bytes)).toBe(0);
      for await (const entry of blobs.list())
        if (entry.ref === ref) expect(entry.storedBytes).toBe(packed.length);
    });

    it("returns undefined for a missing blob and an invalid name", async () => {
      for (const ref of [
        computeBlobRef(page(9, 9)),
        "",
        "../../../etc/passwd",
        `../${"a".repeat(61)}`,
        "A".repeat(64),
        `${"a".repeat(64)}\n`,
        "a".repeat(63),
      ])
        expect(await blobs.get(ref)).toBeUndefined();
      await blobs.delete("../../../etc/passwd");
    });

    it("deletes a blob and stores it again", async () => {
      const bytes = page(11, 4_000);
      const ref = await blobs.put(bytes);
      await blobs.delete(ref);
      await blobs.delete(ref);
      expect(await blobs.get(ref)).toBeUndefined();
      await blobs.put(bytes);
      expect(await blobs.get(ref)).toBeDefined();
    });

    it("keeps a recently put blob", async () => {
      const ref = await blobs.put(page(13, 4_000));
      await blobs.delete(ref, { putBefore: Date.now() - BLOB_GRACE_MS });
      expect(await blobs.get(ref)).toBeDefined();
      await blobs.delete(ref, { putBefore: Date.now() + BLOB_GRACE_MS });
      expect(await blobs.get(ref)).toBeUndefined();
    });

    it("lists every blob with size and age", async () => {
      const ref = await blobs.put(page(17, 50_000));
      const found = [];
      for await (const entry of blobs.list()) if (entry.ref === ref) found.push(entry);
      expect(found).toHaveLength(1);
      expect(found[0]?.storedBytes).toBeGreaterThan(0);
      expect(Math.abs((found[0]?.putAt ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    it("leaves a damaged blob in place when the reader asks for it", async () => {
      const ref = await blobs.put(page(21, 9_000));
      await adapter.damage(ref, Buffer.from("damaged"));
      expect(await blobs.get(ref, { keepDamaged: true })).toBeUndefined();
      const list = async () => {
        const found = [];
        for await (const entry of blobs.list()) found.push(entry.ref);
        return found;
      };
      expect(await list()).toContain(ref);
      expect(await blobs.get(ref)).toBeUndefined();
      expect(await list()).not.toContain(ref);
    });

    it("treats a damaged blob as missing so that the next put repairs it", async () => {
      const bytes = page(19, 9_000);
      const ref = await blobs.put(bytes);
      for (const stored of [Buffer.from("damaged"), await packBlob(page(20, 9_000))]) {
        await adapter.damage(ref, stored);
        expect(await blobs.get(ref)).toBeUndefined();
        await blobs.put(bytes);
        expect(await blobs.get(ref)).toBeDefined();
      }
    });
  });
}

describeBlobs("blob folder", async () => {
  const folder = path.join(await temporaryFolder(), "deep", "blobs");
  return {
    open: async () => createBlobFolder(folder),
    damage: (ref, stored) => writeFile(path.join(folder, ref.slice(0, 2), `${ref}.zst`), stored),
  };
});

describe("blob folder", () => {
  it("leaves no partial file, ignores foreign files and renews the age on put", async () => {
    const folder = await temporaryFolder();
    const blobs = createBlobFolder(folder);
    const ref = await blobs.put(page(23, 5_000));
    expect(await readdir(path.join(folder, "partial"))).toEqual([]);
    await mkdir(path.join(folder, "zz"));
    await writeFile(path.join(folder, ref.slice(0, 2), "notes.txt"), "x");
    const file = path.join(folder, ref.slice(0, 2), `${ref}.zst`);
    const old = new Date(Date.now() - 2 * BLOB_GRACE_MS);
    await utimes(file, old, old);
    const later = createBlobFolder(folder);
    await later.put(page(23, 5_000));
    const entries = [];
    for await (const entry of later.list()) entries.push(entry);
    expect(entries.map((entry) => entry.ref)).toEqual([ref]);
    expect(Date.now() - (entries[0]?.putAt ?? 0)).toBeLessThan(60_000);
  });
});

let server: BucketServer | undefined;
afterAll(() => server?.close());

describeBlobs("blob bucket", async () => {
  const directory = await temporaryFolder();
  server = await startBucket(directory);
  const location = parseS3Location(
    `s3://${BUCKET}/quarry/blobs?region=eu-central-1&endpoint=${server.endpoint}`,
  );
  return {
    open: () => openBlobBucket(location, BUCKET_KEYS),
    damage: (ref, stored) =>
      writeFile(
        path.join(directory, BUCKET, "quarry/blobs", ref.slice(0, 2), `${ref}.zst._S3rver_object`),
        stored,
      ),
  };
});
