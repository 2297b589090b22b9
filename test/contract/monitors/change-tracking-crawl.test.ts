// Change tracking in crawls: pages that only an earlier crawl saw are checked at the end.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FinishedJob } from "../../../client/client.ts";
import {
  answers,
  closeCrawls,
  crawl,
  openCrawls,
  page,
  listPaths,
  serve,
  service,
} from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(async () => {
  if (!isRemote) await openCrawls();
});
afterAll(async () => {
  if (!isRemote) await closeCrawls();
});

const TRACKING = {
  onlyMainContent: false,
  formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }],
};
const track = (start: string, parameters: object = {}): Promise<FinishedJob> =>
  crawl(start, { scrapeOptions: TRACKING, ...parameters });

/** Status and visibility of each document by path. */
function changesOf(job: FinishedJob): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const { metadata, changeTracking } of job.documents) {
    const path = new URL(metadata.url ?? "").pathname.replace(/^\/site\d+/, "");
    changes[path] = `${changeTracking?.changeStatus} ${changeTracking?.visibility}`;
  }
  return changes;
}

describe.skipIf(isRemote)("crawl with changeTracking", () => {
  it("reports the change of each page, including pages without a link to them", async () => {
    const links = ["a", "b", "c", "d", "e"].map((name) => `./${name}`);
    const pages = Object.fromEntries(links.map((link) => [link.slice(1), page(link)]));
    const site = serve({ "/": page("start", links), ...pages });
    const path = (name: string): string => `${new URL(site).pathname}/${name}`;
    const first = await track(`${site}/`);
    expect(new Set(Object.values(changesOf(first)))).toEqual(new Set(["new visible"]));
    expect(first.documents).toHaveLength(6);

    answers.set(path(""), page("start", ["./a", "./b", "./c"]));
    answers.set(path("b"), page("another b"));
    for (const name of ["c", "e"]) answers.delete(path(name));
    const second = await track(`${site}/`);
    expect(second.status).toBe("completed");
    expect(changesOf(second)).toEqual({
      "/": "changed visible",
      "/a": "same visible",
      "/b": "changed visible",
      "/c": "removed visible",
      "/d": "same hidden",
      "/e": "removed hidden",
    });
    const third = await track(`${site}/`);
    expect(changesOf(third)).toEqual({
      "/": "same visible",
      "/a": "same visible",
      "/b": "same visible",
      "/c": "removed visible",
      "/d": "same hidden",
    });
    expect(third.creditsUsed).toBe(third.documents.length);
  });

  it("follows no links of hidden pages and reports no page beyond the limit as hidden", async () => {
    const site = serve({
      "/": page("start", ["./hidden", "./other"]),
      "/hidden": page("hidden", ["./deep"]),
      "/other": page("other"),
      "/deep": page("deep"),
    });
    expect(listPaths(await track(`${site}/`, { maxDiscoveryDepth: 1 }))).toEqual([
      "/",
      "/hidden",
      "/other",
    ]);
    answers.set(`${new URL(site).pathname}/`, page("start", ["./other"]));
    const second = await track(`${site}/`, { maxDiscoveryDepth: 1 });
    expect(changesOf(second)["/hidden"]).toBe("same hidden");
    expect(listPaths(second)).not.toContain("/deep");
    const limited = await track(`${site}/`, { maxDiscoveryDepth: 1, limit: 1 });
    expect(listPaths(limited)).toEqual(["/"]);
  });

  it("compares with crawls of the same scope and tag only", async () => {
    const site = serve({ "/": page("start", ["./a", "./b"]), "/a": page("a"), "/b": page("b") });
    await track(`${site}/`);
    answers.set(`${new URL(site).pathname}/`, page("start", ["./a"]));
    expect(listPaths(await track(`${site}/`, { excludePaths: ["/b$"] }))).toEqual(["/", "/a"]);
    const tagged = { formats: ["markdown", { type: "changeTracking", tag: "other" }] };
    expect(listPaths(await track(`${site}/`, { scrapeOptions: tagged }))).toEqual(["/", "/a"]);
    expect(listPaths(await crawl(`${site}/`))).toEqual(["/", "/a"]);
    expect(listPaths(await track(`${site}/`))).toEqual(["/", "/a", "/b"]);
  });

  it("tracks changes with a sitemap and with one page at a time", async () => {
    const site = serve({ "/": page("start", ["./a"]), "/a": page("a") });
    await track(`${site}/`, { sitemap: "include" });
    answers.set(`${new URL(site).pathname}/`, page("start"));
    const job = await track(`${site}/`, { sitemap: "include", delay: 0.01 });
    expect(changesOf(job)["/a"]).toBe("same hidden");
    const { sums, total } = await service.client.crawlJob(String(job.id)).ledger();
    expect(Object.values(sums).reduce((sum, count) => sum + count, 0)).toBe(total);
  });
});
