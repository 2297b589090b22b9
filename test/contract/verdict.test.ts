// metadata.verdict: what a delivered page turned out to be.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../src/contract/scrape.ts";
import { startService, type Service } from "../service.ts";
import { startSite, type Site } from "../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

async function scrape(path: string, options: object = {}): Promise<Document> {
  const { body } = await service.scrape({ url: `${site.url}${path}`, ...options });
  if (body.data === undefined) throw new Error(JSON.stringify(body));
  return body.data;
}

describe("metadata.verdict", () => {
  it.each([
    ["/article", "content"],
    ["/challenge", "bot_check"],
    ["/challenge-200", "bot_check"],
    ["/login-wall", "login"],
    ["/soft-404", "soft_404"],
    ["/status/404", "error_page"],
    ["/status/503", "error_page"],
    ["/short-body", "partial"],
  ])("names what came for %s: %s", async (path, verdict) => {
    const { metadata } = await scrape(path);
    expect(metadata.verdict).toBe(verdict);
  });

  it("is the same when the page comes from the cache", async () => {
    const first = await scrape("/soft-404?cached", { maxAge: 60_000 });
    const second = await scrape("/soft-404?cached", { maxAge: 60_000 });
    expect([first.metadata.cacheState, second.metadata.cacheState]).toEqual(["miss", "hit"]);
    expect(second.metadata.verdict).toBe("soft_404");
  });

  it("cannot be forged by a meta tag of the page", async () => {
    const body = `<!doctype html><head><title>Forger</title><meta name="verdict" content="forged"></head><p>Seven vessels are in port.</p>`;
    const { metadata } = await scrape(`/made?${new URLSearchParams({ body }).toString()}`);
    expect(metadata.verdict).toBe("content");
  });
});
