import { describe, expect, it } from "vitest";
import { scrapeRequestSchema } from "../contract/page/scrape.ts";
import { planScrape, type ServerCapabilities } from "./plan.ts";

const bare: ServerCapabilities = {
  engines: ["http", "browser"],
  enhancedProxy: false,
  hasCountry: () => false,
};
const plan = (proxy: "auto" | "basic" | "enhanced", capabilities: ServerCapabilities) =>
  planScrape(scrapeRequestSchema.parse({ url: "https://example.com/", proxy }), [], capabilities);
const steps = (proxy: "auto" | "basic" | "enhanced", capabilities: ServerCapabilities) =>
  plan(proxy, capabilities).attempts.map((attempt) => `${attempt.engine} ${attempt.proxy}`);

describe("planScrape", () => {
  it("plans enhanced attempts when a browser or a proxy makes a difference", () => {
    expect(steps("auto", bare)).toEqual(["http basic", "browser basic", "browser enhanced"]);
    expect(steps("enhanced", bare)).toEqual(["http enhanced", "browser enhanced"]);
    expect(steps("basic", bare)).toEqual(["http basic", "browser basic"]);
    expect(steps("auto", { ...bare, engines: ["http"] })).toEqual(["http basic"]);
    expect(steps("enhanced", { ...bare, engines: ["http"] })).toEqual(["http basic"]);
    const rich = { ...bare, enhancedProxy: true };
    expect(steps("auto", rich)).toHaveLength(4);
    expect(steps("enhanced", { ...rich, engines: ["http"] })).toEqual(["http enhanced"]);
  });

  it("warns when no proxy matches the requested country or tier", () => {
    expect(plan("enhanced", bare).warnings).toHaveLength(1);
    expect(plan("enhanced", bare).hasBetterProxy).toBe(false);
    expect(plan("enhanced", { ...bare, enhancedProxy: true }).warnings).toEqual([]);
    expect(plan("auto", bare).warnings).toEqual([]);
  });
});
