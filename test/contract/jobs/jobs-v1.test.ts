// Crawls and batches as the frozen /v1 client starts, reads, watches and cancels them.
import { once } from "node:events";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareService, type Service } from "../../service.ts";
import { closeAll, openSite } from "../../http-fetching.ts";

const PAGES = ["/", "/a", "/b", "/b/c", "/b/c/d"];
const links = PAGES.map((path) => `<a href="${path}">${path}</a>`).join(" ");
const pageOf = (path: string): string =>
  `<!doctype html><title>${path}</title><main><h1>Page ${path}</h1><p>${links}</p></main>`;

let base: string;
let service: Service;
let client: Firecrawl["v1"];
beforeAll(async () => {
  const site = await openSite((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const isThere = PAGES.includes(path);
    response.writeHead(isThere ? 200 : 404, { "content-type": "text/html" });
    response.end(isThere ? pageOf(path) : "no");
  });
  base = site.base;
  service = await shareService();
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url }).v1;
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

const pathsOf = (data: readonly { readonly metadata?: { readonly sourceURL?: string } }[]) =>
  data.map(({ metadata }) => new URL(metadata?.sourceURL ?? "").pathname).toSorted();

describe("frozen /v1 client and jobs", () => {
  it("the /v1 client crawls a site to its end", async () => {
    const crawl = await client.crawlUrl(base, { limit: 10, ignoreSitemap: true });
    if (!crawl.success) throw new Error(crawl.error);
    expect(crawl.status).toBe("completed");
    expect(crawl).toMatchObject({ completed: PAGES.length, total: PAGES.length });
    expect(pathsOf(crawl.data)).toEqual(PAGES);
    expect(crawl.data[0]?.markdown).toContain("Page");
  });

  it("the /v1 maxDepth counts path segments", async () => {
    const crawl = await client.crawlUrl(base, { maxDepth: 1, ignoreSitemap: true });
    if (!crawl.success) throw new Error(crawl.error);
    expect(pathsOf(crawl.data)).toEqual(["/", "/a", "/b"]);
  });

  it("the /v1 client scrapes a batch and reads it under the crawl's URL", async () => {
    const urls = [`${base}/a`, `${base}/b`];
    const batch = await client.batchScrapeUrls(urls, { formats: ["markdown"] });
    if (!batch.success) throw new Error(batch.error);
    expect(batch.status).toBe("completed");
    expect(pathsOf(batch.data)).toEqual(["/a", "/b"]);
  });

  it("the /v1 client reads state and errors of a batch without cancelling it", async () => {
    const started = await client.asyncBatchScrapeUrls([`${base}/a`, "http://127.0.0.1:1/"], {});
    if (!started.success) throw new Error(started.error);
    const id = started.id ?? "";
    expect(started.url).toBe(`${service.url}/v1/batch/scrape/${id}`);
    const errors = await client.checkBatchScrapeErrors(id);
    expect(errors).toMatchObject({ errors: expect.any(Array), robotsBlocked: [] });
    const status = await client.checkBatchScrapeStatus(id);
    if (!status.success) throw new Error(status.error);
    expect(status.status).not.toBe("cancelled");
    expect(status.expiresAt.getTime()).toBeGreaterThan(Date.now());
  });

  it("the /v1 client cancels a running crawl", async () => {
    const started = await client.asyncCrawlUrl(base, { ignoreSitemap: true, delay: 30 });
    if (!started.success) throw new Error(started.error);
    const cancelled = await client.cancelCrawl(started.id ?? "");
    expect(cancelled).toMatchObject({ success: true, status: "cancelled" });
  });

  it("the /v1 client watches a crawl over a WebSocket: every page, then done", async () => {
    const watcher = await client.crawlUrlAndWatch(base, { limit: 10, ignoreSitemap: true });
    const seen: string[] = [];
    watcher.addEventListener("document", ({ detail }) => {
      seen.push(new URL(String(detail.metadata?.sourceURL)).pathname);
    });
    await once(watcher as never, "done");
    expect(seen.toSorted()).toEqual(PAGES);
  });

  it("the /v1 client watches a batch under the crawl's URL", async () => {
    const watcher = await client.batchScrapeUrlsAndWatch([`${base}/a`], {});
    await once(watcher as never, "done");
    expect(watcher.status).toBe("completed");
  });
});
