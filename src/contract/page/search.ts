import { z } from "zod";
import { callerFields, governanceFields } from "../request/caller.ts";
import { documentSchema } from "./document.ts";
import { LIMITS } from "../request/limits.ts";
import { countrySchema } from "./location.ts";
import { buildScrapeOptionsSchema } from "./scrape.ts";

/** Scraped search results may be three days old. */
const MAX_AGE_MS = 259_200_000;

const SOURCES = ["web", "images", "news", "alexandria"] as const;
const CATEGORIES = ["github", "research", "pdf", "developer"] as const;

const timeRangeSchema = z.string().max(200).describe("Time range, such as qdr:w.");

const sourceObjectSchema = z.strictObject({
  type: z.enum(SOURCES),
  tbs: timeRangeSchema.optional(),
  location: z.string().max(500).optional(),
});
const sourceSchema = z.union([
  z.enum(SOURCES).transform((type): z.output<typeof sourceObjectSchema> => ({ type })),
  sourceObjectSchema,
]);

const WEB: z.output<typeof sourceObjectSchema> = { type: "web" };

const categoryObjectSchema = z.strictObject({ type: z.enum(CATEGORIES) });
const categorySchema = z.union([
  z.enum(CATEGORIES).transform((type) => ({ type })),
  categoryObjectSchema,
]);

const hostnamesSchema = z
  .array(
    z
      .string()
      .max(253)
      .regex(/^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/i, "must be a host name"),
  )
  .max(100);

const searchScrapeOptionsSchema = buildScrapeOptionsSchema({ formats: [], maxAgeMs: MAX_AGE_MS });

/** Body of POST /v2/search. */
export const searchRequestSchema = z
  .strictObject({
    query: z.string().min(1).max(LIMITS.search.queryCharacters).describe("1 to 500 characters."),
    limit: z
      .int()
      .min(1)
      .max(LIMITS.search.maxLimit)
      .default(LIMITS.search.limit)
      .describe("Results for each source, 1 to 100."),
    sources: z
      .array(sourceSchema)
      .max(10)
      .prefault(["web"])
      .transform((sources) => (sources.length === 0 ? [WEB] : sources)),
    categories: z.array(categorySchema).max(10).optional(),
    includeDomains: hostnamesSchema.optional().describe("Only these hosts."),
    excludeDomains: hostnamesSchema.optional().describe("Not these hosts."),
    tbs: timeRangeSchema.optional(),
    filter: z.string().max(500).optional(),
    lang: z.string().max(20).default("en").describe("Language of the results."),
    country: countrySchema.prefault("US").describe("Country the search comes from."),
    location: z.string().max(500).optional().describe("Place the search comes from."),
    timeout: z
      .int()
      .min(1)
      .max(LIMITS.timeoutMs.max)
      .default(LIMITS.search.timeoutMs)
      .describe("Milliseconds for the whole request."),
    ignoreInvalidURLs: z.boolean().default(false),
    highlights: z.boolean().default(true),
    safe: z.union([z.boolean(), z.string().max(50)]).optional(),
    enterprise: z.array(z.enum(["default", "anon", "zdr"])).optional(),
    asyncScraping: z.boolean().optional(),
    domainTools: z.boolean().optional(),
    toolDetail: z.enum(["compact", "summary", "full"]).optional(),
    scrapeOptions: searchScrapeOptionsSchema
      .prefault({})
      .describe("How results are scraped; nothing is scraped without formats."),
    ...governanceFields,
    ...callerFields,
  })
  .refine(
    (fields) => !(fields.includeDomains?.length && fields.excludeDomains?.length),
    "includeDomains and excludeDomains cannot both be specified",
  );

export type SearchRequest = z.input<typeof searchRequestSchema>;
export type SearchOptions = z.output<typeof searchRequestSchema>;

const text = z.string().optional();
const position = z.int().optional();

/** A result page; with scrapeOptions.formats it also has the fields of a document. */
const scrapedFields = documentSchema.partial().shape;

const webResultSchema = z.looseObject({
  ...scrapedFields,
  url: z.string(),
  title: text,
  description: text,
  position,
  category: text,
});
const newsResultSchema = z.looseObject({
  ...scrapedFields,
  url: text,
  title: text,
  snippet: text,
  date: text,
  imageUrl: text,
  position,
  category: text,
});
const imageResultSchema = z.looseObject({
  title: text,
  imageUrl: text,
  imageWidth: z.number().optional(),
  imageHeight: z.number().optional(),
  url: text,
  position,
});

/** Reply of POST /v2/search: only requested sources are present. */
export const searchResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  creditsUsed: z.int(),
  data: z.looseObject({
    web: z.array(webResultSchema).optional(),
    images: z.array(imageResultSchema).optional(),
    news: z.array(newsResultSchema).optional(),
  }),
  warning: text,
});

export type SearchResponse = z.output<typeof searchResponseSchema>;

/** The text of `error` for an invalid search body. */
export const SEARCH_FAULT_TEXT = "Invalid request body";
