import { describe, expect, it } from "vitest";
import { computeHighestPrice, computePrice, type PricedOutcome } from "./page-price.ts";
import { scrapeOptionsSchema } from "../contract/page/scrape.ts";

const delivered: PricedOutcome = { kind: "delivered", proxyUsed: "basic" };
const stealth: PricedOutcome = { kind: "delivered", proxyUsed: "stealth" };
const json = { type: "json", prompt: "a" };

describe("price of a page", () => {
  it.each([
    [1, {}, delivered],
    [1, { formats: ["summary", "branding", "links", "images", "screenshot"] }, delivered],
    [5, { formats: [json] }, delivered],
    [5, { formats: ["markdown", { type: "changeTracking", modes: ["json"] }] }, delivered],
    [5, { formats: ["markdown", json, { type: "changeTracking", modes: ["json"] }] }, delivered],
    [1, { formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }] }, delivered],
    [10, { formats: [{ type: "deterministicJson", prompt: "a" }] }, delivered],
    [5, { formats: [{ type: "question", question: "a" }] }, delivered],
    [5, { formats: [{ type: "query", prompt: "a" }] }, delivered],
    [5, { formats: [{ type: "highlights", query: "a" }] }, delivered],
    [9, { formats: ["audio", "video"] }, delivered],
    [5, {}, stealth],
    [2, { zeroDataRetention: true }, delivered],
    [6, { zeroDataRetention: true, formats: [json] }, delivered],
    [5, { redactPII: true }, delivered],
    [5, { lockdown: true }, delivered],
    [7, {}, { ...delivered, pages: 7 }],
    [1, { parsers: [] }, { ...delivered, pages: 7 }],
    [15, { redactPII: true }, { ...delivered, pages: 3 }],
    [1, { formats: [json] }, { kind: "unresolvedName" }],
    [1, { lockdown: true }, { kind: "lockdownMiss" }],
    [0, { formats: [json] }, { kind: "failed" }],
  ] as const)("charges %i for %j with outcome %j", (credits, options, outcome) => {
    expect(computePrice(scrapeOptionsSchema.parse(options), outcome)).toBe(credits);
  });

  it("never charges more than the held price", () => {
    expect(computeHighestPrice(scrapeOptionsSchema.parse({}))).toBe(5);
    expect(computeHighestPrice(scrapeOptionsSchema.parse({ proxy: "basic" }))).toBe(1);
  });
});
