// The request of an earlier scrape. Beyond the API family's contract.
import { z } from "zod";

export const storedRequestResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  url: z.string(),
  options: z
    .record(z.string(), z.unknown())
    .describe(
      "The options with defaults filled in, without url, headers, typed text and scripts of actions.",
    ),
  headerNames: z
    .array(z.string())
    .describe("Names of the headers that it sent; their values are not shown."),
  omitted: z
    .array(z.string())
    .optional()
    .describe("Paths of typed text and scripts that are left out, such as actions.1.text."),
  explanation: z
    .looseObject({
      plan: z.looseObject({
        attempts: z.array(z.looseObject({ engine: z.string(), proxy: z.string() })),
      }),
      attempts: z.array(
        z.looseObject({
          engine: z.string(),
          proxy: z.string(),
          outcome: z.string(),
          ms: z.number(),
        }),
      ),
      cache: z.enum(["hit", "miss", "not used"]),
      timings: z.record(z.string(), z.number()).describe("Milliseconds by step."),
      trace: z.array(z.looseObject({ name: z.string(), startMs: z.number() })).optional(),
    })
    .optional()
    .describe(
      "How the page was fetched, as in an explained answer, up to its storage; missing for pages of jobs and scrapes of older versions.",
    ),
  createdAt: z.string(),
});

export type StoredRequestResponse = z.output<typeof storedRequestResponseSchema>;
