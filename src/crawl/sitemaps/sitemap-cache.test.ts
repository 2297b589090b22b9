import { describe, expect, it } from "vitest";
import type { SitemapFile } from "../../discovery/sitemaps.ts";
import { createSitemapCache } from "./sitemap-cache.ts";
import type { ReadSitemaps, SitemapQuery } from "./sitemap-urls.ts";

const MINUTE_MS = 60_000;

/** A cache over sites that each have `count` URLs, and a record of its reads. */
function build(count: number, { maxEntries = 10_000, outcome = "read" as const } = {}) {
  const reads: string[] = [];
  const clock = { now: 0 };
  const read: ReadSitemaps = async ({ start, limit }) => {
    reads.push(start.href);
    const file: SitemapFile = {
      url: start.href,
      outcome,
      kind: undefined,
      entries: count,
      foreign: 0,
      reason: undefined,
    };
    const report = { files: [file], filesOmitted: 0, cut: undefined };
    return {
      report,
      batches: (async function* () {
        for (let number = 0; number < Math.min(count, limit); number += 10)
          yield {
            from: start.href,
            pages: Array.from({ length: Math.min(10, limit - number) }, (_, index) => ({
              url: `${start.href}${number + index}`,
              title: undefined,
              description: undefined,
            })),
          };
      })(),
    };
  };
  const cached = createSitemapCache(read, { now: () => clock.now, maxEntries });
  const ask = async (url: string, query: Partial<SitemapQuery> = {}): Promise<string[]> => {
    const { signal } = new AbortController();
    const { batches } = await cached({ start: new URL(url), limit: 5_000, signal, ...query });
    const urls: string[] = [];
    for await (const { pages } of batches) urls.push(...pages.map((page) => page.url));
    return urls;
  };
  return { ask, reads, clock };
}

describe("sitemap cache", () => {
  it("reads the sitemaps of a site once within ten minutes", async () => {
    const { ask, reads, clock } = build(2_500);
    const first = await ask("http://a.example/");
    expect(first).toHaveLength(2_500);
    clock.now = 9 * MINUTE_MS;
    expect(await ask("http://a.example/")).toEqual(first);
    expect(await ask("http://a.example/", { limit: 1_005 })).toEqual(first.slice(0, 1_005));
    expect(reads).toHaveLength(1);
    clock.now = 10 * MINUTE_MS;
    await ask("http://a.example/");
    await ask("http://b.example/");
    expect(reads).toHaveLength(3);
  });

  it("reads the sitemaps again when more URLs are requested than were read, unless there are no more", async () => {
    const { ask, reads } = build(100);
    expect(await ask("http://a.example/", { limit: 50 })).toHaveLength(50);
    expect(await ask("http://a.example/", { limit: 200 })).toHaveLength(100);
    expect(await ask("http://a.example/", { limit: 5_000 })).toHaveLength(100);
    expect(reads).toHaveLength(2);
  });

  it("reads the sitemaps again for fresh requests and requests with headers", async () => {
    const { ask, reads } = build(10);
    await ask("http://a.example/");
    await ask("http://a.example/", { fresh: true });
    await ask("http://a.example/", { headers: { cookie: "a=b" } });
    expect(reads).toHaveLength(3);
    await ask("http://a.example/");
    expect(reads).toHaveLength(3);
  });

  it("does not cache sitemaps after a failed or aborted read", async () => {
    const faulty = build(10, { outcome: "failed" as never });
    await faulty.ask("http://a.example/");
    await faulty.ask("http://a.example/");
    expect(faulty.reads).toHaveLength(2);
    const { ask, reads } = build(10);
    await ask("http://a.example/", { signal: AbortSignal.abort() });
    await ask("http://a.example/");
    expect(reads).toHaveLength(2);
  });

  it("evicts the oldest sites beyond the maximum number of entries", async () => {
    const { ask, reads } = build(40, { maxEntries: 100 });
    for (const site of ["a", "b", "c"]) await ask(`http://${site}.example/`);
    await ask("http://c.example/");
    await ask("http://b.example/");
    expect(reads).toHaveLength(3);
    await ask("http://a.example/");
    expect(reads).toHaveLength(4);
    const large = build(200, { maxEntries: 100 });
    expect(await large.ask("http://a.example/")).toHaveLength(200);
    await large.ask("http://a.example/");
    expect(large.reads).toHaveLength(2);
  });
});
