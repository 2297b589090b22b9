// The deprecated extract endpoint, still called by published clients: structured data from several
// URLs.
import { z } from "zod";
import { callerFields, governanceFields } from "../request/caller.ts";
import { jsonSchemaSchema } from "../request/json-schema.ts";
import { LIMITS } from "../request/limits.ts";
import { scrapeOptionsSchema } from "../page/scrape.ts";
import { findUrlFault } from "../request/url.ts";
import { buildWebhookSchema } from "./webhook.ts";

const MAX_URLS = 10;
const promptSchema = z.string().max(LIMITS.promptCharacters);

/** Body of POST /v2/extract; a URL may end in /* for the pages below it. */
export const extractRequestSchema = z
  .strictObject({
    urls: z
      .array(z.string())
      .max(MAX_URLS)
      .optional()
      .describe("At most 10; https://site/* includes the pages below."),
    prompt: promptSchema.optional(),
    schema: jsonSchemaSchema.optional(),
    systemPrompt: promptSchema.optional(),
    ignoreSitemap: z.boolean().default(false),
    includeSubdomains: z.boolean().default(true),
    allowExternalLinks: z.boolean().default(false),
    enableWebSearch: z.boolean().default(false),
    showSources: z.boolean().default(false),
    scrapeOptions: scrapeOptionsSchema.prefault({}),
    ignoreInvalidURLs: z.boolean().default(true),
    agent: z.strictObject({ model: z.string().max(100).optional() }).optional(),
    webhook: buildWebhookSchema("extract").optional(),
    timeout: z.int().min(1).optional(),
    zeroDataRetention: z.boolean().default(false),
    ...governanceFields,
    ...callerFields,
  })
  .superRefine((fields, context) => {
    const hasUrls = fields.urls !== undefined && fields.urls.length > 0;
    if (!hasUrls && (fields.prompt ?? "").trim() === "")
      context.addIssue({
        code: "custom",
        message: "Either 'urls' or 'prompt' must be provided.",
      });
    if (fields.ignoreInvalidURLs) return;
    for (const [index, url] of (fields.urls ?? []).entries()) {
      const message = findUrlFault(url);
      if (message !== undefined)
        context.addIssue({ code: "custom", path: ["urls", index], message });
    }
  });

export type ExtractRequest = z.input<typeof extractRequestSchema>;
export type ExtractOptions = z.output<typeof extractRequestSchema>;

const text = z.string().optional();

/** Keys of a deprecated route's reply. */
const deprecationFields = {
  warnings: z.array(z.string()).optional(),
  replacement: text.describe("The route to use instead."),
};

export const extractStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  urlTrace: z.array(z.unknown()).optional(),
  invalidURLs: z.array(z.string()).optional(),
  ...deprecationFields,
});

export const extractStatusResponseSchema = z.looseObject({
  success: z.literal(true),
  status: z.enum(["processing", "completed", "failed", "cancelled"]),
  data: z.unknown().optional(),
  expiresAt: z.string(),
  error: text,
  code: text.describe("Why the job failed, for programs."),
  sources: z.record(z.string(), z.array(z.string())).optional(),
  creditsUsed: z.int().optional(),
  tokensUsed: z.int().optional(),
  warning: text,
  ...deprecationFields,
});
