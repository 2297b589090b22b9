// The request that started a job. Beyond the API family's contract.
import { z } from "zod";
import { JOB_LIST_KINDS } from "./kinds.ts";

export const jobRequestResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  kind: z.enum(JOB_LIST_KINDS),
  path: z.string().describe("Path that takes the request again, such as /v2/crawl."),
  request: z
    .record(z.string(), z.unknown())
    .describe(
      "Body of the start with defaults filled in, without secrets and without options that follow from others; of a batch also the URLs that were added later.",
    ),
  omitted: z
    .array(z.string())
    .describe(
      "Paths of what may be secret and is left out: scrapeOptions.headers.Cookie, scrapeOptions.actions.1.text (typed text and scripts), webhook.url, webhook.headers.X-Key, webhook.metadata.team, webhook.secret, and urls.login or url.login (user names and passwords). Set them again before you send the request.",
    ),
  createdAt: z.string(),
});

export type JobRequestResponse = z.output<typeof jobRequestResponseSchema>;
