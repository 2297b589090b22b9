import { z } from "zod";
import { callerFields, governanceFields } from "../request/caller.ts";
import { documentSchema } from "../page/document.ts";
import { FILE_FORMATS } from "../page/file-formats.ts";
import { LIMITS } from "../request/limits.ts";
import { buildLimitSchema, skipSchema } from "../request/paging.ts";
import { buildPatternsSchema } from "../request/patterns.ts";
import { scrapeOptionsSchema } from "../page/scrape.ts";
import { urlSchema } from "../request/url.ts";
import { buildWebhookSchema } from "./webhook.ts";

const buildCrawlPatternsSchema = (field: string) =>
  buildPatternsSchema(field)
    .nullish()
    .transform((patterns) => patterns ?? []);

export const sitemapSchema = z
  .enum(["include", "skip", "only"])
  .describe("include: sitemap and links; skip: links only; only: the sitemap's URLs only.");

/** Crawl options without url, in the spelling of the wire. */
const crawlFields = {
  prompt: z
    .string()
    .max(LIMITS.promptCharacters)
    .nullish()
    .describe("What to crawl, in plain language; fields that are set win over the prompt."),
  includePaths: buildCrawlPatternsSchema("includePaths").meta({
    description: "Regular expressions; only URLs that match one are in the results.",
    default: [],
  }),
  excludePaths: buildCrawlPatternsSchema("excludePaths").meta({
    description: "Regular expressions; URLs that match one are left out.",
    default: [],
  }),
  regexOnFullURL: z
    .boolean()
    .default(false)
    .describe("Match the patterns against the whole URL, not only its path."),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .max(LIMITS.count)
    .nullish()
    .describe("Links to follow from the start URL; sitemap entries count as depth 0."),
  limit: z
    .int()
    .min(1)
    .max(LIMITS.count)
    .nullish()
    .transform((limit) => limit ?? LIMITS.crawl.limit)
    .meta({ description: "Maximum pages to crawl.", default: LIMITS.crawl.limit }),
  crawlEntireDomain: z
    .boolean()
    .default(false)
    .describe("Also go to siblings and parents of the start path."),
  allowExternalLinks: z.boolean().default(false).describe("Follow links to other sites, one hop."),
  allowSubdomains: z.boolean().default(false).describe("Follow links to subdomains."),
  ignoreRobotsTxt: z.boolean().default(false),
  robotsUserAgent: z
    .string()
    .max(500)
    .regex(/^\P{Cc}*$/u, "robotsUserAgent: control characters are not allowed")
    .nullish()
    .describe("Agent name used to read robots.txt."),
  sitemap: sitemapSchema.optional().meta({ default: "include" }),
  ignoreSitemap: z
    .boolean()
    .optional()
    .meta({ deprecated: true, description: "Same as sitemap: skip." }),
  deduplicateSimilarURLs: z
    .boolean()
    .default(true)
    .describe("Take www, scheme, trailing slash and index page variants as one page."),
  ignoreQueryParameters: z.boolean().default(false).describe("Drop query strings."),
  delay: z
    .number()
    .gt(0)
    .max(LIMITS.crawl.delaySeconds)
    .nullish()
    .describe("Seconds between scrapes, above 0 to 60; the crawl then fetches one page at a time."),
  maxConcurrency: z
    .int()
    .min(1)
    .max(LIMITS.count)
    .nullish()
    .describe("Maximum concurrent pages of this crawl."),
  webhook: buildWebhookSchema("crawl").nullish(),
  scrapeOptions: scrapeOptionsSchema.nullish().meta({ default: {} }),
  zeroDataRetention: z.boolean().default(false),
  ...governanceFields,
  ...callerFields,
};

const crawlFieldsSchema = z.strictObject(crawlFields);
type CheckedFields = z.output<typeof crawlFieldsSchema>;

function checkCrawlRules(fields: CheckedFields, context: z.RefinementCtx): void {
  const formats = fields.scrapeOptions?.formats ?? [];
  for (const kept of FILE_FORMATS)
    if (fields.zeroDataRetention && formats.some(({ type }) => type === kept))
      context.addIssue({
        code: "custom",
        path: ["scrapeOptions", "formats"],
        message: `formats: ${kept} cannot be combined with zeroDataRetention`,
      });
  if (fields.scrapeOptions?.lockdown === true)
    context.addIssue({
      code: "custom",
      path: ["scrapeOptions", "lockdown"],
      message:
        "lockdown: a crawl fetches robots.txt, sitemaps and new links, which lockdown forbids; scrape the URLs of a finished crawl as a batch instead",
    });
}

const PLAIN_SCRAPE = scrapeOptionsSchema.parse({});

function toCrawlOptions<F extends CheckedFields>(fields: F) {
  const { ignoreSitemap, ...rest } = fields;
  const scrapeOptions = fields.scrapeOptions ?? structuredClone(PLAIN_SCRAPE);
  const zeroDataRetention = fields.zeroDataRetention || scrapeOptions.zeroDataRetention;
  return {
    ...rest,
    sitemap: fields.sitemap ?? (ignoreSitemap === true ? ("skip" as const) : ("include" as const)),
    scrapeOptions: {
      ...scrapeOptions,
      zeroDataRetention,
      storeInCache: scrapeOptions.storeInCache && !zeroDataRetention,
    },
  };
}

/** Crawl options inside another request, such as a monitor target. */
export const crawlOptionsSchema = crawlFieldsSchema
  .superRefine(checkCrawlRules)
  .transform(toCrawlOptions);

/** Body of POST /v2/crawl. */
export const crawlRequestSchema = z
  .strictObject({ url: urlSchema, ...crawlFields })
  .superRefine(checkCrawlRules)
  .transform(toCrawlOptions);

export type CrawlRequest = z.input<typeof crawlRequestSchema>;
export type CrawlOptions = z.output<typeof crawlRequestSchema>;

export const crawlStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe("Absolute URL of the job's status."),
  promptGeneratedOptions: z.record(z.string(), z.unknown()).optional(),
  finalCrawlerOptions: z.record(z.string(), z.unknown()).optional(),
  warning: z.string().optional(),
});

export const JOB_STATUSES = ["scraping", "completed", "failed", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Query of a crawl's or batch's status. */
export const jobStatusQuerySchema = z.object({
  skip: skipSchema,
  limit: buildLimitSchema(LIMITS.crawl.maxPageDocuments),
});

/** Reply of a crawl's or batch's status; `next` is absent on the last page of a finished job. */
export const jobStatusResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string().optional(),
  status: z.enum(JOB_STATUSES),
  total: z.int(),
  completed: z.int(),
  creditsUsed: z.int(),
  createdAt: z.string(),
  completedAt: z.string().optional(),
  duration: z.number().optional().describe("Seconds."),
  expiresAt: z.string(),
  next: z.string().nullable().optional().describe("Absolute URL of the next page of results."),
  error: z.string().optional().describe("Why the job failed, for people."),
  code: z.string().optional().describe("Why the job failed, for programs."),
  warning: z.string().optional(),
  data: z.array(documentSchema),
});

export type JobStatusResponse = z.output<typeof jobStatusResponseSchema>;

export const jobCancelResponseSchema = z.looseObject({
  success: z.literal(true),
  status: z
    .enum(JOB_STATUSES)
    .describe("Current state of the job: one that had already ended stays completed or failed."),
  warning: z.string().optional(),
});

export const jobErrorsResponseSchema = z.looseObject({
  success: z.literal(true).optional(),
  errors: z.array(
    z.looseObject({
      id: z.string(),
      timestamp: z.string().optional(),
      url: z.string(),
      code: z.string().optional(),
      error: z.string(),
    }),
  ),
  robotsBlocked: z.array(z.string()),
  warning: z.string().optional().describe("Says when more exist than are listed."),
});

export const activeCrawlsResponseSchema = z.looseObject({
  success: z.literal(true),
  crawls: z.array(
    z.looseObject({
      id: z.string(),
      teamId: z.string(),
      url: z.string(),
      created_at: z.string(),
      options: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});
