// What a crawl takes from the cache.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asked, closeCrawls, crawl, openCrawls, page, pathsOf, serve, service } from "../crawls.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

describe("a crawl with deduplicateSimilarURLs false", () => {
  it("gives each URL its own page, though the cache has one that is spelled alike", async () => {
    const start = serve({
      "/": page("start", ["a", "a/", "a/index.html"]),
      "/a": page("without"),
      "/a/": page("with"),
      "/a/index.html": page("index"),
    });
    for (const path of ["/", "/a/", "/a/index.html", "/a"])
      await service.page({ url: start + path });
    const strict = { deduplicateSimilarURLs: false };
    for (const state of ["miss", "hit"]) {
      const job = await crawl(`${start}/`, strict);
      expect(pathsOf(job)).toEqual(["/", "/a", "/a/", "/a/index.html"]);
      const titles = job.documents.map(({ metadata }) => [
        metadata.url?.replace(start, ""),
        metadata.sourceURL?.replace(start, ""),
        metadata.title,
        metadata["cacheState"],
      ]);
      expect(titles.toSorted()).toEqual([
        ["/", "/", "start", state],
        ["/a", "/a", "without", state],
        ["/a/", "/a/", "with", state],
        ["/a/index.html", "/a/index.html", "index", state],
      ]);
    }
  });
});
