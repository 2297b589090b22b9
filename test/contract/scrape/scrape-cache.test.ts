// Stored results: the cache, results by id, and joined requests; no answer is ever another page's.
import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Document } from "../../../client/wire.ts";
import { createTestConfig } from "../../../src/config.ts";
import { createLogger } from "../../../src/logger.ts";
import { openStore } from "../../../src/store/store.ts";
import { createDataFolder } from "../../data-folder.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const scrape = (path: string, parameters?: ScrapeParameters): Promise<Document> =>
  service.client.scrape(new URL(path, site.url).href, parameters);
const state = async (path: string, parameters?: ScrapeParameters): Promise<unknown> =>
  (await scrape(path, parameters)).metadata.cacheState;
/** Requests for exactly this path and query. */
const fetches = (url: string): number =>
  site.requests.filter((request) => request.url === url).length;

describe("cache", () => {
  it("storeInCache off is a miss twice, then a hit, then maxAge 1 is a miss", async () => {
    const page = "/hits?key=sequence";
    expect(await state(page, { storeInCache: false })).toBe("miss");
    const fresh = await scrape(page);
    expect(fresh.metadata.cacheState).toBe("miss");
    const kept = await scrape(page);
    expect(kept.metadata.cacheState).toBe("hit");
    expect(kept.markdown).toBe(fresh.markdown);
    expect(kept.metadata.cachedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(kept.metadata.scrapeId).not.toBe(fresh.metadata.scrapeId);
    const again = await scrape(page, { maxAge: 1 });
    expect(again.metadata.cacheState).toBe("miss");
    expect(fetches(page)).toBe(3);
  });

  it.skipIf(isRemote)("an unreadable cache entry does not prevent a fetch", async () => {
    const other = await startService(site);
    try {
      const url = `${site.url}/big?megabytes=1`;
      await other.page({ url });
      const blobs = path.join(other.dataDir, "blobs");
      await rename(blobs, `${blobs}-away`);
      await writeFile(blobs, "no folder");
      const fresh = await other.page({ url });
      expect(fresh.metadata.cacheState).toBe("miss");
      expect(fresh.markdown).toContain("North pier");
      const { status, headers, body } = await other.scrape({ url, minAge: 0 });
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect(body).toMatchObject({ code: "UNAVAILABLE" });
      expect(body.error).not.toContain(other.dataDir);
      await rm(blobs);
      await rename(`${blobs}-away`, blobs);
      expect((await other.page({ url })).metadata.cacheState).toBe("hit");
    } finally {
      await other.close();
    }
  });

  it("returns no cacheState when the cache may not answer", async () => {
    const page = "/hits?key=personal";
    await scrape(page);
    for (const parameters of [
      { maxAge: 0 },
      { headers: { "x-berth": "1" } },
      { proxy: "enhanced" },
    ] satisfies ScrapeParameters[]) {
      const { metadata } = await scrape(page, parameters);
      expect(metadata, JSON.stringify(parameters)).not.toHaveProperty("cacheState");
      expect(metadata).not.toHaveProperty("cachedAt");
    }
    expect(fetches(page)).toBe(4);
  });

  it("never caches pages fetched with headers or a password", async () => {
    const page = "/cookies/needed";
    await scrape(page, { headers: { cookie: "pass=harbour-7" } });
    expect((await scrape(page)).metadata.statusCode).toBe(403);
    const url = new URL("/basic-auth", site.url);
    url.username = "desk";
    url.password = "tide-table";
    expect((await service.client.scrape(url.href)).metadata).not.toHaveProperty("cacheState");
    expect((await scrape("/basic-auth")).metadata.statusCode).toBe(401);
  });

  it("caches per country, languages, mobile and blockAds", async () => {
    const page = "/hits?key=variants";
    const variants: ScrapeParameters[] = [
      {},
      { location: { country: "DE" } },
      { location: { country: "DE", languages: ["de"] } },
      { mobile: true },
      { blockAds: false },
    ];
    const texts = new Set<string | undefined>();
    for (const variant of variants) {
      const document = await scrape(page, variant);
      expect(document.metadata.cacheState, JSON.stringify(variant)).toBe("miss");
      texts.add(document.markdown);
    }
    expect(texts.size).toBe(variants.length);
    for (const variant of variants) expect(await state(page, variant)).toBe("hit");
    expect(await state(page, { location: { country: "us" } })).toBe("hit");
  });

  it("never caches a partial page", async () => {
    for (const page of ["/short-body", "/compressed/truncated-gzip"]) {
      const first = await scrape(page);
      expect(first.warning, page).toContain("incomplete");
      expect([first.metadata.cacheState, await state(page)], page).toEqual(["miss", "miss"]);
    }
  });

  it("treats spellings of a URL as one page and other paths and queries as different", async () => {
    const made = (text: string): string => `/made?body=${encodeURIComponent(text)}`;
    const page = `${made("<p>Spelled</p>")}#part`;
    expect(await state(page)).toBe("miss");
    expect(await state(made("<p>Spelled</p>"))).toBe("hit");
    expect(await state(made("<p>Otherwise</p>"))).toBe("miss");
    expect(await state("/articles/1")).toBe("miss");
    expect(await state("/articles/2")).toBe("miss");
    expect((await scrape("/articles/2")).markdown).toContain("Harbour note 2");
    const document = await scrape("/articles/2/");
    expect(document.metadata.sourceURL).toBe(`${site.url}/articles/2/`);
  });

  it("derives other formats from the cached page", async () => {
    const page = "/hits?key=formats";
    await scrape(page);
    const document = await scrape(page, {
      formats: ["rawHtml", "links", "images"],
      onlyMainContent: false,
    });
    expect(document.metadata.cacheState).toBe("hit");
    expect(document.rawHtml).toContain("opened 1 times");
    expect(document.links).toContain(`${site.url}/list`);
    expect(fetches(page)).toBe(1);
  });

  it("minAge reads only the cache: old enough is a hit, otherwise 404", async () => {
    const page = "/hits?key=min-age";
    await expect(scrape(page, { minAge: 1 })).rejects.toMatchObject({
      status: 404,
      code: "SCRAPE_NO_CACHED_DATA",
    });
    await scrape(page);
    await expect.poll(() => state(page, { minAge: 1 })).toBe("hit");
    await expect(scrape(page, { minAge: 3_600_000 })).rejects.toMatchObject({
      code: "SCRAPE_NO_CACHED_DATA",
    });
    expect(fetches(page)).toBe(1);
  });

  it("lockdown never fetches: 404 without an entry, 5 credits with one", async () => {
    const page = "/hits?key=lockdown";
    await expect(scrape(page, { lockdown: true })).rejects.toMatchObject({
      status: 404,
      code: "SCRAPE_LOCKDOWN_CACHE_MISS",
    });
    await scrape(page);
    const { metadata } = await scrape(page, { lockdown: true });
    expect(metadata).toMatchObject({ cacheState: "hit", creditsUsed: 5 });
    expect(fetches(page)).toBe(1);
  });

  it("fetches temporary states anew except for cache-only reads", async () => {
    const page = "/flaky?key=passing";
    expect((await scrape(page)).metadata).toMatchObject({ cacheState: "miss", statusCode: 503 });
    const { metadata } = await scrape(page, { minAge: 1 });
    expect(metadata).toMatchObject({ cacheState: "hit", statusCode: 503 });
    expect((await scrape(page)).metadata).toMatchObject({ cacheState: "miss", statusCode: 503 });
    expect((await scrape(page)).metadata).toMatchObject({ cacheState: "miss", statusCode: 200 });
    expect((await scrape(page)).metadata).toMatchObject({ cacheState: "hit", statusCode: 200 });
    await scrape("/status/404?key=lasting");
    expect(await state("/status/404?key=lasting")).toBe("hit");
  });

  it("an error page does not replace a good page at once", async () => {
    const page = "/flaky?key=cache";
    for (const expected of [503, 503, 200])
      expect((await scrape(page, { maxAge: 0 })).metadata.statusCode).toBe(expected);
    const { metadata } = await scrape(page);
    expect(metadata).toMatchObject({ cacheState: "hit", statusCode: 200 });
  });
});

describe("GET /v2/scrape/{id}", () => {
  it("GET /v2/scrape/{id} returns the same document byte for byte", async () => {
    for (const body of [
      { url: `${site.url}/metadata`, formats: ["html", "markdown", "links", "images"] },
      { url: `${site.url}/article`, formats: [{ type: "rawHtml" }, "markdown"] },
      { url: `${site.url}/status/404` },
    ]) {
      const first = await service.scrape(body);
      const id = String(first.body.data?.metadata.scrapeId);
      const stored = await service.ask(`/v2/scrape/${id}`);
      expect(stored.status).toBe(200);
      expect(stored.body.success).toBe(true);
      expect(JSON.stringify(stored.body.data)).toBe(JSON.stringify(first.body.data));
      expect(await service.client.scrapeResult(id)).toEqual(first.body.data);
    }
  });

  it("GET /v2/scrape/{id} answers 400 for a malformed id and 404 for an unknown one", async () => {
    const bad = await service.ask("/v2/scrape/not-an-id");
    expect(bad.status).toBe(400);
    expect(bad.body).toMatchObject({
      success: false,
      error: "Invalid job ID format. Job ID must be a valid UUID.",
    });
    const unknown = await service.ask("/v2/scrape/0199f0c0-0000-7000-8000-000000000000");
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({ success: false, error: "Job not found." });
  });

  it("a scrape with zero data retention stores no result and costs one more credit", async () => {
    const { metadata } = await scrape("/articles/77", { zeroDataRetention: true });
    expect(metadata.creditsUsed).toBe(2);
    const answer = await service.ask(`/v2/scrape/${String(metadata.scrapeId)}`);
    expect(answer.status).toBe(404);
    expect(await state("/articles/77", { storeInCache: false })).toBe("miss");
  });
});

describe("concurrent requests", () => {
  it("three hundred concurrent scrapes each return their own page", async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
    const documents = await Promise.all(
      numbers.map(async (number) => scrape(`/articles/${number}`, { maxAge: 0 })),
    );
    const wrong = numbers.filter((number, index) => {
      const { markdown = "", metadata } = documents[index] ?? { metadata: {} };
      return !(
        markdown.includes(`note number ${number} of`) &&
        new RegExp(`^Harbour note ${number}\\b`).test(String(metadata.title)) &&
        metadata.url === `${site.url}/articles/${number}` &&
        metadata.sourceURL === metadata.url
      );
    });
    expect(wrong).toEqual([]);
    expect(new Set(documents.map(({ metadata }) => metadata.scrapeId)).size).toBe(300);
  });

  it("large pages in reused memory stay separate, whether shared, cached or plain", async () => {
    const pages = Array.from({ length: 60 }, (_, index) => ({
      number: index + 1,
      lines: 200 + ((index * 37) % 60) * 80,
    }));
    const read = async (parameters: ScrapeParameters): Promise<readonly string[]> => {
      const wrong: string[] = [];
      const look = async (page: { number: number; lines: number }): Promise<void> => {
        const path = `/log/${page.number}?lines=${page.lines}`;
        const { rawHtml = "" } = await scrape(path, { formats: ["rawHtml"], ...parameters });
        const found = new Set(rawHtml.match(/Log \d+/g));
        const lines = rawHtml.split(", line ").length - 1;
        if (found.size !== 1 || !found.has(`Log ${page.number}`) || lines !== page.lines)
          wrong.push(`${path}: ${lines} lines of ${[...found].join()}`);
      };
      // Every third page is requested twice at the same time.
      await Promise.all(
        pages.flatMap((page) => (page.number % 3 === 0 ? [look(page), look(page)] : [look(page)])),
      );
      return wrong;
    };
    expect(await read({})).toEqual([]);
    expect(await read({ maxAge: 0 })).toEqual([]);
    expect(await read({ minAge: 1 })).toEqual([]);
  });

  it("fifty concurrent requests for one page share a fetch, and each pays and has its own id", async () => {
    // All fifty must arrive before it answers, on a busy machine too.
    const page = "/slow/headers?milliseconds=3000";
    const documents = await Promise.all(Array.from({ length: 50 }, async () => scrape(page)));
    expect(fetches(page)).toBe(1);
    expect(new Set(documents.map(({ markdown }) => markdown)).size).toBe(1);
    expect(new Set(documents.map(({ metadata }) => metadata.scrapeId)).size).toBe(50);
    expect(documents.every(({ metadata }) => metadata.creditsUsed === 1)).toBe(true);
  });

  it("does not share cached pages between requests with headers", async () => {
    const page = "/hits?key=not-shared";
    const headers = { "x-berth": "1" };
    await Promise.all(Array.from({ length: 5 }, async () => scrape(page, { headers })));
    expect(fetches(page)).toBe(5);
  });

  it("a caller who disconnects does not end the fetch of others", async () => {
    const page = "/slow/headers?milliseconds=1500";
    const patient = scrape(page, { timeout: 10_000 });
    const hasty = scrape(page, { timeout: 1_000 });
    await expect(hasty).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    expect((await patient).metadata.statusCode).toBe(200);
    expect(fetches(page)).toBe(1);
  });
});

describe.skipIf(isRemote)("another account", () => {
  it("answers 404 for a result of another account", async () => {
    const id = "0199f0c0-0000-7000-8000-00000000abcd";
    const dataDir = await createDataFolder();
    try {
      const store = await openStore(createTestConfig({ dataDir }), createLogger("silent"));
      const url = `${site.url}/article`;
      await store.scrapes.save(
        {
          id,
          accountId: "0199f0c0-0000-7000-8000-0000000000aa",
          keyId: "0199f0c0-0000-7000-8000-0000000000bb",
          requestedUrl: url,
          finalUrl: url,
          status: "completed",
          statusCode: 200,
          error: null,
          options: {},
          explanation: null,
          credits: 1,
          createdAt: Date.now(),
          expiresAt: Date.now() + 3_600_000,
        },
        { markdown: "Not yours", metadata: {} },
      );
      await store.close();
      const other = await startService(site, { dataDir });
      try {
        const answer = await other.ask(`/v2/scrape/${id}`);
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ success: false, error: "Job not found." });
        expect(answer.text).not.toContain("Not yours");
      } finally {
        await other.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
