// A crawl whose pages update a saved profile: one loan, one page after the other.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

let service: Service;

/**
 * Counts in a cookie; each page shows how many came before. Returns the concurrency and the counts.
 */
async function openCounter(pages: number) {
  const counts: string[] = [];
  const state = { open: 0, most: 0 };
  const site = await openSite((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === "/robots.txt" || request.url === "/favicon.ico") {
      response.writeHead(404).end();
      return;
    }
    state.most = Math.max(state.most, ++state.open);
    const count = /count=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? "0";
    counts.push(count);
    await new Promise((resolve) => setTimeout(resolve, 100));
    state.open -= 1;
    response.setHeader("set-cookie", `count=${Number(count) + 1}; Path=/; Max-Age=3600`);
    response.setHeader("content-type", "text/html");
    const links = Array.from({ length: pages }, (_, at) => `<a href="/page-${at}">page</a>`);
    response.end(
      `<h1>Count ${count}</h1><p>${"Words of a page. ".repeat(20)}</p>${links.join(" ")}`,
    );
  }
  return { base: site.base, counts, state };
}

describe.skipIf(isRemote)("crawl with a profile", () => {
  beforeAll(async () => {
    service = await shareService();
  });
  afterEach(closeAll);
  afterAll(() => service.close());

  it("each page continues the account's profile from the previous page", async () => {
    const { base, counts, state } = await openCounter(4);
    const started = await service.ask("/v2/crawl", {
      method: "POST",
      body: {
        url: `${base}/`,
        sitemap: "skip",
        maxConcurrency: 8,
        scrapeOptions: { profile: { name: "counter" }, formats: ["markdown"] },
      },
    });
    const id = String(started.body["id"]);
    await expect.poll(() => counts.length).toBeGreaterThan(0);
    const busy = await service.scrape({ url: `${base}/other`, profile: { name: "counter" } });
    expect(busy.status).toBe(409);
    await expect
      .poll(async () => (await service.ask(`/v2/crawl/${id}`)).body["status"], { timeout: 60_000 })
      .toBe("completed");
    const { body } = await service.ask(`/v2/crawl/${id}`);
    expect((body.data as unknown as unknown[]).length).toBe(5);
    expect(counts).toEqual(["0", "1", "2", "3", "4"]);
    expect(state.most).toBe(1);
    // Read it as the account's own profile.
    await service.page({ url: `${base}/after`, profile: { name: "counter", saveChanges: false } });
    expect(counts.at(-1)).toBe("5");
  }, 90_000);
});
