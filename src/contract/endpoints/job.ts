// Routes of crawl, batch scrape and extract.
import { batchRequestSchema, batchStartResponseSchema } from "../jobs/batch.ts";
import {
  activeCrawlsResponseSchema,
  crawlRequestSchema,
  crawlStartResponseSchema,
  jobCancelResponseSchema,
  jobErrorsResponseSchema,
  jobStatusQuerySchema,
  jobStatusResponseSchema,
} from "../jobs/crawl.ts";
import {
  crawlPreviewQuerySchema,
  crawlPreviewRequestSchema,
  crawlPreviewResponseSchema,
} from "../jobs/crawl-preview.ts";
import { deliveryListResponseSchema, deliveryQuerySchema } from "../jobs/delivery.ts";
import { documentSchema } from "../page/document.ts";
import type { Endpoint } from "./endpoint.ts";
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
import { exportQuerySchema, ledgerQuerySchema, ledgerResponseSchema } from "../jobs/ledger.ts";

type Kind = Pick<Endpoint, "tag" | "capability"> & { readonly path: string; readonly noun: string };

const buildCancelEndpoint = ({ tag, capability, path, noun }: Kind): Endpoint => ({
  method: "DELETE",
  path: `${path}/:id`,
  summary: `Cancel a ${noun}; finished pages stay readable.`,
  tag,
  capability,
  params: idParamsSchema,
  response: jobCancelResponseSchema,
});

const buildDeliveriesEndpoint = ({ tag, capability, path, noun }: Kind): Endpoint => ({
  method: "GET",
  path: `${path}/:id/webhooks`,
  summary: `List the events of a ${noun} and how their delivery goes.`,
  tag,
  capability,
  params: idParamsSchema,
  query: deliveryQuerySchema,
  response: deliveryListResponseSchema,
});

/** The routes after the start that crawls and batches share. */
const buildJobEndpoints = ({ tag, capability, path, noun }: Kind): Endpoint[] => [
  {
    method: "GET",
    path: `${path}/:id`,
    summary: `Read the state and results of a ${noun}.`,
    tag,
    capability,
    params: idParamsSchema,
    query: jobStatusQuerySchema,
    response: jobStatusResponseSchema,
  },
  buildCancelEndpoint({ tag, capability, path, noun }),
  {
    method: "GET",
    path: `${path}/:id/errors`,
    summary: `List the pages of a ${noun} that failed or that robots.txt forbids.`,
    tag,
    capability,
    params: idParamsSchema,
    response: jobErrorsResponseSchema,
  },
  {
    method: "GET",
    path: `${path}/:id/ledger`,
    summary: `List every URL that a ${noun} has seen and what became of it, with the sums.`,
    tag,
    capability,
    params: idParamsSchema,
    query: ledgerQuerySchema,
    response: ledgerResponseSchema,
    streams: ["text/csv", "application/x-ndjson"],
  },
  {
    method: "GET",
    path: `${path}/:id/export`,
    summary: `Stream all results of a ${noun} that are there, as lines of JSON or as a table.`,
    tag,
    capability,
    params: idParamsSchema,
    query: exportQuerySchema,
    response: documentSchema,
    streams: ["text/csv", "application/x-ndjson"],
  },
  buildDeliveriesEndpoint({ tag, capability, path, noun }),
];

const crawl = { tag: "Crawl", capability: "crawl" } as const;
const batch = { tag: "Batch", capability: "batch" } as const;
const extract = {
  tag: "Extract",
  capability: "extract",
  deprecated: { replacement: "/v2/agent" },
} as const;

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
  ...buildJobEndpoints({ ...crawl, path: "/v2/crawl", noun: "crawl" }),
  {
    ...batch,
    method: "POST",
    path: "/v2/batch/scrape",
    summary: "Scrape a list of URLs as one job.",
    body: batchRequestSchema,
    example: { urls: ["https://example.com", "https://example.org"] },
    response: batchStartResponseSchema,
  },
  ...buildJobEndpoints({ ...batch, path: "/v2/batch/scrape", noun: "batch" }),
  {
    ...extract,
    method: "POST",
    path: "/v2/extract",
    summary: "Start extracting structured data from URLs.",
    body: extractRequestSchema,
    example: { urls: ["https://example.com"], prompt: "the name of the company" },
    response: extractStartResponseSchema,
  },
  {
    ...extract,
    method: "GET",
    path: "/v2/extract/:id",
    summary: "Read the state and data of an extraction.",
    params: idParamsSchema,
    response: extractStatusResponseSchema,
  },
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
