// Crawl, batch, map and search of the frozen /v1 (wire contract, section 18), converted to /v2.
import { z } from "zod";
import { batchRequestSchema } from "../jobs/batch.ts";
import { callerFields, governanceFields } from "../request/caller.ts";
import { crawlRequestSchema } from "../jobs/crawl.ts";
import { extractRequestSchema } from "../jobs/extract.ts";
import { headersSchema } from "../request/headers.ts";
import { jobIdSchema } from "../request/identifier.ts";
import { LIMITS } from "../request/limits.ts";
import { locationSchema } from "../page/location.ts";
import { mapRequestSchema } from "../page/map.ts";
import { searchRequestSchema } from "../page/search.ts";
import { resolveUrl, urlSchema } from "../request/url.ts";
import { checkAs, checkV1Formats, toV2PageFields, v1PageFields } from "./v1-scrape.ts";
import { buildWebhookSchema } from "../jobs/webhook.ts";

const DEFAULT_MAP_LIMIT = 5_000;
const DEFAULT_SEARCH_LIMIT = 5;

const patternsSchema = z
  .array(z.string().max(10_000))
  .max(1_000)
  .default([])
  .describe("Regular expressions.");
const buildFlagSchema = (meaning: string) => z.boolean().default(false).describe(meaning);

const pageOptionsSchema = z
  .strictObject(v1PageFields)
  .superRefine(checkV1Formats)
  .transform(toV2PageFields)
  .describe("Scrape options for each page.");

/** Deeper paths do not occur on sites, so they need no pattern. */
const MAX_PATH_DEPTH = 200;

/**
 * `maxDepth` counts path segments below those of the start URL. /v2 has no such option, so it
 * becomes an exclude pattern.
 */
function buildDepthPattern(url: string, maxDepth: number, onFullUrl: boolean): string | undefined {
  const parts = new URL(resolveUrl(url)).pathname.split("/");
  const depth = parts.filter((part) => part !== "" && !/^index\.(?:html|php)$/.test(part)).length;
  const tooDeep = depth + maxDepth + 1;
  if (tooDeep > MAX_PATH_DEPTH) return undefined;
  return onFullUrl ? `^[^/]+//[^/?#]+(?:/+[^/?#]+){${tooDeep}}` : `^(?:/+[^/]+){${tooDeep}}`;
}

/** Body of POST /v1/crawl. */
export const v1CrawlRequestSchema = z
  .strictObject({
    url: urlSchema,
    includePaths: patternsSchema,
    excludePaths: patternsSchema,
    regexOnFullURL: buildFlagSchema("Match the patterns against the whole URL."),
    maxDepth: z
      .int()
      .min(0)
      .default(10)
      .describe("Maximum path segments below those of the start URL."),
    maxDiscoveryDepth: z.int().min(0).nullish().describe("Links to follow from the start URL."),
    limit: z.int().min(1).default(LIMITS.crawl.limit).describe("Maximum pages to crawl."),
    allowBackwardLinks: z
      .boolean()
      .optional()
      .meta({ deprecated: true, description: "Same as crawlEntireDomain." }),
    crawlEntireDomain: z.boolean().optional().describe("Also go to siblings and parents."),
    allowExternalLinks: buildFlagSchema("Follow links to other sites, one hop."),
    allowSubdomains: buildFlagSchema("Follow links to subdomains."),
    ignoreRobotsTxt: buildFlagSchema("Do not read robots.txt."),
    ignoreSitemap: buildFlagSchema("Follow links only."),
    deduplicateSimilarURLs: z.boolean().default(true),
    ignoreQueryParameters: buildFlagSchema("Drop query strings."),
    delay: z.number().gt(0).max(LIMITS.crawl.delaySeconds).nullish().describe("Seconds."),
    maxConcurrency: z.int().min(1).nullish(),
    webhook: buildWebhookSchema("crawl").nullish(),
    scrapeOptions: pageOptionsSchema.prefault({}),
    zeroDataRetention: buildFlagSchema("Store nothing of the pages."),
    ...governanceFields,
    ...callerFields,
  })
  .transform(({ maxDepth, ignoreSitemap, allowBackwardLinks, ...fields }, context) => {
    const { crawlEntireDomain, excludePaths, ...same } = fields;
    const tooDeep = buildDepthPattern(fields.url, maxDepth, fields.regexOnFullURL);
    const request = {
      ...same,
      excludePaths: tooDeep === undefined ? excludePaths : [...excludePaths, tooDeep],
      crawlEntireDomain: crawlEntireDomain ?? allowBackwardLinks ?? false,
      sitemap: ignoreSitemap ? ("skip" as const) : ("include" as const),
    };
    return checkAs(crawlRequestSchema, request, context);
  });

/** Body of POST /v1/batch/scrape: page options are at the top level. */
export const v1BatchRequestSchema = z
  .strictObject({
    urls: z.array(z.string()).min(1).max(100_000),
    webhook: buildWebhookSchema("batch_scrape").nullish(),
    appendToId: jobIdSchema.nullish(),
    ignoreInvalidURLs: buildFlagSchema("Leave out URLs that cannot be fetched."),
    maxConcurrency: z.int().min(1).nullish(),
    ...v1PageFields,
  })
  .superRefine(checkV1Formats)
  .transform((fields, context) => {
    const { urls, webhook, appendToId, ignoreInvalidURLs, maxConcurrency, ...page } = fields;
    const job = { urls, webhook, appendToId, ignoreInvalidURLs, maxConcurrency };
    return checkAs(batchRequestSchema, { ...toV2PageFields(page), ...job }, context);
  });

/** Body of POST /v1/map. */
export const v1MapRequestSchema = z
  .strictObject({
    url: urlSchema,
    search: z.string().max(LIMITS.search.queryCharacters).optional(),
    limit: z.int().min(1).max(LIMITS.map.maxLimit).default(DEFAULT_MAP_LIMIT),
    ignoreSitemap: buildFlagSchema("Links of the page only."),
    sitemapOnly: buildFlagSchema("URLs of the sitemap only."),
    includeSubdomains: z.boolean().default(true),
    ignoreQueryParameters: z.boolean().default(true),
    includePaths: patternsSchema,
    excludePaths: patternsSchema,
    ignoreCache: buildFlagSchema("Fetch sitemaps again instead of using cached ones."),
    filterByPath: z.boolean().default(true),
    timeout: z.int().min(1).max(LIMITS.timeoutMs.max).optional(),
    location: locationSchema.optional(),
    headers: headersSchema.optional(),
    useMock: z.string().max(500).optional(),
    useIndex: z.boolean().optional(),
    ...governanceFields,
    ...callerFields,
  })
  .refine(
    (fields) => !(fields.ignoreSitemap && fields.sitemapOnly),
    "ignoreSitemap and sitemapOnly cannot both be true",
  )
  .transform(({ ignoreSitemap, sitemapOnly, ...same }, context) => {
    const sitemap = sitemapOnly ? "only" : ignoreSitemap ? "skip" : "include";
    return checkAs(mapRequestSchema, { ...same, sitemap }, context);
  });

/** Body of POST /v1/search. */
export const v1SearchRequestSchema = z
  .strictObject({
    query: z.string().min(1).max(LIMITS.search.queryCharacters),
    limit: z.int().min(1).max(LIMITS.search.maxLimit).default(DEFAULT_SEARCH_LIMIT),
    tbs: z.string().max(200).optional(),
    filter: z.string().max(500).optional(),
    lang: z.string().max(20).default("en"),
    country: z.string().max(20).default("us"),
    location: z.string().max(500).optional(),
    timeout: z.int().min(1).max(LIMITS.timeoutMs.max).default(LIMITS.search.timeoutMs),
    ignoreInvalidURLs: buildFlagSchema("Leave out results that cannot be fetched."),
    scrapeOptions: z
      .strictObject({ ...v1PageFields, formats: v1PageFields.formats.default([]) })
      .superRefine(checkV1Formats)
      .transform(toV2PageFields)
      .prefault({}),
    ...governanceFields,
    ...callerFields,
  })
  .transform((fields, context) => checkAs(searchRequestSchema, fields, context));

/** Body of POST /v1/extract: like /v2 except for the page options. */
export const v1ExtractRequestSchema = z
  .looseObject({ scrapeOptions: pageOptionsSchema.prefault({}) })
  .transform((fields, context) => checkAs(extractRequestSchema, fields, context));

/** Reply of POST /v1/map. */
export const v1MapResponseSchema = z.looseObject({
  success: z.literal(true),
  links: z.array(z.string()),
  warning: z.string().optional(),
});

/** Reply of POST /v1/search: one flat list. */
export const v1SearchResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.array(z.looseObject({ url: z.string(), title: z.string(), description: z.string() })),
  warning: z.string().optional(),
});
