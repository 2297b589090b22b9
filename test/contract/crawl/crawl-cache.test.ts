// Use of the cache by crawls.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answers,
  asked,
  base,
  closeCrawls,
  crawl,
  openCrawls,
  page,
  listPaths,
  serve,
  service,
} from "../../crawls.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

describe("crawl with deduplicateSimilarURLs false", () => {
  it("fetches each URL spelling separately even if the cache has a similar one", async () => {
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
      expect(listPaths(job)).toEqual(["/", "/a", "/a/", "/a/index.html"]);
      const titles = job.documents.map(({ metadata }) => [
        metadata.url?.replace(start, ""),
        metadata.sourceURL?.replace(start, ""),
        metadata.title,
        metadata["cacheState"],
      ]);
      expect(titles.toSorted((one, other) => ((one[0] ?? "") < (other[0] ?? "") ? -1 : 1))).toEqual(
        [
          ["/", "/", "start", state],
          ["/a", "/a", "without", state],
          ["/a/", "/a/", "with", state],
          ["/a/index.html", "/a/index.html", "index", state],
        ],
      );
    }
  });
});

describe("joined scrapes", () => {
  it("joined scrapes return their own requested URL", async () => {
    const start = serve({ "/same": page("same") });
    const spelled = [
      `${start}/same`,
      `${start}/x/../same`,
      `${start.replace("http", "HTTP")}/same`,
    ];
    const pages = await Promise.all(spelled.map((url) => service.page({ url, maxAge: 0 })));
    expect(pages.map(({ metadata }) => metadata?.["sourceURL"])).toEqual(spelled);
  });
});

describe("consecutive maps of a site", () => {
  it("reads the sitemap once for several maps and again with ignoreCache", async () => {
    const reads = (): number => asked.filter((path) => path === "/sitemap.xml").length;
    answers.set("/sitemap.xml", (_request, response) => {
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(`<urlset><url><loc>${base}/listed</loc></url></urlset>`);
    });
    answers.set("/", page("start"));
    const map = async (more: object = {}): Promise<string[]> =>
      (await service.client.map(`${base}/`, more)).links.map(({ url }) => url);
    const first = await map();
    expect(first).toContain(`${base}/listed`);
    expect(await map({ search: "listed" })).toEqual([`${base}/listed`]);
    expect(reads()).toBe(1);
    expect(await map({ ignoreCache: true })).toContain(`${base}/listed`);
    expect(reads()).toBe(2);
  });
});
