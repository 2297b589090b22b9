// A crawl of the whole fixture site, including its traps: it ends, and the ledger accounts for
// every URL.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../client/wire.ts";
import type { Job } from "../../../client/job.ts";
import { startService, type Service } from "../../service.ts";
import { behaviours } from "../../site/behaviours/index.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let job: Job;
const documents: Document[] = [];
const fates = new Map<string, string>();
beforeAll(async () => {
  site = await startSite();
  service = await startService(site, {}, { warms: true });
  job = await service.client.startCrawl(`${site.url}/`, {
    excludePaths: ["^/trap/[^0]"],
    scrapeOptions: { timeout: 1_000 },
  });
  for await (const document of job.documents()) documents.push(document);
  for await (const { url, fate } of job.ledgerEntries()) fates.set(url.replace(site.url, ""), fate);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

describe("crawl of the fixture site", () => {
  it("ends a crawl with sums equal to the number of URLs seen", async () => {
    const status = await job.status({ limit: 1 });
    expect(status).toMatchObject({ status: "completed", completed: documents.length });
    const { total, sums } = await job.ledger({ limit: 1 });
    expect(fates.size).toBe(total);
    expect(Object.values(sums).reduce((sum, count) => sum + (count ?? 0), 0)).toBe(total);
    expect(sums.fetched).toBe(documents.length);
    expect([sums.pending, sums.working]).toEqual([undefined, undefined]);
  });

  it("sees every URL of the front page", () => {
    const listed = behaviours.map(({ path }) => path.replace("/*", "/"));
    const unseen = listed.filter((path) => !fates.has(path) && !fates.has(path.replace(/\/$/, "")));
    expect(unseen).toEqual([]);
  });

  it("stores each document once by final and requested URL", () => {
    const finals = documents.map(({ metadata }) => metadata.url);
    expect(new Set(finals).size).toBe(finals.length);
    const sources = documents.map(({ metadata }) => metadata.sourceURL);
    expect(new Set(sources).size).toBe(sources.length);
  });

  it("includes pages of the list, the sitemap and the compressed sitemap", () => {
    for (let number = 1; number <= 50; number++)
      expect(fates.get(`/articles/${number}`), String(number)).toBe("fetched");
    expect(fates.get("/list?page=1&order=new")).toMatch(/fetched|duplicate/);
    expect(fates.get("https://elsewhere.example/page")).toBe("scope");
  });

  it("records a fate for pages that hang, break off, explode, are forbidden or are not HTML", () => {
    expect(fates.get("/slow/never")).toBe("error");
    expect(fates.get("/hang-up")).toBe("error");
    expect(fates.get("/private/")).toBe("robots");
    expect([...fates.values()]).toEqual(expect.arrayContaining(["fileType", "duplicate"]));
  });

  it("requests no forbidden page", () => {
    const asked = site.requests.map(({ url }) => url);
    expect(asked.filter((url) => url.startsWith("/private/"))).toEqual([]);
  });
});
