import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createLogger } from "../logger.ts";
import type { StoredPage } from "../scrape/page.ts";
import type { SearchPage } from "../store/search/search-pages.ts";
import { createIndexer } from "./indexer.ts";

const kept = (path: string, parts: Partial<StoredPage> = {}): StoredPage => ({
  accountId: "a",
  scrapeId: path,
  cacheKey: "0".repeat(64),
  url: `https://example.com${path}`,
  statusCode: 200,
  mimeType: "text/html",
  verdict: "content",
  fetchedAt: 1,
  document: { markdown: `page ${path}`, metadata: { title: path } },
  ...parts,
});

function setUp(cpuMs?: () => number, saveMs = 0) {
  const groups: SearchPage[][] = [];
  const lines: string[] = [];
  const stored = new Map<string, unknown>();
  const indexer = createIndexer({
    pages: async () => ({
      save: async (pages) => {
        if (saveMs > 0) await pause(saveMs);
        groups.push([...pages]);
      },
      find: async () => [],
      listTexts: async () => new Map(),
      countFrequencies: async () => [],
      listLanguages: async () => [],
      count: async () => 0,
    }),
    scrapes: async () => ({
      load: async (id) => ({ document: stored.get(id) }) as never,
    }),
    log: createLogger("warn", { write: (line) => void lines.push(line) }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
  });
  const urls = (): string[] => groups.flat().map(({ url }) => url);
  return { indexer, groups, urls, lines, stored };
}

describe("search indexer", () => {
  it("indexes pages in groups in the background", async () => {
    const { indexer, groups, urls } = setUp();
    for (let index = 0; index < 20; index++) indexer.enqueuePage(kept(`/${index}`));
    expect(groups).toEqual([]);
    await expect.poll(() => urls().length).toBe(20);
    expect(Math.max(...groups.map((group) => group.length))).toBe(8);
    await indexer.close();
  });

  it("takes a small share of the time of a busy process", async () => {
    // Other work uses a third of a CPU, and each write takes 5 ms.
    const { indexer, urls } = setUp(() => performance.now() / 3, 5);
    for (let index = 0; index < 40; index++) indexer.enqueuePage(kept(`/${index}`));
    await expect.poll(() => urls().length).toBeGreaterThanOrEqual(8);
    expect(indexer.waiting()).toBe(32);
    await indexer.catchUp();
    expect(indexer.waiting()).toBe(0);
    expect(new Set(urls()).size).toBe(40);
    await indexer.close();
  });

  it("ignores a scrape without text and keeps the text that waits for the same page", async () => {
    const { indexer, groups } = setUp();
    const links = { links: [], metadata: {} };
    indexer.enqueuePage(kept("/x"));
    indexer.enqueuePage(kept("/x", { document: links, fetchedAt: 2 }));
    indexer.enqueuePage(kept("/y", { document: links }));
    await indexer.catchUp();
    expect(groups.flat().map(({ text, fetchedAt }) => [text, fetchedAt])).toEqual([
      ["page /x", 2],
      [undefined, 1],
    ]);
    await indexer.close();
  });

  it("indexes a page that was scraped twice once, with its latest text", async () => {
    const { indexer, groups } = setUp();
    indexer.enqueuePage(kept("/x"));
    indexer.enqueuePage(kept("/x/", { document: { markdown: "newer", metadata: {} } }));
    await indexer.catchUp();
    expect(groups.flat().map(({ text }) => text)).toEqual(["newer"]);
    await indexer.close();
  });

  it("skips error pages, login walls and URLs with a password", async () => {
    const { indexer } = setUp();
    indexer.enqueuePage(kept("/a", { statusCode: 404 }));
    indexer.enqueuePage(kept("/b", { verdict: "bot_check" }));
    indexer.enqueuePage(kept("/c", { verdict: "login" }));
    indexer.enqueuePage(kept("/d", { url: "https://me:secret@example.com/" }));
    expect(indexer.waiting()).toBe(0);
    await indexer.close();
  });

  it("holds a bounded amount of text and reads the rest again from the store", async () => {
    const { indexer, urls, stored } = setUp();
    const markdown = "word ".repeat(10_000);
    for (let index = 0; index < 600; index++) {
      const page = kept(`/${index}`, { document: { markdown, metadata: {} } });
      stored.set(`/${index}`, page.document);
      if (index === 599) stored.set("/599", undefined);
      indexer.enqueuePage(page);
    }
    await indexer.catchUp();
    // The last page was deleted from the store meanwhile.
    expect(urls()).toHaveLength(599);
    await indexer.close();
  });

  it("indexes the waiting pages on close and accepts none afterwards", async () => {
    const { indexer, urls } = setUp();
    indexer.enqueuePage(kept("/a"));
    await indexer.close();
    indexer.enqueuePage(kept("/b"));
    expect(urls()).toEqual(["https://example.com/a"]);
  });
});
