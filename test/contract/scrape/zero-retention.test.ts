// Zero data retention, proven on the data folder: after such a scrape no file contains the page or
// its URL.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/logger.ts";
import { openStore } from "../../../src/store/store.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

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

/**
 * Decompresses every zstd frame in the bytes: rows hold small bodies that way, and blobs are one
 * frame.
 */
function frames(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = bytes.indexOf(ZSTD_MAGIC); at !== -1; at = bytes.indexOf(ZSTD_MAGIC, at + 4)) {
    try {
      found.push(zstdDecompressSync(bytes.subarray(at), { maxOutputLength: 2 ** 24 }));
    } catch {
      // Cut by a database page, or no frame.
    }
  }
  return found;
}

/** Files below the folder that contain the text, raw or compressed. */
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

/** A page, small or too large for a row, with a unique word. */
function madePage(word: string, sentences: number): string {
  const text = Array.from({ length: sentences }, (_, index) => `${word} ${Math.sin(index)}`).join(
    ", ",
  );
  const body = `<article><h1>${word}</h1><p>${text}</p></article>`;
  return `${site.url}/made?${new URLSearchParams({ body, page: `${word}-address` }).toString()}`;
}

describe.skipIf(isRemote)("zero data retention of scrapes", () => {
  it("leaves nothing in the data folder or log, unlike a plain scrape", async () => {
    const tracking = { type: "changeTracking", modes: ["git-diff", "json"], prompt: "title" };
    const formats = ["markdown", "html", "rawHtml", "links", "images", tracking];
    for (const sentences of [3, 400]) {
      const zero = { url: madePage("kestrelzero", sentences), formats };
      const kept = { url: madePage("ospreykept", sentences), formats };
      expect((await service.page({ ...zero, zeroDataRetention: true })).markdown).toContain(
        "kestrelzero",
      );
      expect((await service.page(kept)).markdown).toContain("ospreykept");
    }
    // Failures and repeated requests leave nothing either.
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

const HOUR = 3_600_000;

/** A site with a small and a large page whose text, not URL, has the word. */
async function openWords(word: string): Promise<string> {
  const { base } = await openSite((request, response) => {
    const isLarge = request.url === "/large";
    const numbers = Array.from({ length: isLarge ? 4_000 : 3 }, (_, at) => Math.sin(at));
    const head = `<title>${word}-title</title><meta name="description" content="${word}-description">`;
    const text = `<h1>${word}</h1><p>${numbers.map((number) => `${word} ${number}`).join(", ")}</p>`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`${head}<article>${text}<a href="/large">${word}-anchor</a></article>`);
  });
  return base;
}

/** Runs a crawl and a batch to their end; returns the Markdown of all pages. */
async function runJobs(
  service: Service,
  base: string,
  zeroDataRetention: boolean,
): Promise<string> {
  const crawl = await service.client.crawl(`${base}/`, { sitemap: "skip", zeroDataRetention });
  const batch = await service.client.batch([`${base}/`, `${base}/large`], { zeroDataRetention });
  const documents = [...crawl.documents, ...batch.documents];
  expect(documents).toHaveLength(4);
  return documents.map(({ markdown }) => markdown).join("\n");
}

describe.skipIf(isRemote)("zero data retention of jobs", () => {
  it("leaves nothing readable in the data folder before and after the end, unlike a plain job", async () => {
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    try {
      expect(await runJobs(own, await openWords("harrierzero"), true)).toContain("harrierzero");
      expect(await runJobs(own, await openWords("merlinkept"), false)).toContain("merlinkept");
      // While the results wait to be read, and the database log holds every row as written.
      expect(await filesWith(own.dataDir, ["harrierzero"])).toEqual([]);
      expect(own.log()).not.toContain("harrierzero");
      await own.stop();
      expect(await filesWith(own.dataDir, ["harrierzero"])).toEqual([]);
      const control = await filesWith(own.dataDir, ["merlinkept"]);
      for (const place of ["blobs", "database", "pg_wal"])
        expect(control.some((file) => file.includes(`${path.sep}${place}${path.sep}`))).toBe(true);
      await expectShredded(own.dataDir);
      expect(await filesWith(own.dataDir, ["harrierzero"])).toEqual([]);
    } finally {
      await own.close();
      await closeAll();
    }
  });
});

/** Two hours later the jobs, their keys and their encrypted blobs are gone. */
async function expectShredded(dataDir: string): Promise<void> {
  const store = await openStore(createTestConfig({ dataDir }), createLogger("silent"));
  try {
    const jobs = await store.database.kysely.selectFrom("jobs").selectAll().execute();
    const sealed = jobs.filter((job) => job.seal_ref !== null);
    expect(sealed).toHaveLength(2);
    const ids = sealed.map(({ id }) => id);
    const rows = await store.database.kysely
      .selectFrom("results")
      .select("document_ref")
      .where("job_id", "in", ids)
      .execute();
    const closed = rows.flatMap(({ document_ref: ref }) => (ref === null ? [] : [ref]));
    expect(closed).toHaveLength(2);
    const refs = [...closed, ...sealed.map((job) => job.seal_ref ?? "")];
    for (const ref of refs) expect(await store.blobs.get(ref)).toBeDefined();
    // Another process than the one that fetched them reads them.
    for (const id of ids) {
      const [first] = await store.results.listPage(id, { skip: 0, limit: 1, maxBytes: 1e9 });
      expect(JSON.stringify(first?.document)).toContain("harrierzero");
    }
    await store.retention.cleanUp({ now: Date.now() + 2 * HOUR });
    for (const ref of refs) expect(await store.blobs.get(ref)).toBeUndefined();
    for (const id of ids) expect(await store.jobs.load(id)).toBeUndefined();
  } finally {
    await store.close();
  }
}
