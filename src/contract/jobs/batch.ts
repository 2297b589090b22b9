import { z } from "zod";
import { jobIdSchema } from "../request/identifier.ts";
import { LIMITS } from "../request/limits.ts";
import { checkScrapeRules, scrapeFields, toScrapeOptions } from "../page/scrape.ts";
import { findUrlFault } from "../request/url.ts";
import { buildWebhookSchema } from "./webhook.ts";

/**
 * Longer lists are not validated URL by URL in the schema: it cannot yield, and 100,000 URLs would
 * block the event loop. The caller that starts the batch uses `findUrlFaults`.
 */
const MAX_CHECKED_URLS = 1_000;

/** Maximum URLs of one batch. */
export const MAX_BATCH_URLS = 100_000;

const batchFields = {
  urls: z
    .array(z.string())
    .min(1)
    .max(MAX_BATCH_URLS)
    .describe("URLs to scrape, at least one; each repetition gives a document of its own."),
  webhook: buildWebhookSchema("batch_scrape").nullish(),
  appendToId: jobIdSchema.nullish().describe("Id of a running batch to add the URLs to."),
  ignoreInvalidURLs: z
    .boolean()
    .default(true)
    .describe("Leave out URLs that cannot be fetched and list them in invalidURLs."),
  maxConcurrency: z
    .int()
    .min(1)
    .max(LIMITS.count)
    .nullish()
    .describe("Maximum concurrent pages of this batch."),
};

/**
 * Body of POST /v2/batch/scrape. Scrape options are at the top level; the parsed form nests them.
 */
export const batchRequestSchema = z
  .strictObject({ ...batchFields, ...scrapeFields })
  .superRefine((fields, context) => {
    checkScrapeRules(fields, context);
    if (fields.ignoreInvalidURLs || fields.urls.length > MAX_CHECKED_URLS) return;
    for (const fault of findUrlFaults(fields.urls)) context.addIssue(fault);
  })
  .transform(({ urls, webhook, appendToId, ignoreInvalidURLs, maxConcurrency, ...fields }) => ({
    urls,
    webhook,
    appendToId,
    ignoreInvalidURLs,
    maxConcurrency,
    origin: fields.origin,
    integration: fields.integration,
    scrapeOptions: toScrapeOptions(fields),
  }));

export type BatchRequest = z.input<typeof batchRequestSchema>;
export type BatchOptions = z.output<typeof batchRequestSchema>;

type UrlFault = {
  readonly code: "custom";
  readonly path: ["urls", number];
  readonly message: string;
  readonly input: string;
};

/** Returns the invalid URLs with reasons; `first` is the index of the first URL in the request. */
export function findUrlFaults(urls: readonly string[], first = 0): UrlFault[] {
  return urls.flatMap((input, index) => {
    const message = findUrlFault(input);
    return message === undefined
      ? []
      : [{ code: "custom", path: ["urls", first + index], message, input }];
  });
}

export const batchStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe("Absolute URL of the job's status."),
  invalidURLs: z.array(z.string()).optional().describe("Present when invalid URLs are ignored."),
});
