// Progress while a long file is parsed: one JSON object per line, the answer in the last.
import { z } from "zod";
import { errorBodySchema } from "../request/error-body.ts";
import { scrapeResponseSchema } from "./scrape.ts";

/** The media type in Accept that requests progress lines. */
export const PROGRESS_MEDIA = "application/x-ndjson";

/** A page that needs OCR counts as done after it. */
export const readingProgressSchema = z.object({
  pagesDone: z.int().min(0),
  pagesWanted: z.int().min(0),
});

export type ReadingProgress = z.output<typeof readingProgressSchema>;

export const progressLineSchema = z.discriminatedUnion("type", [
  readingProgressSchema
    .extend({ type: z.literal("progress") })
    .describe("Progress of parsing a long file; any number of lines, at most two per second."),
  z
    .object({
      type: z.literal("answer"),
      status: z.int().describe("The HTTP status that the answer would have had on its own."),
      body: z.union([scrapeResponseSchema, errorBodySchema]),
      retryAfter: z.int().optional().describe("Seconds, like the header Retry-After."),
    })
    .describe("The last line."),
]);

export type ProgressLine = z.output<typeof progressLineSchema>;
