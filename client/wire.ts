// Every wire type the client speaks, taken from the contract as types only. The published declarations hold them written
// out in full (scripts/build-client.ts), so that the package needs no Zod even to be type-checked.
import type { z } from "zod";
import type { CapabilitiesResponse } from "../src/contract/capabilities.ts";
import type {
  activityResponseSchema,
  concurrencyResponseSchema,
  creditHistoryResponseSchema,
  creditUsageResponseSchema,
  queueStatusResponseSchema,
  tokenHistoryResponseSchema,
  tokenUsageResponseSchema,
} from "../src/contract/team.ts";

export type { Document } from "../src/contract/document.ts";
export type { Metadata } from "../src/contract/metadata.ts";
export type { ScrapeRequest } from "../src/contract/scrape.ts";

/** Dates are null where the account has no billing period, as on a server without limits. */
export type CreditUsage = z.output<typeof creditUsageResponseSchema>["data"];

/** Dates are null where the account has no billing period, as on a server without limits. */
export type TokenUsage = z.output<typeof tokenUsageResponseSchema>["data"];

/** `byApiKey` divides each period by key; not together with `timeRange`. */
export type UsageHistoryQuery = {
  byApiKey?: boolean | undefined;
  timeRange?: "day" | "week" | "month" | undefined;
};

export type CreditPeriod = z.output<typeof creditHistoryResponseSchema>["periods"][number];

export type TokenPeriod = z.output<typeof tokenHistoryResponseSchema>["periods"][number];

/** `jobsInQueue` is the sum of the active and the waiting. */
export type QueueStatus = z.output<typeof queueStatusResponseSchema>;

export type Concurrency = z.output<typeof concurrencyResponseSchema>;

/** `limit` is 1 to 100; `cursor` comes from the page before. */
export type ActivityQuery = {
  endpoint?: Activity["data"][number]["endpoint"] | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type Activity = z.output<typeof activityResponseSchema>;

/** What is not available has a `reason`. */
export type Capabilities = CapabilitiesResponse;

export type Health = { status: "ok" };
