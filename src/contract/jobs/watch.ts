// Messages of a WebSocket on a job's status URL: wire contract, section 17.
import { z } from "zod";
import { JOB_STATUSES, jobStatusResponseSchema } from "./crawl.ts";
import { documentSchema } from "../page/document.ts";

const finalStateSchema = z.looseObject({
  status: z.enum(JOB_STATUSES),
  total: z.int(),
  completed: z.int(),
  creditsUsed: z.int(),
  data: z.array(documentSchema).describe("Empty: every document was sent before."),
});

/**
 * One message to a watcher: first catchup, then document for each further page, finally done or
 * error. A job that did not complete sends its status before done, because the published watcher
 * takes done for a completion.
 */
export const watchMessageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("catchup"), data: jobStatusResponseSchema }),
  z.object({ type: z.literal("document"), data: documentSchema }),
  z.object({ type: z.literal("status"), data: finalStateSchema }),
  z.object({ type: z.literal("done"), data: finalStateSchema }),
  z.object({ type: z.literal("error"), error: z.string(), code: z.string().optional() }),
]);

export type WatchMessage = z.output<typeof watchMessageSchema>;
