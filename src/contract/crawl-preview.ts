import { z } from "zod";
import { callerFields } from "./caller.ts";
import { sitemapSchema } from "./crawl.ts";
import { LIMITS } from "./limits.ts";
import { urlSchema } from "./url.ts";

/** Body of POST /v2/crawl/params-preview. */
export const crawlPreviewRequestSchema = z.strictObject({
  url: urlSchema,
  prompt: z
    .string()
    .max(LIMITS.promptCharacters)
    .describe("What the crawl should hold, in plain language."),
  ...callerFields,
});

export const crawlPreviewResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({
    url: z.string(),
    includePaths: z.array(z.string()).optional(),
    excludePaths: z.array(z.string()).optional(),
    maxDepth: z.int().optional(),
    maxDiscoveryDepth: z.int().optional(),
    crawlEntireDomain: z.boolean().optional(),
    allowExternalLinks: z.boolean().optional(),
    allowSubdomains: z.boolean().optional(),
    sitemap: sitemapSchema.optional(),
    ignoreQueryParameters: z.boolean().optional(),
    deduplicateSimilarURLs: z.boolean().optional(),
    delay: z.number().optional(),
    limit: z.int().optional(),
    ignoreRobotsTxt: z.boolean().optional(),
    robotsUserAgent: z.string().optional(),
  }),
  warning: z.string().optional(),
});

export type CrawlPreviewRequest = z.output<typeof crawlPreviewRequestSchema>;
