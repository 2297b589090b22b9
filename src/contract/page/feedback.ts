import { z } from "zod";
import { callerFields } from "../request/caller.ts";

const METADATA_BYTES = 8 * 1024;
const shortTexts = z.array(z.string().max(500)).max(50);

const ratingFields = {
  rating: z.enum(["good", "partial", "bad"]),
  valuableSources: z
    .array(
      z.strictObject({ url: z.string().max(10_000), reason: z.string().max(2_000).optional() }),
    )
    .max(100)
    .optional(),
  missingContent: z
    .array(
      z.strictObject({
        topic: z.string().max(2_000),
        description: z.string().max(10_000).optional(),
      }),
    )
    .max(100)
    .optional(),
  querySuggestions: z.string().max(10_000).optional(),
  ...callerFields,
};

/** Body of POST /v2/search/{jobId}/feedback. */
export const searchFeedbackRequestSchema = z.strictObject(ratingFields);

/** Body of POST /v2/feedback. */
export const feedbackRequestSchema = z.strictObject({
  endpoint: z.enum(["search", "scrape", "parse", "map"]),
  jobId: z.string().min(1).max(200),
  issues: shortTexts.optional(),
  tags: shortTexts.optional(),
  note: z.string().max(10_000).optional(),
  url: z.string().max(10_000).optional(),
  pageNumbers: z.array(z.int().min(1)).max(10_000).optional(),
  metadata: z
    .record(z.string(), z.unknown())
    .refine(
      (metadata) => JSON.stringify(metadata).length <= METADATA_BYTES,
      "metadata: at most 8 KB are allowed",
    )
    .optional(),
  ...ratingFields,
});

export type FeedbackRequest = z.output<typeof feedbackRequestSchema>;

export const feedbackResponseSchema = z.looseObject({
  success: z.literal(true),
  feedbackId: z.string(),
  creditsRefunded: z.int(),
  alreadySubmitted: z.boolean().optional(),
  warning: z.string().optional(),
});
