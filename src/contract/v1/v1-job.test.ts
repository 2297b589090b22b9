import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toErrorBody } from "../request/faults.ts";
import {
  v1BatchRequestSchema,
  v1CrawlRequestSchema,
  v1MapRequestSchema,
  v1SearchRequestSchema,
} from "./v1-job.ts";

const url = "https://a.example/docs/";
const crawl = (body: object = {}) => v1CrawlRequestSchema.parse({ url, ...body });

describe("/v1 crawl request", () => {
  it("has the /v1 crawl defaults", () => {
    expect(crawl()).toMatchObject({
      url,
      limit: 10_000,
      sitemap: "include",
      crawlEntireDomain: false,
      allowExternalLinks: false,
      scrapeOptions: { formats: [{ type: "markdown" }], maxAge: 0, proxy: "basic" },
    });
  });

  it("accepts the old names of crawl options", () => {
    expect(crawl({ ignoreSitemap: true }).sitemap).toBe("skip");
    expect(crawl({ allowBackwardLinks: true }).crawlEntireDomain).toBe(true);
    const both = crawl({ allowBackwardLinks: true, crawlEntireDomain: false });
    expect(both.crawlEntireDomain).toBe(false);
    const { scrapeOptions } = crawl({ scrapeOptions: { formats: ["html"], parsePDF: false } });
    expect(scrapeOptions).toMatchObject({ formats: [{ type: "html" }], parsers: [] });
  });

  it("maxDepth excludes exactly the paths that are too many segments below the start", () => {
    const part = fc.stringMatching(/^[a-z0-9._-]{1,6}$/);
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        fc.array(part, { maxLength: 8 }),
        fc.integer({ min: 0, max: 5 }),
        fc.boolean(),
        (start, path, maxDepth, regexOnFullURL) => {
          fc.pre(
            ![...start, ...path].some((name) => /^(?:\.{1,2}|index\.(?:html|php))$/.test(name)),
          );
          const options = crawl({
            url: `https://a.example/${start.join("/")}`,
            maxDepth,
            regexOnFullURL,
          });
          const [pattern] = options.excludePaths;
          const page = new URL(`https://a.example/${path.join("/")}?q=/a/b/c/d/e/f/g/h/i/j`);
          const isOut = new RegExp(pattern ?? "").test(regexOnFullURL ? page.href : page.pathname);
          expect(isOut).toBe(path.length > start.length + maxDepth);
        },
      ),
    );
  });

  it("adds the maxDepth pattern to the caller's, and none for an unreachable depth", () => {
    expect(crawl({ excludePaths: ["^/x"], maxDepth: 2 }).excludePaths).toEqual([
      "^/x",
      "^(?:/+[^/]+){4}",
    ]);
    expect(crawl({ maxDepth: 100_000 }).excludePaths).toEqual([]);
  });

  it("reports invalid page options at their path", () => {
    const body = { url, scrapeOptions: { waitFor: 40_000 } };
    const checked = v1CrawlRequestSchema.safeParse(body);
    if (checked.success) throw new Error("the body was taken");
    expect(toErrorBody(checked.error)).toMatchObject({
      error: "waitFor must not exceed half of timeout",
      details: [{ path: ["scrapeOptions", "waitFor"] }],
    });
  });
});

describe("/v1 batch request", () => {
  it("rejects invalid URLs by default, unlike /v2", () => {
    const urls = ["https://a.example", "nowhere"];
    expect(v1BatchRequestSchema.safeParse({ urls }).success).toBe(false);
    const options = v1BatchRequestSchema.parse({
      urls,
      ignoreInvalidURLs: true,
      formats: ["html"],
    });
    expect(options).toMatchObject({
      urls,
      scrapeOptions: { formats: [{ type: "html" }], maxAge: 0 },
    });
  });
});

describe("/v1 map request", () => {
  it("defaults to a limit of 5000 and maps the two sitemap flags", () => {
    expect(v1MapRequestSchema.parse({ url })).toMatchObject({ limit: 5_000, sitemap: "include" });
    expect(v1MapRequestSchema.parse({ url, sitemapOnly: true }).sitemap).toBe("only");
    expect(v1MapRequestSchema.parse({ url, ignoreSitemap: true }).sitemap).toBe("skip");
    const both = { url, sitemapOnly: true, ignoreSitemap: true };
    expect(v1MapRequestSchema.safeParse(both).success).toBe(false);
  });
});

describe("/v1 search request", () => {
  it("defaults to five results without scraping", () => {
    expect(v1SearchRequestSchema.parse({ query: "q" })).toMatchObject({
      limit: 5,
      country: "us",
      scrapeOptions: { formats: [] },
    });
    const scraped = v1SearchRequestSchema.parse({
      query: "q",
      scrapeOptions: { formats: ["links"] },
    });
    expect(scraped.scrapeOptions.formats).toEqual([{ type: "links" }]);
  });
});
