import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { InternalError } from "../../errors.ts";
import { createBlobFolder } from "../blobs/blob-folder.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { copyBlobs } from "./copy-blobs.ts";

const BLOBS = 40;

let folder: string;
let from: BlobStore;
let to: BlobStore;
let refs: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-copy-"));
  from = createBlobFolder(path.join(folder, "from"));
  to = createBlobFolder(path.join(folder, "to"));
  refs = [];
  for (let at = 0; at < BLOBS; at++) refs.push(await from.put(Buffer.from(`blob ${at}`)));
});
afterEach(() => rm(folder, { recursive: true }));

it("copies every blob", async () => {
  expect(await copyBlobs(from, to)).toEqual({ blobs: BLOBS, damagedBlobs: 0 });
  for (const ref of refs) expect(await to.get(ref)).toEqual(await from.get(ref));
});

it("leaves a damaged blob at the source and counts it", async () => {
  const [ref = ""] = refs;
  const file = path.join(folder, "from", ref.slice(0, 2), `${ref}.zst`);
  await writeFile(file, "damaged");
  expect(await copyBlobs(from, to)).toEqual({ blobs: BLOBS - 1, damagedBlobs: 1 });
  expect((await stat(file)).size).toBe("damaged".length);
  expect(await to.get(ref)).toBeUndefined();
});

it("fails when the target does not list a blob of the source", async () => {
  const [lost = ""] = refs;
  const losing = {
    ...to,
    async put(bytes: Uint8Array) {
      const ref = await to.put(bytes);
      if (ref === lost) await to.delete(ref);
      return ref;
    },
  };
  const failed = copyBlobs(from, losing);
  await expect(failed).rejects.toThrow(InternalError);
  await expect(failed).rejects.toThrow(`lacks 1 of ${BLOBS} blobs`);
});

it("fails when the target stores other bytes than the source", async () => {
  const [changed = ""] = refs;
  const changing = {
    ...to,
    put: async (bytes: Uint8Array) =>
      await to.put(Buffer.from(bytes).equals(Buffer.from("blob 0")) ? Buffer.from("other") : bytes),
  };
  await expect(copyBlobs(from, changing)).rejects.toThrow(`lacks 1 of ${BLOBS} blobs`);
  expect(await to.get(changed)).toBeUndefined();
});

it("writes nothing after it reported the failure of one copy", async () => {
  let started = 0;
  let ended = 0;
  const failing = {
    ...to,
    async put(bytes: Uint8Array) {
      if (++started === 1) throw new Error("disk full");
      // Later than the failure of the first.
      await new Promise((resolve) => setImmediate(resolve));
      const ref = await to.put(bytes);
      ended++;
      return ref;
    },
  };
  await expect(copyBlobs(from, failing)).rejects.toThrow("disk full");
  const endedBefore = ended;
  expect(started).toBeLessThan(BLOBS);
  expect(ended).toBe(started - 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(endedBefore);
});
