// What a caller is told while a long file is read: one JSON object a line, the answer in the last.
import { z } from "zod";
import { errorBodySchema } from "../request/error-body.ts";
import { scrapeResponseSchema } from "./scrape.ts";

/** What Accept must name for an answer in lines. */
export const PROGRESS_MEDIA = "application/x-ndjson";

/** A page that is recognised in its picture is done when that is. */
export const readingProgressSchema = z.object({
  pagesDone: z.int().min(0),
  pagesWanted: z.int().min(0),
});

export type ReadingProgress = z.output<typeof readingProgressSchema>;

export const progressLineSchema = z.discriminatedUnion("type", [
  readingProgressSchema
    .extend({ type: z.literal("progress") })
    .describe("How far the reading of a long file is; any number of lines, at most two a second."),
  z
    .object({
      type: z.literal("answer"),
      status: z.int().describe("The HTTP status that the answer would have had by itself."),
      body: z.union([scrapeResponseSchema, errorBodySchema]),
      retryAfter: z.int().optional().describe("Seconds, as the header Retry-After would say."),
    })
    .describe("The last line."),
]);

export type ProgressLine = z.output<typeof progressLineSchema>;
