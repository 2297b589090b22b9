import { describe, expect, it } from "vitest";
import { scrapeRequestSchema } from "../contract/page/scrape.ts";
import type { Capture } from "../capture.ts";
import { hasFreshFiles, listCacheEntries, buildCachePolicy, hashCacheKey } from "./cache-policy.ts";

const SPELLINGS = [
  "https://site.example/a",
  "https://site.example/a/",
  "http://www.site.example/a/index.html",
];

const keyOf = (url: string, exactUrl?: boolean): string => {
  const options = scrapeRequestSchema.parse({ url });
  const rules = { forceTls: false, ...(exactUrl === undefined ? {} : { exactUrl }) };
  return buildCachePolicy(options, new URL(url), rules).name;
};

describe("cache key", () => {
  it("uses one cache key for all spellings of a URL", () => {
    expect(new Set(SPELLINGS.map((url) => keyOf(url))).size).toBe(1);
  });

  it("uses a cache key per spelling with exactUrl, distinct from the normalized key", () => {
    const exact = SPELLINGS.map((url) => keyOf(url, true));
    expect(new Set([...exact, keyOf(SPELLINGS[0] ?? "")]).size).toBe(4);
    expect(exact).toEqual(SPELLINGS.map((url) => keyOf(url, true)));
  });
});

describe("cache key name", () => {
  it("keeps the cache key name stable, so that a cache survives an update", () => {
    const name = hashCacheKey({
      url: "https://site.example/a",
      mobile: false,
      blockAds: true,
      country: "us",
      languages: ["de", "en"],
      waitFor: 0,
      captured: {},
      pdf: undefined,
      verifiedTls: true,
    });
    expect(name).toBe("e9d5b337ff625928feb7006e92984cb66e8d39dea7ae8902f028559ce01c5ff8");
  });
});

it("has a separate cache key for each limit of scrolling", () => {
  const keys = [undefined, "auto", { maxEntries: 5 }].map((scroll) => {
    const url = "https://site.example/a";
    return buildCachePolicy(scrapeRequestSchema.parse({ url, scroll }), new URL(url), {
      forceTls: false,
    }).name;
  });
  expect(new Set(keys).size).toBe(3);
});

describe("cache entries with a screenshot", () => {
  const url = "https://site.example/";
  const policyFor = (formats: unknown[]) =>
    buildCachePolicy(scrapeRequestSchema.parse({ url, formats }), new URL(url), {
      forceTls: false,
    });
  const plain = policyFor(["markdown"]);
  const shot = policyFor(["screenshot"]);
  const bytes = Buffer.from("png");
  const capture = {
    fetchedAt: 0,
    evidence: { screenshot: { mimeType: "image/png", bytes } },
  } as unknown as Capture;

  it("keeps the cache key that earlier versions gave a screenshot", () => {
    expect(shot.name).toBe("3856f5e4e9aa3b94e5624e2b33ddfb22ff9dd8da0de47cdc46ec27c4c39a41b2");
  });

  it("has a separate cache key for each kind of screenshot", () => {
    const kinds = [
      ["markdown"],
      ["screenshot"],
      [{ type: "screenshot", fullPage: true }],
      [{ type: "screenshot", quality: 50 }],
      [{ type: "screenshot", viewport: { width: 800, height: 600 } }],
    ];
    expect(new Set(kinds.map((formats) => policyFor(formats).name)).size).toBe(5);
  });

  it("never reads the cache for a format whose value a script reads from the live page", () => {
    expect(policyFor(["branding"]).read).toBe(false);
    expect(policyFor(["markdown"]).read).toBe(true);
  });

  it("also stores a screenshot capture for requests without one, without the picture", () => {
    const entries = listCacheEntries(shot, capture);
    expect(entries.map(([name]) => name)).toEqual([shot.name, plain.name]);
    expect(entries.map(([, { evidence }]) => evidence)).toEqual([capture.evidence, {}]);
    expect(listCacheEntries(plain, capture)).toHaveLength(1);
  });

  it("serves a cached screenshot while its link is valid for another hour", () => {
    const hour = 3_600_000;
    const wanted = scrapeRequestSchema.parse({ url, formats: ["screenshot"] }).formats;
    const others = scrapeRequestSchema.parse({ url, formats: ["markdown"] }).formats;
    expect(hasFreshFiles(capture, wanted, 23 * hour)).toBe(true);
    expect(hasFreshFiles(capture, wanted, 23 * hour + 1)).toBe(false);
    expect(hasFreshFiles({ ...capture, evidence: {} }, wanted, 0)).toBe(false);
    expect(hasFreshFiles(capture, others, 40 * hour)).toBe(true);
  });
});
