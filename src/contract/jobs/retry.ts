// Starting what failed in a job again. Beyond the API family's contract.
import { z } from "zod";
import { JOB_LIST_KINDS } from "./kinds.ts";
import { buildWebhookSchema } from "./webhook.ts";
import { callerFields } from "../request/caller.ts";
import { headersSchema } from "../request/headers.ts";

const WEBHOOK_NOTE = "Receiver of the events of the new job; that of the old one is not kept.";

/** Body of POST /v2/crawl/{id}/retry and of the same route of batches. It may be missing. */
export const buildPageRetrySchema = (kind: "crawl" | "batch_scrape") =>
  z
    .strictObject({
      ...callerFields,
      headers: headersSchema
        .nullish()
        .describe(
          "Headers of the page requests. Required when the job sent any: they are not kept after its end.",
        ),
      webhook: buildWebhookSchema(kind).nullish().describe(WEBHOOK_NOTE),
    })
    .prefault({});

/** Body of the same route of extractions and agent runs. It may be missing. */
export const buildRetrySchema = <Kind extends "extract" | "agent">(kind: Kind) =>
  z
    .strictObject({
      ...callerFields,
      webhook: buildWebhookSchema(kind).optional().describe(WEBHOOK_NOTE),
    })
    .prefault({});

export type RetryOptions = z.output<ReturnType<typeof buildPageRetrySchema>>;

export const retryResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string().describe("Id of the new job."),
  kind: z
    .enum(JOB_LIST_KINDS)
    .describe("Failed pages of a crawl or batch become a batch; other jobs keep their kind."),
  path: z.string().describe("Path of the new job, such as /v2/batch/scrape/{id}."),
  url: z.string().describe("Absolute URL of its state."),
  urls: z.int().optional().describe("Failed pages that are scraped again."),
  warning: z.string().optional(),
});

export type RetryResponse = z.output<typeof retryResponseSchema>;
