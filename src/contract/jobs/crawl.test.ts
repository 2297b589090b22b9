import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { batchRequestSchema, findUrlFaults } from "./batch.ts";
import { crawlPreviewRequestSchema } from "./crawl-preview.ts";
import { crawlRequestSchema, jobStatusQuerySchema, jobStatusResponseSchema } from "./crawl.ts";
import { toErrorBody, UNKNOWN_KEY_TEXT } from "../request/faults.ts";
import { idParamsSchema } from "../request/identifier.ts";

const url = "https://example.com/docs";
const refuse = (schema: z.ZodType, value: unknown) => {
  const result = schema.safeParse(value);
  if (result.success) throw new Error(`was taken: ${JSON.stringify(value)}`);
  return toErrorBody(result.error);
};
const parse = (fields: object) => crawlRequestSchema.parse({ url, ...fields });

describe("crawl request", () => {
  it("has the documented crawl defaults", () => {
    expect(parse({})).toMatchObject({
      url,
      limit: 10_000,
      includePaths: [],
      excludePaths: [],
      regexOnFullURL: false,
      crawlEntireDomain: false,
      allowExternalLinks: false,
      allowSubdomains: false,
      ignoreRobotsTxt: false,
      sitemap: "include",
      deduplicateSimilarURLs: true,
      ignoreQueryParameters: false,
      zeroDataRetention: false,
      scrapeOptions: { formats: [{ type: "markdown" }], onlyMainContent: true },
    });
  });

  it("accepts null where published clients send it", () => {
    const names = ["prompt", "includePaths", "excludePaths", "maxDiscoveryDepth", "limit", "delay"];
    const more = ["robotsUserAgent", "maxConcurrency", "webhook", "scrapeOptions"];
    const nulls = Object.fromEntries([...names, ...more].map((name) => [name, null]));
    expect(parse(nulls)).toMatchObject({ limit: 10_000, includePaths: [] });
  });

  it.each([
    [{ limit: 1 }],
    [{ maxDiscoveryDepth: 0 }],
    [{ delay: 0.001 }],
    [{ delay: 60 }],
    [{ maxConcurrency: 1 }],
    [{ sitemap: "only" }],
    [{ prompt: "" }],
    [{ prompt: "a".repeat(10_000) }],
    [{ includePaths: ["^/docs/.*$", "a|b"] }],
    [{ webhook: "https://example.com/hook" }],
    [{ scrapeOptions: { formats: ["links"], origin: "api" } }],
  ])("accepts the crawl options %j", (fields) => {
    expect(() => parse(fields)).not.toThrow();
  });

  it.each([
    [{ limit: 0 }, "limit"],
    [{ limit: 1.5 }, "limit"],
    [{ limit: "5" }, "limit"],
    [{ limit: 99_999_999_999 }, "limit"],
    [{ robotsUserAgent: "bot\r\nX: y" }, "robotsUserAgent"],
    [{ robotsUserAgent: "bot\u0000" }, "robotsUserAgent"],
    [{ maxDiscoveryDepth: 99_999_999_999 }, "maxDiscoveryDepth"],
    [{ maxConcurrency: 99_999_999_999 }, "maxConcurrency"],
    [{ maxDiscoveryDepth: -1 }, "maxDiscoveryDepth"],
    [{ delay: 0 }, "delay"],
    [{ delay: 61 }, "delay"],
    [{ maxConcurrency: 0 }, "maxConcurrency"],
    [{ sitemap: "all" }, "sitemap"],
    [{ prompt: "a".repeat(10_001) }, "prompt"],
    [{ includePaths: "/docs" }, "includePaths"],
    [{ excludePaths: [1] }, "excludePaths"],
    [{ allowSubdomains: "yes" }, "allowSubdomains"],
    [{ scrapeOptions: { timeout: 1 } }, "scrapeOptions"],
  ])("rejects the crawl options %j", (fields, field) => {
    const fault = refuse(crawlRequestSchema, { url, ...fields });
    expect(fault.error).toMatch(/^Bad Request: /);
    expect(fault.details[0]?.path[0]).toBe(field);
  });

  it.each([
    [{ includePaths: ["("] }, "Invalid regular expression"],
    [{ url: "ftp://example.com" }, "unsupported protocol"],
    [
      { scrapeOptions: { waitFor: 6_000, timeout: 10_000 } },
      "waitFor must not exceed half of timeout",
    ],
    [{ zeroDataRetention: true, scrapeOptions: { formats: ["screenshot"] } }, "zeroDataRetention"],
    [{ scrapeOptions: { lockdown: true } }, "which lockdown forbids"],
    [{ webhook: "example.com" }, "absolute http or https URL"],
    [{ maxDepth: 2 }, UNKNOWN_KEY_TEXT],
    [{ scrapeOptions: { url } }, UNKNOWN_KEY_TEXT],
    [{ webhook: { url, sealedSecret: "a".repeat(16) } }, UNKNOWN_KEY_TEXT],
  ])("rejects the crawl options %j with the documented text", (fields, text) => {
    expect(refuse(crawlRequestSchema, { url, ...fields }).error).toContain(text);
  });

  it("reads ignoreSitemap as sitemap skip unless sitemap is given", () => {
    expect(parse({ ignoreSitemap: true }).sitemap).toBe("skip");
    expect(parse({ ignoreSitemap: true, sitemap: "only" }).sitemap).toBe("only");
    expect(parse({ ignoreSitemap: false }).sitemap).toBe("include");
  });

  it("passes zeroDataRetention on to the pages", () => {
    const { scrapeOptions } = parse({ zeroDataRetention: true });
    expect([scrapeOptions.zeroDataRetention, scrapeOptions.storeInCache]).toEqual([true, false]);
  });

  it("accepts a webhook as URL or object with short or full event names", () => {
    const full = { url, headers: {}, metadata: {} };
    expect(parse({ webhook: url }).webhook).toEqual({
      ...full,
      events: ["started", "page", "completed", "failed", "cancelled"],
    });
    expect(parse({ webhook: { url, events: ["page", "crawl.completed"] } }).webhook).toEqual({
      ...full,
      events: ["page", "completed"],
    });
    expect(
      refuse(crawlRequestSchema, { url, webhook: { url, events: ["agent.started"] } }).error,
    ).toMatch(/^Bad Request: /);
  });

  it.each(["Host", "content-length", "Transfer-Encoding", "connection", "X-Firecrawl-Signature"])(
    "rejects the webhook header %s, which the server sets",
    (name) => {
      const fault = refuse(crawlRequestSchema, { url, webhook: { url, headers: { [name]: "1" } } });
      expect(fault.error).toBe(`webhook: the header ${name} is set by the server`);
      expect(() => parse({ webhook: { url, headers: { "X-Other": "1" } } })).not.toThrow();
    },
  );

  it("accepts a URL and a prompt for a preview", () => {
    expect(crawlPreviewRequestSchema.safeParse({ url, prompt: "docs" }).success).toBe(true);
    expect(refuse(crawlPreviewRequestSchema, { url }).details[0]?.path).toEqual(["prompt"]);
  });
});

describe("batch request", () => {
  it("accepts the scrape options of a batch at the top level and nests them", () => {
    const options = batchRequestSchema.parse({
      urls: [url, "bad url"],
      formats: ["links"],
      mobile: true,
    });
    expect(options.urls).toEqual([url, "bad url"]);
    expect(options.ignoreInvalidURLs).toBe(true);
    expect(options.scrapeOptions).toMatchObject({ formats: [{ type: "links" }], mobile: true });
    expect(Object.keys(options.scrapeOptions)).not.toContain("urls");
  });

  it("rejects an invalid URL when requested, and an empty list", () => {
    const fault = refuse(batchRequestSchema, { urls: [url, "bad url"], ignoreInvalidURLs: false });
    expect(fault).toMatchObject({
      error: "Invalid URL (urls[1])",
      details: [{ path: ["urls", 1] }],
    });
    expect(refuse(batchRequestSchema, { urls: [] }).error).toMatch(/^Bad Request: /);
    expect(refuse(batchRequestSchema, { urls: [url], options: {} }).error).toContain(
      `${UNKNOWN_KEY_TEXT}: "`,
    );
    expect(refuse(batchRequestSchema, { urls: [url], appendToId: "1" }).error).toContain(
      "Invalid job ID",
    );
  });

  it("leaves the URLs of a long list to findUrlFaults, which names them by index", () => {
    const urls = Array.from({ length: 1_001 }, (_, index) => (index === 1_000 ? "bad url" : url));
    expect(batchRequestSchema.safeParse({ urls, ignoreInvalidURLs: false }).success).toBe(true);
    expect(findUrlFaults(["b.com", "bad url", "a.com", "ftp://a.com"], 200)).toMatchObject([
      { input: "bad url", path: ["urls", 201], message: "Invalid URL" },
      { input: "ftp://a.com", path: ["urls", 203] },
    ]);
  });
});

describe("job status", () => {
  it.each([
    [{}, {}],
    [
      { skip: "0", limit: "1000" },
      { skip: 0, limit: 1_000 },
    ],
    [{ skip: "10", unknown: "a" }, { skip: 10 }],
  ])("parses the status query %j", (query, expected) => {
    expect(jobStatusQuerySchema.parse(query)).toEqual(expected);
  });

  it.each([
    [{ skip: "-1" }],
    [{ skip: "1.5" }],
    [{ skip: "" }],
    [{ skip: "1e3" }],
    [{ skip: "9".repeat(20) }],
    [{ skip: "2147483648" }],
    [{ limit: "0" }],
    [{ limit: "1001" }],
    [{ limit: "ten" }],
  ])("rejects the status query %j as invalid pagination", (query) => {
    expect(refuse(jobStatusQuerySchema, query).error).toMatch(/^Invalid pagination/);
  });

  it("rejects a malformed job id with the documented text", () => {
    expect(refuse(idParamsSchema, { id: "active" }).error).toBe(
      "Invalid job ID format. Job ID must be a valid UUID.",
    );
    expect(idParamsSchema.parse({ id: "0199F0C0-0000-7000-8000-000000000000" }).id).toBeDefined();
  });

  it("accepts only the four job states and whole numbers", () => {
    const status = {
      success: true,
      total: 1,
      completed: 1,
      creditsUsed: 1,
      createdAt: "",
      expiresAt: "",
      data: [],
    };
    expect(jobStatusResponseSchema.safeParse({ ...status, status: "completed" }).success).toBe(
      true,
    );
    expect(jobStatusResponseSchema.safeParse({ ...status, status: "queued" }).success).toBe(false);
    expect(
      jobStatusResponseSchema.safeParse({ ...status, status: "failed", total: 0.5 }).success,
    ).toBe(false);
  });
});
