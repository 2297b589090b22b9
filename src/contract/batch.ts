import { z } from "zod";
import { jobIdSchema } from "./identifier.ts";
import { LIMITS } from "./limits.ts";
import { checkScrapeRules, scrapeFields, toScrapeOptions } from "./scrape.ts";
import { findUrlFault } from "./url.ts";
import { batchWebhookSchema } from "./webhook.ts";

const batchFields = {
  urls: z
    .array(z.string())
    .min(1)
    .max(100_000)
    .describe("URLs to scrape, at least one; a repeated URL gives a document each time."),
  webhook: batchWebhookSchema.nullish(),
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
    .describe("Pages in work at once for this batch."),
};

/** Body of POST /v2/batch/scrape: scrape options stand at the top level; the checked form nests them. */
export const batchRequestSchema = z
  .strictObject({ ...batchFields, ...scrapeFields })
  .superRefine((fields, context) => {
    checkScrapeRules(fields, context);
    if (fields.ignoreInvalidURLs) return;
    for (const [index, url] of fields.urls.entries()) {
      const message = findUrlFault(url);
      if (message !== undefined)
        context.addIssue({ code: "custom", path: ["urls", index], message });
    }
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

/** Parts a batch's URLs into those that can be fetched and those that cannot, each in the order given. */
export function splitUrls(urls: readonly string[]): { valid: string[]; invalid: string[] } {
  const valid: string[] = [];
  const invalid: string[] = [];
  for (const url of urls) (findUrlFault(url) === undefined ? valid : invalid).push(url);
  return { valid, invalid };
}

export const batchStartResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string().describe("Absolute address of the job's status."),
  invalidURLs: z.array(z.string()).optional().describe("Present when invalid URLs are ignored."),
});
