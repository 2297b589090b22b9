import { z } from "zod";
import { buildTimeSchema } from "../jobs/job-list.ts";
import { buildDigitsSchema, flagSchema } from "../request/paging.ts";

const date = z.string().nullable();
const periodFields = {
  billingPeriodStart: date,
  billingPeriodEnd: date,
};

export const creditUsageResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({
    remainingCredits: z.number(),
    planCredits: z.number(),
    ...periodFields,
  }),
});

export const tokenUsageResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.looseObject({ remainingTokens: z.number(), planTokens: z.number(), ...periodFields }),
});

export const historicalQuerySchema = z
  .object({
    byApiKey: flagSchema.optional(),
    timeRange: z.enum(["day", "week", "month"]).optional(),
  })
  .refine(
    (query) => !(query.byApiKey === true && query.timeRange !== undefined),
    "timeRange cannot be combined with byApiKey",
  );

const spanFields = { startDate: date, endDate: date, apiKey: z.string().optional() };

/** Periods in ascending order; each sum is sent under both names that clients know. */
export const creditHistoryResponseSchema = z.looseObject({
  success: z.literal(true),
  periods: z.array(
    z.looseObject({ ...spanFields, creditsUsed: z.int(), totalCredits: z.int().optional() }),
  ),
});

export const USAGE_UNITS = ["hour", "day", "week", "month"] as const;
export type UsageUnit = (typeof USAGE_UNITS)[number];

/** Query of GET /v2/team/usage. Beyond the API family's contract. */
export const usageQuerySchema = z.object({
  unit: z.enum(USAGE_UNITS).default("day").describe("Length of a period, in UTC."),
  byApiKey: flagSchema.optional().describe("One entry for each key and period."),
  since: buildTimeSchema("since").optional().meta({
    description:
      "Start of the first period: ISO 8601, or milliseconds since 1970. By default 31 periods are listed.",
  }),
});

export const usageResponseSchema = z.looseObject({
  success: z.literal(true),
  unit: z.enum(USAGE_UNITS),
  periods: z
    .array(
      z.looseObject({
        startDate: z.string(),
        endDate: z.string().describe("Exclusive."),
        apiKey: z
          .looseObject({ id: z.string(), name: z.string() })
          .optional()
          .describe("With byApiKey. Two keys may have the same name."),
        creditsUsed: z.int(),
        pages: z.int().describe("Pages read, failed ones and repeated tries of jobs included."),
        blocked: z.int().describe("Answered with a block page, a bot check or a login form."),
        thin: z.int().describe("Without text."),
        failed: z.int().describe("Not reached, or an error page."),
        cacheHits: z.int().describe("Answered from the cache."),
        httpPages: z.int().describe("Fetched over HTTP without the browser."),
        browserPages: z.int().describe("Rendered in the browser."),
        documentPages: z.int().describe("Read as a document, such as a PDF."),
        bytes: z.int().describe("Bytes of the bodies fetched, after content decoding."),
        latency: z
          .looseObject({ p50: z.number().nullable(), p95: z.number().nullable() })
          .describe(
            "Milliseconds per page without the wait for a slot, estimated from ranges; null without pages.",
          ),
      }),
    )
    .describe(
      "Ascending; periods without usage are left out. Counts of pages are kept for 400 days.",
    ),
});

export const tokenHistoryResponseSchema = z.looseObject({
  success: z.literal(true),
  periods: z.array(
    z.looseObject({ ...spanFields, tokensUsed: z.int(), totalTokens: z.int().optional() }),
  ),
});

export const concurrencyResponseSchema = z.looseObject({
  success: z.literal(true),
  concurrency: z.int(),
  maxConcurrency: z.int(),
});

export const queueStatusResponseSchema = z.looseObject({
  success: z.literal(true),
  jobsInQueue: z.int(),
  activeJobsInQueue: z.int(),
  waitingJobsInQueue: z.int(),
  maxConcurrency: z.int(),
  mostRecentSuccess: date,
});

export const ACTIVITY_ENDPOINTS = [
  "scrape",
  "crawl",
  "batch_scrape",
  "search",
  "extract",
  "llmstxt",
  "deep_research",
  "map",
  "agent",
  "browser",
  "interact",
] as const;

const DEFAULT_ACTIVITY_LIMIT = 50;
const activityLimitSchema = buildDigitsSchema("limit", 1, 100, "Invalid pagination");

/** An invalid limit is read as the default, like in the API family. */
export const activityQuerySchema = z.object({
  endpoint: z.enum(ACTIVITY_ENDPOINTS).optional(),
  limit: z
    .string()
    .optional()
    .transform((text) => activityLimitSchema.safeParse(text).data ?? DEFAULT_ACTIVITY_LIMIT)
    .meta({ description: "1 to 100.", default: String(DEFAULT_ACTIVITY_LIMIT) }),
  cursor: z.string().max(500).optional(),
});

export const activityResponseSchema = z.looseObject({
  success: z.literal(true),
  data: z.array(
    z.looseObject({
      id: z.string(),
      endpoint: z.enum(ACTIVITY_ENDPOINTS),
      api_version: z.string(),
      created_at: z.string(),
      target: z.string().nullable(),
      api_key: z
        .looseObject({ id: z.string(), name: z.string().nullable() })
        .optional()
        .describe("The key that sent it; name is null for a removed one."),
    }),
  ),
  cursor: z.string().nullable(),
  has_more: z.boolean(),
});
