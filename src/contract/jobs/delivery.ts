// The log of webhook deliveries. Beyond the API family's contract.
import { z } from "zod";
import { buildLimitSchema, skipSchema } from "../request/paging.ts";
import { EVENT_TYPES } from "./webhook.ts";

export const MAX_DELIVERIES = 1_000;

export const deliveryQuerySchema = z.object({
  skip: skipSchema,
  limit: buildLimitSchema(MAX_DELIVERIES),
});

const deliverySchema = z.looseObject({
  webhookId: z.string().describe("Id of the event, the same at every attempt."),
  type: z.enum(EVENT_TYPES),
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.int(),
  createdAt: z.string(),
  nextAttemptAt: z.string().optional().describe("Of one that waits."),
  endedAt: z.string().optional().describe("When it was delivered or given up."),
  statusCode: z.int().optional().describe("Of the receiver's last answer."),
  error: z.string().optional().describe("Why the last attempt failed."),
});

/** Reply of GET /v2/crawl/{id}/webhooks: in the order in which the events happened. */
export const deliveryListResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  deliveries: z.array(deliverySchema),
  next: z.string().optional().describe("Absolute address of the next page."),
});

export type DeliveryListResponse = z.output<typeof deliveryListResponseSchema>;
