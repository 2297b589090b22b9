// Zero data retention, proven on the data folder: after such a scrape no file holds the page or its address.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { startSite, type Site } from "../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await site.close();
});

const ZSTD_MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Every zstd frame inside the bytes, unpacked: rows hold small bodies that way, blobs are one frame. */
function frames(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(ZSTD_MAGIC); at !== -1; at = bytes.indexOf(ZSTD_MAGIC, at + 4)) {
    try {
      found.push(zstdDecompressSync(bytes.subarray(at), { maxOutputLength: 2 ** 24 }));
    } catch {
      // Cut by a page of the database file, or no frame at all.
    }
  }
  return found;
}

/** Files below the folder that hold the text, as it is or packed. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(file);
    if ([bytes, ...frames(bytes)].some((part) => texts.some((text) => part.includes(text))))
      found.push(file);
  }
  return found;
}

/** A page of its own, small or too large for a row, with a word that is nowhere else. */
function madePage(word: string, sentences: number): string {
  const text = Array.from({ length: sentences }, (_, index) => `${word} ${Math.sin(index)}`).join(
    ", ",
  );
  const body = `<article><h1>${word}</h1><p>${text}</p></article>`;
  return `${site.url}/made?${new URLSearchParams({ body, page: `${word}-address` }).toString()}`;
}

describe.skipIf(isRemote)("zeroDataRetention", () => {
  it("leaves nothing in the data folder or the log, where a plain scrape does", async () => {
    const formats = ["markdown", "html", "rawHtml", "links", "images"];
    for (const sentences of [3, 400]) {
      const zero = { url: madePage("kestrelzero", sentences), formats };
      const kept = { url: madePage("ospreykept", sentences), formats };
      expect((await service.page({ ...zero, zeroDataRetention: true })).markdown).toContain(
        "kestrelzero",
      );
      expect((await service.page(kept)).markdown).toContain("ospreykept");
    }
    // What fails, and what is asked for a second time, leaves no more.
    const failing = `${site.url}/hang-up?page=kestrelzero-address`;
    expect((await service.scrape({ url: failing, zeroDataRetention: true })).status).toBe(500);
    const timed = `${site.url}/slow/never?page=kestrelzero-address`;
    const late = { url: timed, zeroDataRetention: true, timeout: 1_000 };
    expect((await service.scrape(late)).status).toBe(408);
    await service.stop();

    const marks = (word: string): string[] => [word, `${word}-address`];
    expect(await filesWith(service.dataDir, marks("kestrelzero"))).toEqual([]);
    expect(service.log()).not.toContain("kestrelzero");

    const control = await filesWith(service.dataDir, marks("ospreykept"));
    expect(control.some((file) => file.includes(`${path.sep}blobs${path.sep}`))).toBe(true);
    expect(control.some((file) => file.includes(`${path.sep}database${path.sep}`))).toBe(true);
  });
});
