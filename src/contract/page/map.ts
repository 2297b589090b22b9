import { z } from "zod";
import { callerFields, governanceFields } from "../request/caller.ts";
import { sitemapSchema } from "../jobs/crawl.ts";
import { headersSchema } from "../request/headers.ts";
import { LIMITS } from "../request/limits.ts";
import { locationSchema } from "./location.ts";
import { buildPatternsSchema } from "../request/patterns.ts";
import { urlSchema } from "../request/url.ts";

/** Body of POST /v2/map. */
export const mapRequestSchema = z.strictObject({
  url: urlSchema,
  search: z
    .string()
    .max(LIMITS.search.queryCharacters)
    .optional()
    .describe("Words that links are ranked by before the limit is applied."),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.map.maxLimit)
    .default(LIMITS.map.limit)
    .describe("Maximum links to return, 1 to 100000."),
  sitemap: sitemapSchema.default("include"),
  includeSubdomains: z.boolean().default(true).describe("Include links to subdomains."),
  ignoreQueryParameters: z.boolean().default(true).describe("Drop query strings."),
  ignoreCache: z
    .boolean()
    .default(false)
    .describe("Fetch sitemaps again instead of using cached ones."),
  timeout: z
    .int()
    .min(1)
    .max(LIMITS.timeoutMs.max)
    .optional()
    .describe("Milliseconds for the whole request."),
  location: locationSchema.optional(),
  headers: headersSchema.optional(),
  filterByPath: z.boolean().default(true).describe("Keep only links below the path of url."),
  includePaths: buildPatternsSchema("includePaths").optional(),
  excludePaths: buildPatternsSchema("excludePaths").optional(),
  regexOnFullURL: z.boolean().default(false),
  allowExternalLinks: z.boolean().default(false),
  allowSubdomains: z.boolean().optional(),
  crawlEntireDomain: z.boolean().optional(),
  maxDiscoveryDepth: z.int().min(0).optional(),
  ignoreRobotsTxt: z.boolean().optional(),
  useMock: z.string().max(500).optional().describe("Accepted, but has no effect."),
  useIndex: z.boolean().optional().describe("Accepted, but has no effect."),
  ...governanceFields,
  ...callerFields,
});

export type MapRequest = z.input<typeof mapRequestSchema>;
export type MapOptions = z.output<typeof mapRequestSchema>;

const linkFields = {
  url: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
};

/** A page of a list, without further fields. */
export const listedPageSchema = z.object(linkFields);

export const mapResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  links: z.array(z.looseObject(linkFields)),
  warning: z.string().optional(),
});

export type MapResponse = z.output<typeof mapResponseSchema>;
