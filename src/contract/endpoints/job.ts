// Routes of crawl, batch scrape and extract.
import { z } from "zod";
import { batchRequestSchema, batchStartResponseSchema } from "../jobs/batch.ts";
import {
  activeCrawlsResponseSchema,
  crawlRequestSchema,
  crawlStartResponseSchema,
  jobErrorsResponseSchema,
  jobStatusQuerySchema,
  jobStatusResponseSchema,
} from "../jobs/crawl.ts";
import {
  crawlPreviewQuerySchema,
  crawlPreviewRequestSchema,
  crawlPreviewResponseSchema,
} from "../jobs/crawl-preview.ts";
import { documentSchema } from "../page/document.ts";
import { crawlFeedQuerySchema, sitemapQuerySchema } from "../page/feed.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  describeKind,
  buildKindEndpoints,
  DELIVERY_ENDPOINTS,
  REQUEST_ENDPOINTS,
  RETRY_ENDPOINTS,
} from "./kind-endpoints.ts";
import {
  extractRequestSchema,
  extractStartResponseSchema,
  extractStatusResponseSchema,
} from "../jobs/extract.ts";
import { idParamsSchema } from "../request/identifier.ts";
import { jobEventSchema, jobListQuerySchema, jobListResponseSchema } from "../jobs/job-list.ts";
import {
  llmsTxtQuerySchema,
  llmsTxtRequestSchema,
  llmsTxtResponseSchema,
  llmsTxtStartResponseSchema,
} from "../jobs/llms-txt.ts";
import { JOB_KINDS } from "../jobs/kinds.ts";
import { exportQuerySchema, ledgerQuerySchema, ledgerResponseSchema } from "../jobs/ledger.ts";

/** Fields that crawls and batches list after their start. */
const buildPageEndpoints = (name: "crawl" | "batch_scrape"): Endpoint[] => {
  const { path, noun } = JOB_KINDS[name];
  const about = describeKind(name);
  return [
    ...buildKindEndpoints(name, { query: jobStatusQuerySchema, response: jobStatusResponseSchema }),
    {
      ...about,
      method: "GET",
      path: `${path}/:id/errors`,
      summary: `List the pages of a ${noun} that failed or that robots.txt forbids.`,
      params: idParamsSchema,
      response: jobErrorsResponseSchema,
    },
    {
      ...about,
      method: "GET",
      path: `${path}/:id/ledger`,
      summary: `List every URL that a ${noun} has seen with its outcome, and the sums.`,
      params: idParamsSchema,
      query: ledgerQuerySchema,
      response: ledgerResponseSchema,
      streams: ["text/csv", "application/x-ndjson"],
    },
    {
      ...about,
      method: "GET",
      path: `${path}/:id/export`,
      summary: `Stream all results of a ${noun} that are there, as lines of JSON, as a table, or as files in an archive.`,
      params: idParamsSchema,
      query: exportQuerySchema,
      response: documentSchema,
      streams: ["text/csv", "application/x-ndjson", "application/zip"],
    },
    {
      ...about,
      method: "GET",
      path: `${path}/:id/feed`,
      summary: `Write the pages of a ${noun} as a feed, newest first.`,
      params: idParamsSchema,
      query: crawlFeedQuerySchema,
      response: z.string(),
      streams: ["application/rss+xml", "application/atom+xml", "application/feed+json"],
    },
    {
      ...about,
      method: "GET",
      path: `${path}/:id/sitemap.xml`,
      summary: `Write the pages that a ${noun} has read as a sitemap.`,
      params: idParamsSchema,
      query: sitemapQuerySchema,
      response: z.string(),
      streams: ["application/xml"],
    },
  ];
};

const crawl = describeKind("crawl");

export const JOB_ENDPOINTS: readonly Endpoint[] = [
  {
    ...crawl,
    method: "POST",
    path: "/v2/crawl",
    summary: "Start a crawl: follow links from a URL and scrape each page.",
    body: crawlRequestSchema,
    example: { url: "https://example.com", limit: 10 },
    response: crawlStartResponseSchema,
  },
  {
    ...crawl,
    method: "POST",
    path: "/v2/llmstxt",
    summary: "Start a crawl for llms.txt and llms-full.txt of a site.",
    body: llmsTxtRequestSchema,
    example: { url: "https://example.com/docs/", maxUrls: 100 },
    response: llmsTxtStartResponseSchema,
  },
  {
    ...crawl,
    method: "GET",
    path: "/v2/llmstxt/:id",
    summary: "Build llms.txt and llms-full.txt from the pages of a crawl that has ended.",
    params: idParamsSchema,
    query: llmsTxtQuerySchema,
    response: llmsTxtResponseSchema,
  },
  {
    ...crawl,
    method: "GET",
    path: "/v2/crawl/active",
    summary: "List the crawls that are running.",
    response: activeCrawlsResponseSchema,
  },
  {
    ...crawl,
    method: "GET",
    path: "/v2/crawl/ongoing",
    summary: "List the crawls that are running; same as active.",
    response: activeCrawlsResponseSchema,
  },
  {
    tag: "Crawl",
    capability: "crawlPreview",
    method: "POST",
    path: "/v2/crawl/params-preview",
    summary: "Derive crawl options from a description.",
    body: crawlPreviewRequestSchema,
    example: { url: "https://example.com", prompt: "just the docs, at most 50 pages" },
    response: crawlPreviewResponseSchema,
  },
  {
    tag: "Crawl",
    capability: "crawlPreview",
    method: "GET",
    path: "/v2/crawl/params-preview",
    summary: "Same as POST, with url and prompt in the query.",
    query: crawlPreviewQuerySchema,
    isWork: true,
    response: crawlPreviewResponseSchema,
  },
  ...buildPageEndpoints("crawl"),
  {
    ...describeKind("batch_scrape"),
    method: "POST",
    path: "/v2/batch/scrape",
    summary: "Scrape a list of URLs as one job.",
    body: batchRequestSchema,
    example: { urls: ["https://example.com", "https://example.org"] },
    response: batchStartResponseSchema,
  },
  ...buildPageEndpoints("batch_scrape"),
  {
    ...describeKind("extract"),
    method: "POST",
    path: "/v2/extract",
    summary: "Start extracting structured data from URLs.",
    body: extractRequestSchema,
    example: { urls: ["https://example.com"], prompt: "the name of the company" },
    response: extractStartResponseSchema,
  },
  ...buildKindEndpoints("extract", { response: extractStatusResponseSchema }),
  ...DELIVERY_ENDPOINTS,
  ...RETRY_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  {
    tag: "Jobs",
    capability: "jobs",
    method: "GET",
    path: "/v2/jobs",
    summary: "List jobs of all kinds, newest first.",
    query: jobListQuerySchema,
    response: jobListResponseSchema,
  },
  {
    tag: "Jobs",
    capability: "jobs",
    method: "GET",
    path: "/v2/jobs/events",
    summary: "Follow the changes of all jobs as server-sent events.",
    response: jobEventSchema,
    streams: ["text/event-stream"],
  },
];
