import { describe, expect, it } from "vitest";
import { findHistoryPath } from "./history-path.ts";
import { selectGivenOptions } from "./given-options.ts";

describe("options of an earlier scrape", () => {
  it("keeps the options that differ from the defaults", () => {
    const schema = {
      properties: {
        formats: { default: ["markdown"] },
        onlyMainContent: { default: true },
        timeout: { default: 60_000 },
        maxAge: {},
        actions: { default: [] },
        excludeTags: {},
        location: {},
        markdown: { properties: { links: { default: "inline" }, chunks: {} } },
        redactPII: {
          default: false,
          anyOf: [{ type: "boolean" }, { properties: { mode: { default: "accurate" } } }],
        },
      },
    };
    const stored = {
      formats: [{ type: "links" }, { type: "json", prompt: "the price" }],
      onlyMainContent: true,
      timeout: 5_000,
      maxAge: 0,
      actions: [],
      excludeTags: [],
      location: null,
      markdown: { links: "inline" },
      redactPII: { mode: "accurate" },
      unknown: 1,
    };
    expect(selectGivenOptions(stored, schema)).toEqual({
      formats: ["links", { type: "json", prompt: "the price" }],
      timeout: 5_000,
      maxAge: 0,
      excludeTags: [],
      markdown: {},
      redactPII: true,
    });
    expect(selectGivenOptions({ formats: [{ type: "markdown" }] }, schema)).toEqual({});
    expect(selectGivenOptions({ formats: [], redactPII: false }, schema)).toEqual({ formats: [] });
  });

  it("leaves out defaults of nested options and of list entries", () => {
    const parser = { properties: { type: { const: "pdf" }, mode: { default: "auto" } } };
    const page = {
      properties: {
        formats: { default: ["markdown"] },
        onlyMainContent: { default: true },
        parsers: { default: ["pdf"], items: { anyOf: [{ type: "string" }, { anyOf: [parser] }] } },
        waitFor: { default: 0 },
      },
    };
    const schema = {
      properties: { limit: {}, scrapeOptions: { default: {}, anyOf: [page, { type: "null" }] } },
    };
    const scrapeOptions = {
      formats: [{ type: "markdown" }],
      onlyMainContent: true,
      parsers: [{ type: "pdf", mode: "auto" }],
      waitFor: 0,
    };
    expect(selectGivenOptions({ limit: 5, scrapeOptions }, schema)).toEqual({ limit: 5 });
    const parsers = [{ type: "pdf", mode: "fast" }];
    expect(selectGivenOptions({ scrapeOptions: { ...scrapeOptions, parsers } }, schema)).toEqual({
      scrapeOptions: { parsers },
    });
  });
});

describe("history of the account", () => {
  const entry = { id: "a/b", created_at: "", target: "https://a.test/?x=1&y" };

  it("leads to the result where one is kept, and to the request otherwise", () => {
    expect(findHistoryPath({ ...entry, endpoint: "scrape" })).toBe("/?scrape=a%2Fb");
    expect(findHistoryPath({ ...entry, endpoint: "batch_scrape" })).toBe(
      "/console/jobs/batch/a%2Fb",
    );
    expect(findHistoryPath({ ...entry, endpoint: "map" })).toBe(
      "/?mode=map&url=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y",
    );
    expect(findHistoryPath({ ...entry, endpoint: "monitor", target: "c/d" })).toBe(
      "/console/changes/monitors/c%2Fd",
    );
    expect(findHistoryPath({ ...entry, endpoint: "scrape", target: null })).toBeUndefined();
  });
});
