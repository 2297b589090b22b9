// Invalid requests to every endpoint with input, from the wire contract: `error` alone must say
// which value is wrong and what is allowed, because most clients print nothing else.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../../service.ts";

let service: Service;
beforeAll(async () => {
  service = await startService(undefined);
});
afterAll(() => service.close());

const url = "https://example.com";
const ID = "0199f0c0-0000-7000-8000-000000000000";
const BATCH = "POST /v2/batch/scrape";
const SCRAPE = "POST /v2/scrape";
const CRAWL = "POST /v2/crawl";
const MAP = "POST /v2/map";
const SEARCH = "POST /v2/search";
const AGENT = "POST /v2/agent";
const EXTRACT = "POST /v2/extract";
const BROWSER = "POST /v2/browser";
const INTERACT = `POST /v2/scrape/${ID}/interact`;

type Case = readonly [route: string, body: unknown, ...says: (string | RegExp)[]];

/** Invalid requests and the text that `error` must contain. */
const CASES: readonly Case[] = [
  [SCRAPE, {}, "url", "required"],
  [SCRAPE, { url: 7 }, "url", "string"],
  [SCRAPE, { url: "" }, "Invalid URL"],
  [SCRAPE, { url: null }, "url", "string"],
  [SCRAPE, { url: "ftp://example.com/file" }, /https?/],
  [SCRAPE, { ulr: url }, "url", /ulr/],
  [SCRAPE, { url, formats: "markdown" }, "formats", '["markdown"]'],
  [SCRAPE, { url, formats: ["mrkdown"] }, "formats[0]", 'did you mean "markdown"?'],
  [SCRAPE, { url, formats: ["Markdown"] }, "formats[0]", 'did you mean "markdown"?'],
  [SCRAPE, { url, formats: ["md"] }, "formats[0]", 'did you mean "markdown"?'],
  [SCRAPE, { url, formats: ["raw_html"] }, 'did you mean "rawHtml"?'],
  [SCRAPE, { url, formats: [{ type: "screenshots" }] }, 'did you mean "screenshot"?'],
  [SCRAPE, { url, formats: [7] }, "formats[0]"],
  [SCRAPE, { url, formats: ["json"] }, "json", /schema|prompt/],
  [SCRAPE, { url, formats: [{ type: "json", schema: "x" }] }, "formats[0].schema", "object"],
  [SCRAPE, { url, formats: [{ type: "json", prompt: 3 }] }, "formats[0].prompt", "string"],
  [SCRAPE, { url, formats: [{ type: "json", prompt: "p", shema: {} }] }, "shema", "schema"],
  [SCRAPE, { url, waitfor: 100 }, "waitfor", "did you mean waitFor?"],
  [SCRAPE, { url, wait_for: 100 }, "wait_for", "waitFor"],
  [SCRAPE, { url, onlymaincontent: true }, "did you mean onlyMainContent?"],
  [SCRAPE, { url, onlyMainContent: "yes" }, "onlyMainContent", "true or false"],
  [SCRAPE, { url, timeout: 999 }, "timeout", "1000"],
  [SCRAPE, { url, timeout: 300_001 }, "timeout", "300000"],
  [SCRAPE, { url, timeout: 1_000.5 }, "timeout", "whole number"],
  [SCRAPE, { url, timeout: "30s" }, "timeout", "number"],
  [SCRAPE, { url, waitFor: 3_000, timeout: 5_000 }, "waitFor", "half of timeout"],
  [SCRAPE, { url, proxy: "stelth" }, "proxy", 'did you mean "stealth"?'],
  [SCRAPE, { url, maxAge: -1 }, "maxAge", "0"],
  [SCRAPE, { url, includeTags: "main" }, "includeTags", '["main"]'],
  [SCRAPE, { url, excludeTags: [7] }, "excludeTags[0]", "string"],
  [SCRAPE, { url, parsers: "pdf" }, "parsers", '["pdf"]'],
  [SCRAPE, { url, parsers: ["docx"] }, "parsers[0]", '"pdf"'],
  [SCRAPE, { url, headers: { a: 1 } }, "headers.a", "string"],
  [SCRAPE, { url, location: { country: "Germany" } }, "country"],
  [SCRAPE, { url, location: null }, "location", "object"],
  [SCRAPE, { url, actions: [{ type: "clik", selector: "a" }] }, 'did you mean "click"?'],
  [SCRAPE, { url, actions: [{ type: "click" }] }, "actions[0].selector", "required"],
  [SCRAPE, { url, actions: ["click"] }, "actions[0]", "object"],
  [SCRAPE, { url, actions: [{ type: "wait" }] }, "actions[0]", /milliseconds|selector/],
  [SCRAPE, { url, scrapeOptions: { formats: ["markdown"] } }, "scrapeOptions"],
  [SCRAPE, { url, constructor: 1, ["__proto__x"]: 1 }, "constructor"],
  [SCRAPE, [], "object", "array"],
  [SCRAPE, "text", "object", "string"],
  [CRAWL, {}, "url", "required"],
  [CRAWL, { url, formats: ["markdown"] }, "formats", "put it into scrapeOptions"],
  [CRAWL, { url, maxDepth: 2 }, "maxDepth", "maxDiscoveryDepth"],
  [CRAWL, { url, limit: 0 }, "limit", "1"],
  [CRAWL, { url, limit: "10" }, "limit", "number"],
  [CRAWL, { url, sitemap: "skipp" }, 'did you mean "skip"?'],
  [CRAWL, { url, includePaths: "/blog" }, "includePaths", '["/blog"]'],
  [CRAWL, { url, includePaths: ["("] }, "includePaths"],
  [CRAWL, { url, delay: -1 }, "delay"],
  [CRAWL, { url, webhook: 5 }, "webhook"],
  [CRAWL, { url, webhook: { url: "https://a.example", events: ["finish"] } }, "webhook.events[0]"],
  [CRAWL, { url, scrapeOptions: { format: ["markdown"] } }, "did you mean formats?"],
  [`GET /v2/crawl/${ID}?limit=0`, undefined, "limit", "1"],
  [`GET /v2/crawl/${ID}?skip=a`, undefined, "skip"],
  ["GET /v2/crawl/nonsense", undefined, "UUID"],
  ["POST /v2/crawl/params-preview", { url }, "prompt", "required"],
  [BATCH, {}, "urls", "required"],
  [BATCH, { urls: [] }, "urls", "at least 1"],
  [BATCH, { urls: url }, "urls", `["${url}"]`],
  [BATCH, { url }, "url", "did you mean urls?"],
  [BATCH, { urls: [url], appendToId: "abc" }, "appendToId", "UUID"],
  [MAP, { url, limit: 100_001 }, "limit", "100000"],
  [MAP, { url, sitemap: true }, "sitemap", '"include"'],
  [MAP, { url, query: "docs" }, "query", "search"],
  [SEARCH, {}, "query", "required"],
  [SEARCH, { q: "cats" }, "q", "query"],
  [SEARCH, { query: "" }, "query", "empty"],
  [SEARCH, { query: "a", limit: 1_000 }, "limit", "100"],
  [SEARCH, { query: "a", sources: ["webb"] }, 'did you mean "web"?'],
  [SEARCH, { query: "a", includeDomains: ["a.example"], excludeDomains: ["b.example"] }, "Domains"],
  [INTERACT, {}, /code|prompt/],
  [INTERACT, { code: "" }, "code", "empty"],
  [INTERACT, { code: "1", language: "ruby" }, 'language must be "node"'],
  [INTERACT, { code: "1", timeout: 301 }, "timeout", "300"],
  ["POST /v2/scrape/none/interact", { code: "1" }, "UUID"],
  [BROWSER, { ttl: 10 }, "ttl", "30"],
  [BROWSER, { activityTTL: 20 }, "did you mean activityTtl?"],
  [`POST /v2/browser/${ID}/execute`, {}, "code", "required"],
  [AGENT, {}, "prompt", "required"],
  [AGENT, { prompt: "" }, "prompt", "empty"],
  [AGENT, { prompt: "a", urls: "https://a.example" }, "urls", '["https://a.example"]'],
  [AGENT, { prompt: "a", model: "spark-3-nano" }, "model", "spark-1-mini"],
  [AGENT, { prompt: "a", effort: "hihg" }, 'did you mean "high"?'],
  [AGENT, { prompt: "a", maxCredits: "5" }, "maxCredits", "number"],
  [EXTRACT, {}, "urls", "prompt"],
  [EXTRACT, { urls: Array.from({ length: 11 }, () => url) }, "urls", "10"],
  ["POST /v2/parse", {}, /file|uploadRef/],
  ["POST /v2/parse/upload-url", {}, "filename", "required"],
  ["GET /v2/team/activity?endpoint=scrapes", undefined, 'did you mean "scrape"?'],
  ["GET /v2/team/credit-usage/historical?timeRange=year", undefined, "timeRange", '"month"'],
  ["GET /v2/jobs?state=finished", undefined, "state", '"completed"'],
  ["POST /v1/scrape", { url, formats: ["mardown"] }, 'did you mean "markdown"?'],
  ["POST /v1/crawl", { url, limit: 0 }, "limit", "1"],
  ["POST /v1/search", { query: 5 }, "query", "string"],
];

describe.skipIf(isRemote)("invalid requests", () => {
  it.each(
    CASES.map(([route, body, ...says]) => [route, JSON.stringify(body) ?? "", body, says] as const),
  )("rejects %s %s with a text that names the fault", async (route, _shown, body, says) => {
    const [method = "", path = ""] = route.split(" ");
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await service.ask(path, { method, ...sent });
    expect(answer.status, answer.text).toBe(400);
    const { error = "" } = answer.body;
    expect(error).not.toMatch(/^(Bad Request|Invalid request body)$/);
    for (const said of says) {
      if (typeof said === "string") expect(error).toContain(said);
      else expect(error).toMatch(said);
    }
    // The schema library's words must not appear in the API.
    expect(error).not.toMatch(/expected|received|undefined|Invalid input|record/);
    expect(error.length).toBeLessThan(700);
    expect(service.log()).toContain(JSON.stringify(error).slice(1, -1));
  });

  it("keeps the texts that clients know at the start of error", async () => {
    const bad = await service.scrape({ url, timeout: 1 });
    expect(bad.body.error).toBe("Bad Request: timeout must be at least 1000");
    expect(bad.body.details?.[0]).toMatchObject({ code: "too_small", path: ["timeout"] });
    const unknown = await service.scrape({ url, colour: "blue" });
    expect(unknown.body.error).toBe(
      'Unrecognized key in body -- please review the v2 API documentation for request body changes: "colour"',
    );
    const v1 = await service.ask("/v1/scrape", { method: "POST", body: { url, colour: "blue" } });
    expect(v1.body.error).toMatch(
      /^Unrecognized key in body -- please review the v1 API.*: "colour"$/,
    );
  });

  it("lists no format, action or endpoint that answers 501 among the allowed values", async () => {
    for (const formats of [["vidio"], ["products"], ["menus"], [{ type: "vidio" }], ["poem"]]) {
      const { status, text } = await service.scrape({ url, formats });
      expect(status, text).toBe(400);
      expect(text).not.toMatch(/\b(?:product|menu|video)\b/);
    }
    const { text } = await service.ask(`/v2/scrape/${ID}/interact`, {
      method: "POST",
      body: { code: "1", language: "pyton" },
    });
    expect(text).not.toContain("python");
    const route = await service.ask("/v2/exchanges", { method: "POST", body: {} });
    expect(route.body.error).toBe("There is no POST /v2/exchanges; see /docs/api for the routes.");
  });

  it("answers 501, and not 400, to formats of hosted services by name or object", async () => {
    for (const formats of [["video"], [{ type: "product" }], ["markdown", "menu"]]) {
      const { status, body } = await service.scrape({ url, formats });
      expect([status, body.code], body.error).toEqual([501, "NOT_IMPLEMENTED"]);
    }
  });

  it("suggests nothing when no name is close", async () => {
    const { body } = await service.scrape({ url, zzzzz: 1 });
    expect(body.error).not.toContain("did you mean");
    const format = await service.scrape({ url, formats: ["poem"] });
    expect(format.body.error).toContain('formats[0] must be one of "markdown"');
    expect(format.body.error).not.toContain("did you mean");
  });

  it("names the position of malformed JSON", async () => {
    const { status, body } = await service.ask("/v2/scrape", {
      method: "POST",
      body: `{"url": "${url}",}`,
    });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST_INVALID_JSON"]);
    expect(body.error).toMatch(/^Bad request, malformed JSON: .*position \d+/);
  });

  it("reads JSON regardless of its Content-Type", async () => {
    const types = [
      "application/x-www-form-urlencoded",
      "text/plain;charset=UTF-8",
      "application/octet-stream",
    ];
    for (const type of types) {
      const answer = await service.ask("/v2/scrape", {
        method: "POST",
        body: JSON.stringify({ url, timeout: 1 }),
        headers: { "content-type": type },
      });
      expect([type, answer.body.error]).toEqual([
        type,
        "Bad Request: timeout must be at least 1000",
      ]);
    }
    // fetch sends bytes without a Content-Type.
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}` },
      body: new TextEncoder().encode(JSON.stringify({ url, timeout: 1 })),
    });
    expect(((await response.json()) as { error: string }).error).toContain("timeout must be");
  });

  it("asks for application/json when the body is not JSON", async () => {
    for (const type of ["text/plain", "application/xml"]) {
      const answer = await service.ask("/v2/scrape", {
        method: "POST",
        body: "<url/>",
        headers: { "content-type": type },
      });
      expect(answer.status).toBe(415);
      expect(answer.body.error).toContain("Content-Type: application/json");
    }
    const nothing = await service.ask("/v2/scrape", { method: "POST" });
    expect(nothing.status).toBe(400);
    expect(nothing.body.error).toContain("the body is required");
  });
});
