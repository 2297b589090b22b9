// Routes of the frozen /v1 for older clients; adapters over /v2.
import type { z } from "zod";
import type { Capability } from "../account/capabilities.ts";
import { batchStartResponseSchema } from "../jobs/batch.ts";
import {
  activeCrawlsResponseSchema,
  crawlStartResponseSchema,
  jobCancelResponseSchema,
  jobErrorsResponseSchema,
  jobStatusQuerySchema,
  jobStatusResponseSchema,
} from "../jobs/crawl.ts";
import type { Endpoint, Method } from "./endpoint.ts";
import { extractStartResponseSchema, extractStatusResponseSchema } from "../jobs/extract.ts";
import {
  llmsTxtQuerySchema,
  llmsTxtRequestSchema,
  llmsTxtResponseSchema,
  llmsTxtStartResponseSchema,
} from "../jobs/llms-txt.ts";
import { idParamsSchema } from "../request/identifier.ts";
import { scrapeResponseSchema } from "../page/scrape.ts";
import {
  concurrencyResponseSchema,
  creditHistoryResponseSchema,
  creditUsageResponseSchema,
  historicalQuerySchema,
  queueStatusResponseSchema,
  tokenHistoryResponseSchema,
  tokenUsageResponseSchema,
} from "../account/team.ts";
import {
  v1BatchRequestSchema,
  v1CrawlRequestSchema,
  v1ExtractRequestSchema,
  v1MapRequestSchema,
  v1MapResponseSchema,
  v1SearchRequestSchema,
  v1SearchResponseSchema,
} from "../v1/v1-job.ts";
import { v1ScrapeRequestSchema } from "../v1/v1-scrape.ts";

const UNKNOWN_KEY_TEXT =
  "Unrecognized key in body -- please review the v1 API documentation for request body changes";

type Route = Pick<Endpoint, "body" | "example" | "query" | "params" | "response">;

const defineRoute = (
  capability: Capability,
  method: Method,
  path: string,
  summary: string,
  schemas: Route,
): Endpoint => ({
  method,
  path: `/v1${path}`,
  summary,
  tag: "V1",
  capability,
  deprecated: { replacement: `/v2${path.replaceAll(/:(\w+)/g, "{$1}")}` },
  unknownKeyText: UNKNOWN_KEY_TEXT,
  ...schemas,
});

const page = { params: idParamsSchema, response: scrapeResponseSchema };
const status = {
  params: idParamsSchema,
  query: jobStatusQuerySchema,
  response: jobStatusResponseSchema,
};
const cancel = { params: idParamsSchema, response: jobCancelResponseSchema };
const errors = { params: idParamsSchema, response: jobErrorsResponseSchema };
const active = { response: activeCrawlsResponseSchema };

/** The published /v1 client reads the errors of a job with DELETE, which cancels nothing. */
const buildJobRoutes = (capability: "crawl" | "batch", path: string): Endpoint[] => [
  defineRoute(capability, "GET", `${path}/:id`, "Read the state and results of a job.", status),
  defineRoute(capability, "DELETE", `${path}/:id`, "Cancel a job.", cancel),
  defineRoute(
    capability,
    "GET",
    `${path}/:id/errors`,
    "List the pages of a job that failed.",
    errors,
  ),
  defineRoute(capability, "DELETE", `${path}/:id/errors`, "Same as GET, for old clients.", errors),
];

const buildTeamRoute = (path: string, summary: string, response: z.ZodType, query?: z.ZodType) =>
  defineRoute("team", "GET", path, summary, {
    response,
    ...(query === undefined ? {} : { query }),
  });

export const V1_ENDPOINTS: readonly Endpoint[] = [
  defineRoute("scrape", "POST", "/scrape", "Get one page in the formats asked for.", {
    body: v1ScrapeRequestSchema,
    example: { url: "https://example.com", formats: ["markdown", "links"] },
    response: scrapeResponseSchema,
  }),
  defineRoute("scrape", "GET", "/scrape/:id", "Read the document of an earlier scrape.", page),
  defineRoute("search", "POST", "/search", "Search the web.", {
    body: v1SearchRequestSchema,
    example: { query: "tables in Markdown", limit: 5 },
    response: v1SearchResponseSchema,
  }),
  defineRoute("map", "POST", "/map", "List the URLs of a site.", {
    body: v1MapRequestSchema,
    example: { url: "https://example.com", limit: 100 },
    response: v1MapResponseSchema,
  }),
  defineRoute("crawl", "POST", "/crawl", "Start a crawl.", {
    body: v1CrawlRequestSchema,
    example: { url: "https://example.com", limit: 10 },
    response: crawlStartResponseSchema,
  }),
  defineRoute("crawl", "GET", "/crawl/active", "List the crawls that are running.", active),
  defineRoute("crawl", "GET", "/crawl/ongoing", "List the crawls that are running.", active),
  ...buildJobRoutes("crawl", "/crawl"),
  defineRoute("batch", "POST", "/batch/scrape", "Scrape a list of URLs as one job.", {
    body: v1BatchRequestSchema,
    example: { urls: ["https://example.com", "https://example.org"] },
    response: batchStartResponseSchema,
  }),
  ...buildJobRoutes("batch", "/batch/scrape"),
  defineRoute("crawl", "POST", "/llmstxt", "Start a crawl for llms.txt of a site.", {
    body: llmsTxtRequestSchema,
    example: { url: "https://example.com/docs/", maxUrls: 10 },
    response: llmsTxtStartResponseSchema,
  }),
  defineRoute("crawl", "GET", "/llmstxt/:id", "Build llms.txt from the pages of a crawl.", {
    params: idParamsSchema,
    query: llmsTxtQuerySchema,
    response: llmsTxtResponseSchema,
  }),
  defineRoute("extract", "POST", "/extract", "Start extracting structured data from URLs.", {
    body: v1ExtractRequestSchema,
    example: { urls: ["https://example.com"], prompt: "the name of the company" },
    response: extractStartResponseSchema,
  }),
  defineRoute("extract", "GET", "/extract/:id", "Read the state and data of an extraction.", {
    params: idParamsSchema,
    response: extractStatusResponseSchema,
  }),
  buildTeamRoute(
    "/team/credit-usage",
    "Read the credits that are left.",
    creditUsageResponseSchema,
  ),
  buildTeamRoute(
    "/team/credit-usage/historical",
    "Read the credits used by period.",
    creditHistoryResponseSchema,
    historicalQuerySchema,
  ),
  buildTeamRoute("/team/token-usage", "Read the tokens that are left.", tokenUsageResponseSchema),
  buildTeamRoute(
    "/team/token-usage/historical",
    "Read the tokens used by period.",
    tokenHistoryResponseSchema,
    historicalQuerySchema,
  ),
  buildTeamRoute(
    "/team/queue-status",
    "Read how many jobs wait and run.",
    queueStatusResponseSchema,
  ),
  buildTeamRoute(
    "/concurrency-check",
    "Read how many pages are in progress.",
    concurrencyResponseSchema,
  ),
];
