// The search index on both databases: matches, order, and removal.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Capture } from "../../src/capture.ts";
import { createLogger } from "../../src/logger.ts";
import type { SearchPage, SearchPageQuery } from "../../src/store/search/search-pages.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const ACCOUNT = "0199f0c0-0000-7000-8000-00000000000a";
const OTHER = "0199f0c0-0000-7000-8000-00000000000b";
const keyOf = (number: number): string => number.toString(16).padStart(16, "f").padEnd(64, "0");

let identity = 1n;
const page = (parts: Partial<SearchPage> & { readonly words: string }): SearchPage => ({
  accountId: ACCOUNT,
  identity: identity++,
  cacheKey: keyOf(Number(identity)),
  url: `https://example.com/${identity}`,
  title: "",
  description: "",
  language: "en",
  isPdf: false,
  text: "text",
  fetchedAt: 1_000,
  ...parts,
});

const capture = (bytes: number, fetchedAt: number): Capture => ({
  engine: "http",
  requestedUrl: "https://example.com/",
  finalUrl: "https://example.com/",
  redirects: [],
  statusCode: 200,
  headers: [],
  contentType: "text/html",
  mimeType: "text/html",
  body: Buffer.alloc(bytes, "x"),
  charset: "utf-8",
  fetchedAt,
  proxyUsed: "basic",
  warnings: [],
});

describeDatabases("search index", (configure) => {
  let store: Store;
  beforeAll(async () => {
    const settings = await configure({ cacheMaxBytes: 10_000, searchIndexPages: 20 });
    store = await openStore(settings, createLogger("silent"));
  });
  afterAll(async () => {
    await store.close();
  });

  const find = async (words: string, query: Partial<SearchPageQuery> = {}): Promise<string[]> => {
    const asked = { accountId: ACCOUNT, limit: 10, ...query, words };
    return (await store.searchPages.find(asked)).map(({ url }) => url);
  };

  it("finds an account's own pages with title matches first", async () => {
    await store.searchPages.save([
      page({ words: "'ship':1", url: "https://a.test/body" }),
      page({ words: "'ship':1A", url: "https://a.test/title" }),
      page({ words: "'ship':1A", url: "https://b.test/", accountId: OTHER }),
    ]);
    expect(await find("'ship'")).toEqual(["https://a.test/title", "https://a.test/body"]);
    expect(await find("'ship':A")).toEqual(["https://a.test/title"]);
    expect(await store.searchPages.count(ACCOUNT)).toBe(2);
    expect(await store.searchPages.count()).toBe(3);
  });

  it("keeps one entry per page, the newest", async () => {
    const entry = page({ words: "'old':1", url: "https://c.test/", fetchedAt: 2_000 });
    await store.searchPages.save([entry]);
    await store.searchPages.save([
      { ...entry, words: "'newer':1", text: "t\0\ud800", fetchedAt: 3_000 },
    ]);
    await store.searchPages.save([{ ...entry, words: "'late':1", fetchedAt: 1_000 }]);
    expect(await find("'old' | 'late'")).toEqual([]);
    const [found] = await store.searchPages.find({
      accountId: ACCOUNT,
      words: "'newer'",
      limit: 1,
    });
    expect(found).toMatchObject({ url: "https://c.test/", fetchedAt: 3_000, language: "en" });
  });

  it("keeps the words of a page that was scraped again without text", async () => {
    const one = page({ words: "'kelp':1A", title: "Kelp", text: "kelp forest", fetchedAt: 1_000 });
    await store.searchPages.save([one]);
    const again = { ...one, words: "'title':1A", title: "", text: undefined, fetchedAt: 2_000 };
    const other = page({ words: "'kelp':1A", title: "Only a title", text: undefined });
    await store.searchPages.save([again, other]);
    const found = await store.searchPages.find({ accountId: ACCOUNT, words: "'kelp'", limit: 10 });
    const texts = await store.searchPages.listTexts(
      ACCOUNT,
      found.map(({ id }) => id),
    );
    const said = found.map(({ id, title, fetchedAt }) => `${title}: ${texts.get(id)} ${fetchedAt}`);
    expect(new Set(said)).toEqual(new Set(["Kelp: kelp forest 2000", "Only a title:  1000"]));
  });

  it("filters search results by time, path prefix and host", async () => {
    await store.searchPages.save([
      page({ words: "'path':1", url: "https://docs.d.test:8080/a_b/c", fetchedAt: 5_000 }),
      page({ words: "'path':1", url: "https://d.test/aXb/c", fetchedAt: 6_000 }),
      page({ words: "'path':1", url: "https://notd.test/a_b/c", fetchedAt: 7_000 }),
    ]);
    expect(await find("'path'", { paths: ["d.test/a_b"] })).toEqual([
      "https://docs.d.test:8080/a_b/c",
    ]);
    expect(await find("'path'", { paths: ["d.test/"] })).toHaveLength(2);
    expect(await find("'path'", { since: 5_500, until: 6_500 })).toEqual(["https://d.test/aXb/c"]);
    expect((await find("'path'", { newestFirst: true }))[0]).toBe("https://notd.test/a_b/c");
  });

  it("ranks pages by the weights of the terms and drops those with too few of the words", async () => {
    await store.searchPages.save([
      page({ words: "'one':1A,2A,3A", url: "https://e.test/one" }),
      page({ words: "'one':1 'two':1", url: "https://e.test/both" }),
    ]);
    const terms = [
      { query: "'one'", weight: 1 },
      { query: "('two' | 'twos')", weight: 9 },
    ];
    expect(await find("'one' | 'two'", { terms })).toEqual([
      "https://e.test/both",
      "https://e.test/one",
    ]);
    const preferred = ["'one'", "'two'"];
    expect(await find("'one' | 'two'", { terms, preferred, min: 2 })).toEqual([
      "https://e.test/both",
    ]);
    expect(await store.searchPages.countFrequencies(ACCOUNT, ["'one'", "'two'", "'no'"])).toEqual([
      2, 1, 0,
    ]);
  });

  it("removes a search entry when its last cached copy is evicted", async () => {
    const kept = keyOf(1);
    const evicted = keyOf(2);
    await store.captures.save(evicted, capture(6_000, 1_000));
    await store.captures.save(kept, capture(1_000, 1_500));
    await store.captures.save(kept, capture(9_000, 2_000));
    await store.flush();
    await store.searchPages.save([
      page({ words: "'cached':1", url: "https://f.test/kept", cacheKey: kept }),
      page({ words: "'cached':1", url: "https://f.test/evicted", cacheKey: evicted }),
    ]);
    await store.retention.cleanUp();
    expect(await find("'cached'")).toEqual(["https://f.test/kept"]);
  });

  it("evicts the oldest search entries beyond the limit", async () => {
    const pages = Array.from({ length: 30 }, (_, index) =>
      page({ words: "'many':1", url: `https://g.test/${index}`, fetchedAt: 100_000 + index }),
    );
    await store.searchPages.save(pages);
    await store.retention.cleanUp({ sweep: true });
    expect(await store.searchPages.count()).toBe(20);
    expect(await find("'many'", { limit: 100 })).toHaveLength(20);
    expect(await find("'many'", { limit: 100 })).not.toContain("https://g.test/5");
  });

  it("evicts search entries of an account beyond its quota", async () => {
    const accountId = "0199f0c0-0000-7000-8000-0000000000cc";
    await store.accounts.insert({
      id: accountId,
      name: "small index",
      limits: { creditBudget: null, requestsPerMinute: null, concurrency: null, indexPages: 2 },
      createdAt: 1,
      disabledAt: null,
    });
    const pages = Array.from({ length: 5 }, (_, index) =>
      page({
        words: "'quota':1",
        url: `https://h.test/${index}`,
        fetchedAt: 200_000 + index,
        accountId,
      }),
    );
    await store.searchPages.save(pages);
    await store.retention.cleanUp({ sweep: true });
    const found = await find("'quota'", { accountId });
    expect(found.toSorted()).toEqual(["https://h.test/3", "https://h.test/4"]);
    expect(await store.searchPages.count()).toBe(20);
  });
});
