import { z } from "zod";
import { callerFields } from "../request/caller.ts";
import { sitemapSchema } from "./crawl.ts";
import { LIMITS } from "../request/limits.ts";
import { urlSchema } from "../request/url.ts";

/** Body of POST /v2/crawl/params-preview. */
export const crawlPreviewRequestSchema = z.strictObject({
  url: urlSchema,
  prompt: z
    .string()
    .max(LIMITS.promptCharacters)
    .describe("What the crawl should include, in plain language."),
  ...callerFields,
});

/** Query of GET /v2/crawl/params-preview; n8n's node sends a body with its GET instead. */
export const crawlPreviewQuerySchema = z.object({
  url: z.string().optional(),
  prompt: z.string().optional(),
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
    delay: z.int().optional().describe("Seconds."),
    limit: z.int().optional(),
    ignoreRobotsTxt: z.boolean().optional(),
    robotsUserAgent: z.string().optional(),
  }),
  understood: z
    .array(z.looseObject({ text: z.string(), as: z.string() }))
    .optional()
    .describe("Parts of the prompt and how they were interpreted."),
  notUnderstood: z
    .array(z.looseObject({ text: z.string(), reason: z.string().optional() }))
    .optional()
    .describe("Parts of the prompt without effect."),
  readBy: z.enum(["rules", "model"]).optional().describe("What read the prompt."),
  known: z
    .looseObject({ urls: z.int(), matching: z.int() })
    .optional()
    .describe("Known URLs of the site, and how many match the options."),
  warning: z.string().optional(),
});

export type CrawlPreviewRequest = z.output<typeof crawlPreviewRequestSchema>;
