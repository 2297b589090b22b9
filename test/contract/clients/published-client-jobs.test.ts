// The published JavaScript client, unchanged, through whole jobs on our server.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let client: Firecrawl;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const options = { sitemap: "skip", crawlEntireDomain: true, limit: 8 } as const;

describe("published client and jobs", () => {
  it("the published client crawls and waits for all documents", async () => {
    const job = await client.crawl(`${site.url}/list`, { ...options, pollInterval: 1 });
    expect(job).toMatchObject({ status: "completed", total: 8, completed: 8, creditsUsed: 8 });
    expect(job.data).toHaveLength(8);
    expect(job.data[0]?.markdown).toContain("Archive, page 1");
    expect(new Set(job.data.map(({ metadata }) => metadata?.url)).size).toBe(8);
  });

  it("the published client starts a crawl, reads pages and errors, and cancels it", async () => {
    const { id, url } = await client.startCrawl(`${site.url}/list`, options);
    expect(url).toBe(`${service.url}/v2/crawl/${id}`);
    let status = await client.getCrawlStatus(id, { autoPaginate: false });
    expect(["scraping", "completed"]).toContain(status.status);
    while (status.status === "scraping") status = await client.getCrawlStatus(id);
    expect(status.data).toHaveLength(8);
    const { errors, robotsBlocked } = await client.getCrawlErrors(id);
    expect(errors).toEqual([]);
    expect(robotsBlocked.every((blocked) => blocked.includes("/private/"))).toBe(true);
    expect(await client.cancelCrawl(id)).toBe(false);
    expect((await client.getCrawlStatus(id)).status).toBe("completed");
    expect((await client.getActiveCrawls()).crawls.map((crawl) => crawl.id)).not.toContain(id);
  });

  it("the published client cancels a running crawl", async () => {
    const { id } = await client.startCrawl(`${site.url}/list`, { ...options, delay: 30 });
    expect(await client.cancelCrawl(id)).toBe(true);
    expect((await client.getCrawlStatus(id)).status).toBe("cancelled");
  });

  it("the published client watches a crawl to its end, each document once", async () => {
    const { id } = await client.startCrawl(`${site.url}/list`, options);
    const watcher = client.watcher(id, { kind: "crawl", pollInterval: 1, timeout: 30 });
    const seen: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<{ status?: string }>();
    watcher.on("document", (document: unknown) => seen.push(document));
    watcher.on("done", (state: { status?: string }) => resolve(state));
    await watcher.start();
    expect((await promise).status).toBe("completed");
    expect(seen).toHaveLength(8);
  });

  it("the published client scrapes a batch and waits", async () => {
    const urls = [`${site.url}/article`, `${site.url}/tiny`];
    const job = await client.batchScrape(urls, {
      options: { formats: ["links"] },
      pollInterval: 1,
    });
    expect(job).toMatchObject({ status: "completed", total: 2, completed: 2 });
    const sources = job.data.map(({ metadata }) => metadata?.sourceURL);
    expect(new Set(sources)).toEqual(new Set(urls));
    const started = await client.startBatchScrape([`${site.url}/slow/never`, "nonsense"]);
    expect(started.invalidURLs).toEqual(["nonsense"]);
    expect(await client.cancelBatchScrape(started.id)).toBe(true);
    expect((await client.getBatchScrapeStatus(started.id)).status).toBe("cancelled");
  });

  it("the published client maps a site", async () => {
    const { links } = await client.map(site.url, { sitemap: "only", limit: 5 });
    expect(links).toHaveLength(5);
    await expect(client.map(`${site.url}/slow/never`, { timeout: 100 })).rejects.toThrow(
      "timed out",
    );
  });
});
