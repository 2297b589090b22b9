// llms.txt and llms-full.txt of a site.
import { z } from "zod";
import { callerFields } from "../request/caller.ts";
import { buildPatternsSchema } from "../request/patterns.ts";
import { urlSchema } from "../request/url.ts";

const definePatterns = (field: string) => buildPatternsSchema(field).optional();

/** Body of POST /v2/llmstxt. */
export const llmsTxtRequestSchema = z.strictObject({
  url: urlSchema,
  maxUrls: z.int().min(1).max(2_000).default(100).describe("Maximum pages to read, 1 to 2000."),
  includePaths: definePatterns("includePaths").describe("As for a crawl."),
  excludePaths: definePatterns("excludePaths").describe("As for a crawl."),
  crawlEntireDomain: z
    .boolean()
    .default(false)
    .describe("Also go to siblings and parents of the start path."),
  showFullText: z
    .boolean()
    .optional()
    .describe(
      "Whether the result has llms-full.txt where its query full is absent: by default true in /v2, false in /v1.",
    ),
  describe: z
    .enum(["page", "summary"])
    .default("page")
    .describe(
      "Source of the line about each page: its own description, or its summary, which a model writes where one is configured.",
    ),
  cache: z.boolean().default(true).describe("Take recently read pages from the cache."),
  __experimental_stream: z.boolean().optional().describe("Accepted and ignored."),
  ...callerFields,
});

export type LlmsTxtRequest = z.input<typeof llmsTxtRequestSchema>;
export type LlmsTxtOptions = z.output<typeof llmsTxtRequestSchema>;

/** Query of GET /v2/llmstxt/{id}. */
export const llmsTxtQuerySchema = z.strictObject({
  maxTokens: z.coerce
    .number()
    .int()
    .min(200)
    .max(1_000_000)
    .default(20_000)
    .describe("Maximum tokens of llms.txt."),
  full: z
    .stringbool()
    .optional()
    .describe(
      "Also return llms-full.txt. By default showFullText of the start decides, else true.",
    ),
  maxCharacters: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(40_000_000)
    .default(10_000_000)
    .describe("Maximum characters of llms-full.txt, which has whole pages only."),
});

export const llmsTxtStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe("Absolute URL of the result."),
  warning: z.string().optional(),
});

export const llmsTxtResponseSchema = z.looseObject({
  success: z.boolean(),
  status: z.enum(["processing", "completed", "failed"]),
  completed: z.int().describe("Pages read so far."),
  total: z.int(),
  data: z.looseObject({
    llmstxt: z.string(),
    llmsfulltxt: z.string().optional(),
    omitted: z
      .array(z.string())
      .optional()
      .describe("URLs of the pages that llms-full.txt leaves out, because they did not fit."),
  }),
  error: z.string().optional(),
  warning: z.string().optional(),
  expiresAt: z.string(),
});

export type LlmsTxtResponse = z.output<typeof llmsTxtResponseSchema>;
