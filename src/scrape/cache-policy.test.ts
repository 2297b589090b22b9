import { describe, expect, it } from "vitest";
import { scrapeRequestSchema } from "../contract/scrape.ts";
import { cachePolicy, hashCacheKey } from "./cache-policy.ts";

const SPELLINGS = [
  "https://site.example/a",
  "https://site.example/a/",
  "http://www.site.example/a/index.html",
];

const keyOf = (url: string, exactUrl?: boolean): string => {
  const options = scrapeRequestSchema.parse({ url });
  const rules = { forceTls: false, ...(exactUrl === undefined ? {} : { exactUrl }) };
  return hashCacheKey(cachePolicy(options, new URL(url), rules).key);
};

describe("the key of the cache", () => {
  it("is one for all spellings of a URL", () => {
    expect(new Set(SPELLINGS.map((url) => keyOf(url))).size).toBe(1);
  });

  it("is one for each where the exact URL counts, and that of no folded one", () => {
    const exact = SPELLINGS.map((url) => keyOf(url, true));
    expect(new Set([...exact, keyOf(SPELLINGS[0] ?? "")]).size).toBe(4);
    expect(exact).toEqual(SPELLINGS.map((url) => keyOf(url, true)));
  });
});
