import { z } from "zod";
import { PAGE_KINDS } from "./page-kinds.ts";
import { VERDICT_MEANINGS, VERDICTS } from "./verdict.ts";

const extractionSchema = z
  .object({
    confidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        "Expected F1 of the main content, 0 to 1. Absent where none was searched for, and with `includeTags`.",
      ),
    pageKind: z
      .enum(PAGE_KINDS)
      .optional()
      .describe("The kind of page; absent where it is not clear."),
    words: z
      .int()
      .describe("Words of the content; in Chinese and Japanese half of the characters."),
    estimatedTokens: z
      .int()
      .optional()
      .describe("Estimated tokens of the Markdown; absent if it was not asked for."),
    linkShare: z.number().min(0).max(1).describe("Share of the characters that are in links."),
  })
  .describe("Size, kind and confidence of the content extracted from an HTML page.");

export type Extraction = z.output<typeof extractionSchema>;

const text = z.string().optional();
const textOrTexts = z.union([z.string(), z.array(z.string())]).optional();

/**
 * Metadata that the page declares: every repeated name may be a list, except description and title.
 */
const pageFields = {
  title: text,
  description: text,
  language: text,
  keywords: textOrTexts,
  robots: textOrTexts,
  favicon: text,
  ogTitle: textOrTexts,
  ogDescription: textOrTexts,
  ogUrl: textOrTexts,
  ogImage: textOrTexts,
  ogAudio: textOrTexts,
  ogDeterminer: textOrTexts,
  ogLocale: textOrTexts,
  ogLocaleAlternate: z.array(z.string()).optional(),
  ogSiteName: textOrTexts,
  ogVideo: textOrTexts,
  articleSection: textOrTexts,
  articleTag: textOrTexts,
  publishedTime: textOrTexts,
  modifiedTime: textOrTexts,
  dcTermsKeywords: textOrTexts,
  dcDescription: textOrTexts,
  dcSubject: textOrTexts,
  dcTermsSubject: textOrTexts,
  dcTermsAudience: textOrTexts,
  dcType: textOrTexts,
  dcTermsType: textOrTexts,
  dcDate: textOrTexts,
  dcDateCreated: textOrTexts,
  dcTermsCreated: textOrTexts,
};

/**
 * Metadata of the scrape. proxyUsed and cacheState are closed enums, because clients reject other
 * values.
 */
const scrapeFields = {
  sourceURL: text.describe("The URL exactly as requested, without user name and password."),
  url: text.describe("The final URL, after redirects."),
  statusCode: z.int().optional().describe("HTTP status of the final response."),
  error: text.describe("What the status means, when it is not a success."),
  verdict: z
    .enum(VERDICTS)
    .optional()
    .describe(
      `What the page turned out to be: ${VERDICTS.map((verdict) => `${verdict} (${VERDICT_MEANINGS[verdict]})`).join("; ")}.`,
    ),
  contentType: text,
  scrapeId: text.describe("Id for interact, scrape status, feedback and webhooks."),
  proxyUsed: z.enum(["basic", "stealth"]).optional(),
  engine: text.describe(
    "The engine that fetched the page, also for cached pages: http or browser.",
  ),
  cacheState: z
    .enum(["hit", "miss"])
    .optional()
    .describe("Absent when the request could not use the cache."),
  cachedAt: text.describe("ISO time of the cached fetch, on hits."),
  creditsUsed: z.int().optional(),
  numPages: z.int().optional().describe("Pages of the document that were parsed."),
  totalPages: z.int().optional().describe("Pages the document has."),
  timezone: text,
  concurrencyLimited: z.boolean().optional(),
  concurrencyQueueDurationMs: z.int().optional(),
  extraction: extractionSchema.optional(),
  postprocessorsUsed: z.array(z.string()).optional(),
  indexId: text,
};

/** Every other meta tag of the page appears under its own name, as text or a list of texts. */
export const metadataSchema = z
  .looseObject({ ...pageFields, ...scrapeFields })
  .meta({ id: "Metadata", description: "Metadata of the page and of the scrape." });

export type Metadata = z.output<typeof metadataSchema>;
