// Requests that answer at once or start an agent: map, search, interact, browser, agent, extract,
// parse, feedback.
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { agentListQuerySchema, agentRequestSchema } from "./jobs/agent.ts";
import { browserExecuteRequestSchema, browserRequestSchema } from "./session/browser.ts";
import { extractRequestSchema } from "./jobs/extract.ts";
import { toErrorBody } from "./request/faults.ts";
import { feedbackRequestSchema } from "./page/feedback.ts";
import { interactRequestSchema } from "./session/interact.ts";
import { mapRequestSchema } from "./page/map.ts";
import { parseOptionsSchema, parseReferenceRequestSchema } from "./page/parse.ts";
import { SEARCH_FAULT_TEXT, searchRequestSchema } from "./page/search.ts";
import { activityQuerySchema, historicalQuerySchema } from "./account/team.ts";

const url = "https://example.com";
const schema = { type: "object", properties: { a: { type: "string" } } };
const long = "a".repeat(10_001);

type Case = readonly [name: string, schema: z.ZodType, least: object, defaults: object];

const CASES: readonly Case[] = [
  [
    "map",
    mapRequestSchema,
    { url },
    {
      limit: 100,
      sitemap: "include",
      includeSubdomains: true,
      ignoreQueryParameters: true,
      ignoreCache: false,
    },
  ],
  [
    "search",
    searchRequestSchema,
    { query: "a" },
    {
      limit: 10,
      sources: [{ type: "web" }],
      lang: "en",
      country: "us",
      timeout: 60_000,
      ignoreInvalidURLs: false,
      highlights: true,
      scrapeOptions: { formats: [], maxAge: 259_200_000 },
    },
  ],
  [
    "interact",
    interactRequestSchema,
    { code: "1" },
    { language: "node", timeout: 30, ttl: 600, activityTtl: 300 },
  ],
  [
    "browser",
    browserRequestSchema,
    {},
    { ttl: 600, activityTtl: 300, streamWebView: true, recordSession: false },
  ],
  ["browser execute", browserExecuteRequestSchema, { code: "1" }, { timeout: 30 }],
  [
    "agent",
    agentRequestSchema,
    { prompt: "a" },
    { maxCredits: 2_500, strictConstrainToURLs: false, model: "spark-1-mini", mode: "extract" },
  ],
  [
    "extract",
    extractRequestSchema,
    { prompt: "a" },
    { includeSubdomains: true, ignoreInvalidURLs: true, allowExternalLinks: false },
  ],
  [
    "parse",
    parseOptionsSchema,
    {},
    { formats: [{ type: "markdown" }], maxAge: 0, storeInCache: false, actions: [] },
  ],
  ["feedback", feedbackRequestSchema, { endpoint: "map", jobId: "1", rating: "good" }, {}],
];
const schemaOf = (name: string): z.ZodType => CASES.find(([own]) => own === name)?.[1] as z.ZodType;
const leastOf = (name: string): object => CASES.find(([own]) => own === name)?.[2] ?? {};

const refuse = (name: string, fields: object, fallback?: string) => {
  const result = schemaOf(name).safeParse({ ...leastOf(name), ...fields });
  if (result.success) throw new Error(`was taken: ${JSON.stringify(fields)}`);
  return toErrorBody(result.error, fallback);
};

describe.each(CASES)("request %s", (name, own, min, defaults) => {
  it(`${name} has its documented defaults`, () => {
    expect(own.parse(min)).toMatchObject(defaults);
  });

  it.each(Object.keys(min).filter((key) => key !== "code"))(`${name} requires %s`, (key) => {
    const { [key]: _left, ...rest } = min as Record<string, unknown>;
    expect(own.safeParse(rest).success).toBe(false);
  });
});

describe("inclusive limits", () => {
  it.each([
    ["map", { limit: 1 }],
    [
      "map",
      { limit: 100_000, sitemap: "skip", timeout: 1, search: "a", location: { country: "DE" } },
    ],
    ["search", { limit: 100, query: "a".repeat(500) }],
    [
      "search",
      {
        sources: ["news", { type: "images", tbs: "qdr:w" }, "alexandria"],
        categories: ["pdf", { type: "github" }],
      },
    ],
    ["search", { includeDomains: ["docs.example.com"], excludeDomains: [] }],
    [
      "search",
      { filter: "a", domainTools: true, toolDetail: "compact", enterprise: ["zdr"], safe: true },
    ],
    [
      "interact",
      { code: "a".repeat(100_000), timeout: 300, language: "bash", ttl: 3_600, activityTtl: 10 },
    ],
    ["interact", { code: undefined, prompt: "a".repeat(10_000), timeout: 1 }],
    ["browser", { ttl: 30, activityTtl: 3_600, profile: { name: "a" } }],
    ["agent", { prompt: "a".repeat(10_000), urls: [url], schema, maxCredits: 0, effort: "low" }],
    [
      "agent",
      { model: "spark-1-pro", webhook: { url, events: ["action"] }, exchange: { enabled: false } },
    ],
    ["agent", { strictConstrainToURLs: true, prompt: "prices of https://a.example/list" }],
    ["agent", { model: "spark-2", threadId: "0199f0c0-0000-7000-8000-000000000000", mode: "chat" }],
    [
      "extract",
      {
        urls: Array.from({ length: 10 }, () => "https://example.com/*"),
        prompt: undefined,
        schema,
      },
    ],
    [
      "parse",
      { formats: ["markdown", "html", { type: "json", schema }], proxy: "basic", timeout: 1_000 },
    ],
    ["feedback", { integration: null, valuableSources: [{ url }], metadata: { a: 1 } }],
  ])("%s accepts %j", (name, fields) => {
    expect(() => schemaOf(name).parse({ ...leastOf(name), ...fields })).not.toThrow();
  });

  it.each([
    ["map", { limit: 0 }, "limit"],
    ["map", { limit: 100_001 }, "limit"],
    ["map", { timeout: 0 }, "timeout"],
    ["map", { search: 1 }, "search"],
    ["search", { query: "" }, "query"],
    ["search", { query: "a".repeat(501) }, "query"],
    ["search", { limit: 101 }, "limit"],
    ["search", { sources: ["video"] }, "sources"],
    ["search", { includeDomains: ["https://example.com"] }, "includeDomains"],
    ["interact", { code: "" }, "code"],
    ["interact", { code: "a".repeat(100_001) }, "code"],
    ["interact", { prompt: long }, "prompt"],
    ["interact", { timeout: 301 }, "timeout"],
    ["interact", { timeout: 0 }, "timeout"],
    ["interact", { language: "ruby" }, "language"],
    ["interact", { ttl: 29 }, "ttl"],
    ["interact", { activityTtl: 9 }, "activityTtl"],
    ["browser", { ttl: 3_601 }, "ttl"],
    ["agent", { prompt: "" }, "prompt"],
    ["agent", { prompt: long }, "prompt"],
    ["agent", { maxCredits: "all" }, "maxCredits"],
    ["agent", { model: "gpt" }, "model"],
    ["agent", { webhook: { url, events: ["page"] } }, "webhook"],
    ["extract", { urls: Array.from({ length: 11 }, () => url) }, "urls"],
    ["feedback", { rating: "fine" }, "rating"],
  ])("%s rejects %j", (name, fields, field) => {
    const fault = refuse(name, fields);
    expect(fault.error).toMatch(/^Bad Request: /);
    expect(fault.details[0]?.path[0]).toBe(field);
  });
});

describe("rules with their own text", () => {
  it.each([
    [
      "search",
      { includeDomains: ["a.com"], excludeDomains: ["b.com"] },
      "cannot both be specified",
    ],
    ["search", { country: "XX" }, "country code"],
    ["interact", { code: undefined }, "Either 'code' or 'prompt' must be provided."],
    ["agent", { schema: { type: "objekt" } }, "Invalid JSON schema: "],
    ["agent", { urls: ["nonsense"] }, "top-level domain"],
    ["agent", { strictConstrainToURLs: true, urls: [] }, "strictConstrainToURLs needs urls"],
    ["extract", { prompt: undefined }, "Either 'urls' or 'prompt' must be provided."],
    ["extract", { urls: ["nonsense"], ignoreInvalidURLs: false }, "top-level domain"],
    ["feedback", { metadata: { a: "a".repeat(9_000) } }, "8 KB"],
    ["parse", { waitFor: 1 }, "do not support waitFor"],
    ["parse", { actions: [] }, "do not support actions"],
    ["parse", { location: {} }, "do not support location"],
    ["parse", { mobile: true }, "do not support mobile"],
    ["parse", { lockdown: true }, "do not support lockdown"],
    ["parse", { formats: ["screenshot"] }, "do not support screenshot"],
    ["parse", { formats: ["markdown", "changeTracking"] }, "do not support change tracking"],
    ["parse", { formats: ["branding"] }, "do not support branding"],
    ["parse", { formats: ["audio"] }, "do not support audio"],
    ["parse", { proxy: "stealth" }, "do not support proxy"],
  ])("%s rejects %j: %s", (name, fields, text) => {
    const fault = refuse(name, fields);
    expect(fault.error).toContain(text);
    expect(fault.code).toBe(name === "parse" ? "PARSE_UNSUPPORTED_OPTIONS" : "BAD_REQUEST");
  });

  it("uses the search text for an invalid search body", () => {
    expect(refuse("search", { limit: 0 }, SEARCH_FAULT_TEXT).error).toBe(
      "Invalid request body: limit must be at least 1",
    );
  });

  it("accepts an upload reference with the options beside it", () => {
    const { uploadRef, options } = parseReferenceRequestSchema.parse({
      uploadRef: "r",
      formats: ["html"],
    });
    expect(uploadRef).toBe("r");
    expect(options.formats).toEqual([{ type: "html" }]);
  });
});

describe("query strings", () => {
  it("reads an invalid activity limit as the default", () => {
    const limits = ["5", "0", "101", "x", undefined].map(
      (limit) => activityQuerySchema.parse({ limit }).limit,
    );
    expect(limits).toEqual([5, 50, 50, 50, 50]);
    expect(activityQuerySchema.safeParse({ endpoint: "none" }).success).toBe(false);
  });

  it("parses flags and times in queries", () => {
    expect(historicalQuerySchema.parse({ byApiKey: "true" }).byApiKey).toBe(true);
    expect(historicalQuerySchema.safeParse({ byApiKey: "true", timeRange: "day" }).success).toBe(
      false,
    );
    expect(agentListQuerySchema.parse({ before: "1795000000000" }).before).toBe(1_795_000_000_000);
    expect(agentListQuerySchema.safeParse({ before: "yesterday" }).success).toBe(false);
  });
});
