// Routes that answer within the request: scrape, map, search, parse, feedback.
import { z } from "zod";
import { storedRequestResponseSchema } from "../page/stored-request.ts";
import type { Endpoint } from "./endpoint.ts";
import {
  feedbackRequestSchema,
  feedbackResponseSchema,
  searchFeedbackRequestSchema,
} from "../page/feedback.ts";
import { idParamsSchema, nameSchema, scrapeIdParamsSchema } from "../request/identifier.ts";
import {
  interactRequestSchema,
  interactResponseSchema,
  interactTraceResponseSchema,
  sessionEndResponseSchema,
} from "../session/interact.ts";
import { mapRequestSchema, mapResponseSchema } from "../page/map.ts";
import {
  parseReferenceRequestSchema,
  uploadUrlRequestSchema,
  uploadUrlResponseSchema,
} from "../page/parse.ts";
import { progressLineSchema } from "../page/progress.ts";
import { scrapeRequestSchema, scrapeResponseSchema } from "../page/scrape.ts";
import { SEARCH_FAULT_TEXT, searchRequestSchema, searchResponseSchema } from "../page/search.ts";

const successSchema = z.looseObject({ success: z.literal(true) });

export const PAGE_ENDPOINTS: readonly Endpoint[] = [
  {
    method: "POST",
    path: "/v2/scrape",
    summary: "Get one page in the formats asked for.",
    tag: "Scrape",
    capability: "scrape",
    body: scrapeRequestSchema,
    hostedKeys: ["alexandria"],
    example: { url: "https://example.com", formats: ["markdown", "links"] },
    response: scrapeResponseSchema,
    lines: progressLineSchema,
  },
  {
    method: "GET",
    path: "/v2/scrape/:id",
    summary: "Read the document of an earlier scrape.",
    tag: "Scrape",
    capability: "scrape",
    params: idParamsSchema,
    response: scrapeResponseSchema,
  },
  {
    method: "GET",
    path: "/v2/scrape/:id/request",
    summary: "Read the request of an earlier scrape, without the values of its headers.",
    tag: "Scrape",
    capability: "scrape",
    params: idParamsSchema,
    response: storedRequestResponseSchema,
  },
  {
    method: "POST",
    path: "/v2/scrape/:scrapeId/interact",
    summary: "Run a prompt or code in the live page of an earlier scrape.",
    tag: "Interact",
    capability: "interact",
    params: scrapeIdParamsSchema,
    body: interactRequestSchema,
    example: { code: "return await page.title();" },
    response: interactResponseSchema,
  },
  {
    method: "DELETE",
    path: "/v2/scrape/:scrapeId/interact",
    summary: "End the live page of a scrape and save its profile.",
    tag: "Interact",
    capability: "interact",
    params: scrapeIdParamsSchema,
    response: sessionEndResponseSchema,
  },
  {
    method: "GET",
    path: "/v2/scrape/:scrapeId/interact/trace",
    summary: "Read what prompts did in the live page of a scrape, event by event.",
    tag: "Interact",
    capability: "interact",
    params: scrapeIdParamsSchema,
    response: interactTraceResponseSchema,
  },
  {
    method: "POST",
    path: "/v2/map",
    summary: "List the URLs of a site.",
    tag: "Map",
    capability: "map",
    body: mapRequestSchema,
    example: { url: "https://example.com", limit: 100 },
    response: mapResponseSchema,
  },
  {
    method: "POST",
    path: "/v2/search",
    summary: "Search the web and, if wanted, scrape what is found.",
    tag: "Search",
    capability: "search",
    body: searchRequestSchema,
    example: { query: "tables in Markdown", limit: 5 },
    response: searchResponseSchema,
    faultText: SEARCH_FAULT_TEXT,
  },
  {
    method: "POST",
    path: "/v2/search/:jobId/feedback",
    summary: "Say how useful a search was.",
    tag: "Feedback",
    capability: "feedback",
    params: z.object({ jobId: nameSchema }),
    body: searchFeedbackRequestSchema,
    response: feedbackResponseSchema,
  },
  {
    method: "POST",
    path: "/v2/feedback",
    summary: "Say how useful a result was.",
    tag: "Feedback",
    capability: "feedback",
    body: feedbackRequestSchema,
    response: feedbackResponseSchema,
  },
  {
    method: "POST",
    path: "/v2/parse",
    summary: "Turn an uploaded file into the formats asked for.",
    tag: "Parse",
    capability: "parse",
    body: parseReferenceRequestSchema,
    example: { uploadRef: "the uploadRef that /v2/parse/upload-url gave" },
    upload: "multipart",
    response: scrapeResponseSchema,
    lines: progressLineSchema,
  },
  {
    method: "POST",
    path: "/v2/parse/upload-url",
    summary: "Get an address to upload a file to.",
    tag: "Parse",
    capability: "uploads",
    body: uploadUrlRequestSchema,
    example: { filename: "report.pdf" },
    response: uploadUrlResponseSchema,
  },
  {
    method: "PUT",
    path: "/v2/parse/upload/:id",
    summary: "Upload a file to be parsed.",
    tag: "Parse",
    capability: "uploads",
    params: z.object({ id: nameSchema }),
    upload: "raw",
    response: successSchema,
  },
];
