// metadata.verdict of delivered pages.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document } from "../../../src/contract/page/scrape.ts";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
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
  ])("names what was returned for %s: %s", async (path, verdict) => {
    const { metadata } = await scrape(path);
    expect(metadata.verdict).toBe(verdict);
  });

  it("returns the same verdict for a cached page", async () => {
    const first = await scrape("/soft-404?cached", { maxAge: 60_000 });
    const second = await scrape("/soft-404?cached", { maxAge: 60_000 });
    expect([first.metadata.cacheState, second.metadata.cacheState]).toEqual(["miss", "hit"]);
    expect(second.metadata.verdict).toBe("soft_404");
  });

  it("a meta tag of the page cannot forge the verdict", async () => {
    const body = `<!doctype html><head><title>Forger</title><meta name="verdict" content="forged"></head><p>Seven vessels are in port.</p>`;
    const { metadata } = await scrape(`/made?${new URLSearchParams({ body }).toString()}`);
    expect(metadata.verdict).toBe("content");
  });
});

describe("page that is certainly a bot check", () => {
  const formats = ["markdown", "html", "rawHtml", "links", "images", "summary"] as const;

  it("returns empty formats for a bot check with the reason in metadata.error and warning", async () => {
    const { metadata, warning, ...parts } = await scrape("/challenge", { formats });
    expect(parts).toEqual({
      markdown: "",
      html: "",
      rawHtml: "",
      links: [],
      images: [],
      summary: "",
    });
    expect(metadata.error).toContain("the page is a bot check of Cloudflare");
    expect(metadata.statusCode).toBe(403);
    expect(warning).toContain('onBlocked: "return"');
  });

  it('returns the text of a bot check when onBlocked is "return"', async () => {
    const { metadata, html, rawHtml, warning } = await scrape("/challenge", {
      formats,
      onBlocked: "return",
    });
    expect(html).toContain("challenge-form");
    expect(rawHtml).toContain("__cf_chl_f_tk");
    expect(metadata.verdict).toBe("bot_check");
    expect(warning).not.toContain("left out");
  });

  it("extracts no data from a bot check by rules", async () => {
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const { json } = await scrape("/challenge", { formats: [{ type: "json", schema }] });
    expect(json).toBeNull();
  });
});

it("returns the text of a page that only looks like a bot check, with the verdict and a warning", async () => {
  const { metadata, markdown, warning } = await scrape("/challenge-200");
  expect(metadata.verdict).toBe("bot_check");
  expect(markdown).toContain("Verify you are human");
  expect(warning).toContain("looks like a bot check");
});

it("rejects an onBlocked that is neither empty nor return", async () => {
  const { status } = await service.scrape({ url: `${site.url}/article`, onBlocked: "hide" });
  expect(status).toBe(400);
});

describe("response shorter than its Content-Length", () => {
  it.each([
    ["a page", "/short-body", "sea wall"],
    ["a PDF", "/short-file", "the north pier is closed"],
  ])(
    "reports a response shorter than its Content-Length as partial with both numbers: %s",
    async (_, path, text) => {
      const { metadata, markdown, warning } = await scrape(path);
      expect(metadata.verdict).toBe("partial");
      expect(metadata).not.toHaveProperty("error");
      expect(markdown).toContain(text);
      expect(warning).toMatch(/it sent \d+ bytes of the \d+ that Content-Length announces/);
    },
  );

  it.each(["/short-body?kept", "/short-file?kept"])(
    "does not cache a truncated response: %s",
    async (path) => {
      const first = await scrape(path, { maxAge: 60_000 });
      const second = await scrape(path, { maxAge: 60_000 });
      expect([first.metadata.cacheState, second.metadata.cacheState]).toEqual(["miss", "miss"]);
    },
  );
});

it("a crawl returns a bot check in results and ledger and follows none of its links", async () => {
  const { id, documents } = await service.client.crawl(`${site.url}/challenge`, {
    sitemap: "skip",
    crawlEntireDomain: true,
  });
  expect(documents.map(({ metadata }) => metadata.verdict)).toEqual(["bot_check"]);
  expect(documents[0]?.markdown).toBe("");
  const ledger = await service.client.crawlJob(id ?? "").ledger();
  expect(ledger.entries).toMatchObject([{ fate: "fetched", verdict: "bot_check" }]);
});

it("a batch returns the verdict in its results", async () => {
  const { documents } = await service.client.batch([`${site.url}/article`, `${site.url}/soft-404`]);
  const verdicts = documents.map(({ metadata }) => metadata.verdict ?? "");
  expect(new Set(verdicts)).toEqual(new Set(["content", "soft_404"]));
});
