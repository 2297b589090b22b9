// The log of webhook deliveries. Beyond the API family's contract.
import { z } from "zod";
import { idParamsSchema, jobIdSchema } from "../request/identifier.ts";
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
  nextAttemptAt: z.string().optional().describe("When a waiting event is tried next."),
  endedAt: z.string().optional().describe("When it was delivered or failed."),
  statusCode: z.int().optional().describe("Status of the receiver's last response."),
  error: z.string().optional().describe("Why the last attempt failed."),
});

/** Reply of GET /v2/crawl/{id}/webhooks, in the order of the events. */
export const deliveryListResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  deliveries: z.array(deliverySchema),
  next: z.string().optional().describe("Absolute URL of the next page."),
});

export const redeliveryParamsSchema = idParamsSchema.extend({ webhookId: jobIdSchema });

export type RedeliveryParams = z.output<typeof redeliveryParamsSchema>;

/** Reply of POST /v2/crawl/{id}/webhooks/{webhookId}: the event is due now. */
export const redeliveryResponseSchema = z.looseObject({
  success: z.literal(true),
  id: z.string(),
  webhookId: z.string(),
});

export type RedeliveryResponse = z.output<typeof redeliveryResponseSchema>;

export type DeliveryListResponse = z.output<typeof deliveryListResponseSchema>;
