import { describe, expect, it } from "vitest";
import { toErrorBody, UNKNOWN_KEY_TEXT } from "../request/faults.ts";
import {
  scrapeOptionsSchema,
  scrapeRequestSchema,
  computeWaitMs,
  type ScrapeOptions,
} from "./scrape.ts";

const url = "https://example.com";
const parse = (fields: object): ScrapeOptions => scrapeRequestSchema.parse({ url, ...fields });
const refuse = (fields: object) => {
  const result = scrapeRequestSchema.safeParse({ url, ...fields });
  if (result.success) throw new Error(`was taken: ${JSON.stringify(fields)}`);
  return toErrorBody(result.error);
};

describe("scrape defaults", () => {
  it.each([
    ["formats", [{ type: "markdown" }]],
    ["onlyMainContent", true],
    ["onlyCleanContent", false],
    ["includeTags", []],
    ["excludeTags", []],
    ["maxAge", 172_800_000],
    ["minAge", undefined],
    ["headers", {}],
    ["waitFor", 0],
    ["mobile", false],
    ["skipTlsVerification", true],
    ["timeout", 120_000],
    ["actions", []],
    ["location", undefined],
    ["removeBase64Images", true],
    ["blockAds", true],
    ["proxy", "auto"],
    ["storeInCache", true],
    ["lockdown", false],
    ["profile", undefined],
    ["zeroDataRetention", false],
    ["redactPII", false],
    ["origin", "api"],
  ])("has the documented default of %s", (field, expected) => {
    expect(parse({})[field as keyof ScrapeOptions]).toEqual(expected);
  });

  it("parses PDFs in mode auto by default", () => {
    expect(parse({}).parsers).toEqual([
      { type: "pdf", mode: "auto", blocks: false, pageMarkers: false, pages: false },
    ]);
  });

  it("lowercases the country and saves profiles by default", () => {
    expect(parse({ location: {} }).location).toEqual({ country: "us" });
    expect(parse({ location: { country: "dE" } }).location?.country).toBe("de");
    expect(parse({ profile: { name: "shop" } }).profile).toEqual({
      name: "shop",
      saveChanges: true,
    });
  });
});

describe("scrape limits", () => {
  it.each([
    [{ timeout: 1_000 }],
    [{ timeout: 300_000 }],
    [{ waitFor: 0 }],
    [{ waitFor: 60_000, timeout: 120_000 }],
    [{ maxAge: 0 }],
    [{ minAge: 0 }],
    [{ profile: { name: "a" } }],
    [{ profile: { name: "a".repeat(128) } }],
    [{ location: { country: "us-generic", languages: ["en-US", "de"] } }],
    [{ formats: [] }],
    [{ parsers: [] }],
    [{ proxy: "basic" }],
    [{ proxy: "stealth" }],
    [{ proxy: "enhanced" }],
    [{ redactPII: true }],
    [{ redactPII: { entities: ["EMAIL"], replaceStyle: "mask" } }],
    [{ threatProtection: { mode: "off" }, auditMetadata: { username: "a" } }],
    [{ domainTools: true, toolDetail: "full", useMock: "x", fastMode: true, safeMode: false }],
    [{ integration: "_own", origin: "mcp" }],
  ])("accepts the scrape options %j", (fields) => {
    expect(() => parse(fields)).not.toThrow();
  });

  it.each([
    [{ url: 5 }, "url"],
    [{ formats: "markdown" }, "formats"],
    [{ formats: ["nonsense"] }, "formats[0]"],
    [{ headers: "a" }, "headers"],
    [{ headers: { a: 1 } }, "headers.a"],
    [{ includeTags: "p" }, "includeTags"],
    [{ excludeTags: [1] }, "excludeTags[0]"],
    [{ onlyMainContent: "yes" }, "onlyMainContent"],
    [{ onlyCleanContent: 1 }, "onlyCleanContent"],
    [{ timeout: 999 }, "timeout must be at least 1000"],
    [{ timeout: 300_001 }, "timeout must be at most 300000"],
    [{ timeout: 1_000.5 }, "timeout"],
    [{ timeout: "30000" }, "timeout"],
    [{ waitFor: -1 }, "waitFor must be at least 0"],
    [{ waitFor: 60_001, timeout: 300_000 }, "waitFor must be at most 60000"],
    [{ waitFor: 0.5 }, "waitFor"],
    [{ mobile: null }, "mobile"],
    [{ parsers: "pdf" }, "parsers"],
    [{ parsers: ["docx"] }, "parsers[0]"],
    [{ actions: {} }, "actions"],
    [{ location: "US" }, "location"],
    [{ location: { languages: "en" } }, "location.languages"],
    [{ location: { languages: ["not a tag"] } }, "location.languages[0] must be a language tag"],
    [{ skipTlsVerification: "no" }, "skipTlsVerification"],
    [{ removeBase64Images: 0 }, "removeBase64Images"],
    [{ blockAds: "no" }, "blockAds"],
    [{ proxy: "fast" }, "proxy must be one of"],
    [{ maxAge: -1 }, "maxAge must be at least 0"],
    [{ maxAge: 1.5 }, "maxAge"],
    [{ minAge: -1 }, "minAge must be at least 0"],
    [{ storeInCache: 1 }, "storeInCache"],
    [{ profile: { name: "" } }, "profile.name must not be empty"],
    [{ profile: { name: "a".repeat(129) } }, "profile.name must be at most 128 characters"],
    [{ profile: "shop" }, "profile"],
    [{ zeroDataRetention: "no" }, "zeroDataRetention"],
    [{ redactPII: "all" }, "redactPII"],
    [{ integration: "a".repeat(101) }, "integration must be at most 100 characters"],
  ])("rejects the scrape options %j as a bad request that names the field", (fields, text) => {
    const fault = refuse(fields);
    expect(fault.error).toMatch(/^Bad Request: /);
    expect(fault.code).toBe("BAD_REQUEST");
    expect(fault.details[0]?.message).toContain(text);
    expect(fault.details[0]?.path[0]).toBe(text.split(/[.:[ ]/)[0]);
  });

  it.each([
    [{ agent: 1 }, []],
    [{ location: { city: "Bonn" } }, ["location"]],
    [{ profile: { name: "a", x: 1 } }, ["profile"]],
    [{ redactPII: { strict: true } }, ["redactPII"]],
    [{ parsers: [{ type: "pdf", speed: 1 }] }, ["parsers", 0]],
    [{ actions: [{ type: "press", key: "a", times: 2 }] }, ["actions", 0]],
    [{ formats: [{ type: "json", prompt: "p", systemPrompt: "s" }] }, ["formats", 0]],
    [
      { formats: [{ type: "screenshot", viewport: { width: 1, height: 1, x: 1 } }] },
      ["formats", 0, "viewport"],
    ],
    [{ threatProtection: { level: 1 } }, ["threatProtection"]],
  ])("rejects the unknown key of %j at any depth", (fields, path) => {
    const fault = refuse(fields);
    expect(fault.error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    const issue = fault.details.find(({ code }) => code === "unrecognized_keys");
    expect(issue?.path).toEqual(path);
    expect(issue?.keys).toHaveLength(1);
  });

  it("reports an unknown key although another field is invalid too", () => {
    const fault = refuse({ mobile: 3, unheardOf: 1 });
    expect(fault.error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    expect(fault.details.map((issue) => issue.code)).toEqual(["invalid_type", "unrecognized_keys"]);
  });
});

describe("scrape cross-field rules", () => {
  const rule = "waitFor must not exceed half of timeout";

  it("limits waitFor to half of timeout with the fixed text", () => {
    const fault = refuse({ waitFor: 5_001, timeout: 10_000 });
    expect(fault).toEqual({
      error: rule,
      code: "BAD_REQUEST",
      details: [{ code: "custom", path: ["waitFor"], message: rule }],
    });
    expect(parse({ waitFor: 5_000, timeout: 10_000 }).waitFor).toBe(5_000);
  });

  it("compares waitFor with the widened default timeout", () => {
    expect(parse({ waitFor: 60_000 }).timeout).toBe(120_000);
    expect(refuse({ waitFor: 15_001, proxy: "basic" }).error).toBe(rule);
    expect(refuse({ waitFor: 15_001, timeout: 30_000 }).error).toBe(rule);
  });

  it.each([
    [{ actions: Array.from({ length: 51 }, () => ({ type: "scrape" })) }, "at most 50"],
    [{ waitFor: 30_000, actions: [{ type: "wait", milliseconds: 30_001 }] }, "60001 ms"],
    [{ waitFor: 59_500, actions: [{ type: "wait", selector: "p" }] }, "60500 ms"],
    [{ formats: ["screenshot", { type: "screenshot", fullPage: true }] }, "at most one screenshot"],
    [{ formats: ["changeTracking"] }, "changeTracking needs markdown"],
    [
      {
        formats: [
          { type: "json", prompt: "a" },
          { type: "deterministicJson", prompt: "a" },
        ],
      },
      "deterministicJson",
    ],
    [{ zeroDataRetention: true, formats: ["screenshot"] }, "zeroDataRetention"],
    [{ zeroDataRetention: true, actions: [{ type: "pdf" }] }, "zeroDataRetention"],
    [{ location: { country: "XX" } }, "country code"],
    [{ headers: { "a b": "c" } }, "headers"],
    [{ headers: { a: "b\r\nhost: c" } }, "headers"],
  ])("rejects the scrape options %j with the rule's own text", (fields, text) => {
    const fault = refuse(fields);
    expect(fault.error).toContain(text);
    expect(fault.details[0]?.code).toBe("custom");
  });

  it("accepts 50 actions and one minute of waits", () => {
    expect(
      parse({ actions: Array.from({ length: 50 }, () => ({ type: "scrape" })) }).actions,
    ).toHaveLength(50);
    expect(() =>
      parse({ waitFor: 30_000, actions: [{ type: "wait", milliseconds: 30_000 }] }),
    ).not.toThrow();
  });
});

describe("scrape options derived from other fields", () => {
  it.each([
    [{}, 120_000],
    [{ timeout: 30_000 }, 120_000],
    [{ timeout: 30_001 }, 30_001],
    [{ proxy: "enhanced" }, 120_000],
    [{ proxy: "basic" }, 30_000],
    [{ proxy: "basic", formats: [{ type: "json", prompt: "a" }] }, 60_000],
    [{ proxy: "basic", formats: ["markdown", "changeTracking"] }, 60_000],
    [{ proxy: "basic", timeout: 60_000 }, 60_000],
  ])("derives from %j the timeout %i", (fields, timeout) => {
    expect(parse(fields).timeout).toBe(timeout);
  });

  it.each([
    [{ headers: { cookie: "a=b" } }, false, false],
    [{ actions: [{ type: "scrape" }] }, false, false],
    [{ headers: {} }, true, true],
    [{ headers: { cookie: "a=b" }, skipTlsVerification: true }, true, false],
    [{ profile: { name: "a" } }, true, false],
    [{ zeroDataRetention: true }, true, false],
    [{ skipTlsVerification: false }, false, true],
  ])("derives from %j skipTlsVerification %s and storeInCache %s", (fields, skips, stores) => {
    const options = parse(fields);
    expect([options.skipTlsVerification, options.storeInCache]).toEqual([skips, stores]);
  });

  it("maps stealth to enhanced, waits for change tracking, and keeps lockdown copies for two years", () => {
    expect(parse({ proxy: "stealth" }).proxy).toBe("enhanced");
    const formats = ["markdown", "changeTracking"];
    expect(computeWaitMs(parse({ formats }))).toBe(5_000);
    expect(computeWaitMs(parse({ formats, waitFor: 9_000 }))).toBe(9_000);
    expect(computeWaitMs(parse({ formats, timeout: 2_000 }))).toBe(1_000);
    expect(computeWaitMs(parse({}))).toBe(0);
    // The page may answer plain scrapes from the cache, because only the wait differs.
    expect(parse({ formats }).waitFor).toBe(0);
    expect(parse({ lockdown: true }).maxAge).toBe(63_072_000_000);
  });

  it.each([
    [
      [
        { key: "x-a", value: "b" },
        { key: "", value: "" },
      ],
      { "x-a": "b" },
    ],
    [{ key: "x-a", value: "b" }, { "x-a": "b" }],
    [{ key: "a" }, { key: "a" }],
    [
      { "x-a": "b", "x-c": "d" },
      { "x-a": "b", "x-c": "d" },
    ],
  ])("normalizes the headers %j to %j", (headers, expected) => {
    expect(parse({ headers }).headers).toEqual(expected);
  });

  it("accepts every field except url inside other requests", () => {
    expect(scrapeOptionsSchema.safeParse({ url }).success).toBe(false);
    const { url: _url, ...own } = parse({});
    expect(scrapeOptionsSchema.parse({})).toEqual(own);
  });
});
