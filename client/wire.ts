// Every wire type the client speaks, taken from the contract as types only. The published declarations hold them written
// out in full (scripts/build-client.ts), so that the package needs no Zod even to be type-checked.
export type { Document } from "../src/contract/document.ts";
export type { Metadata } from "../src/contract/metadata.ts";
export type { ScrapeRequest } from "../src/contract/scrape.ts";

/** Dates are null where the account has no billing period, as on a server without limits. */
export type CreditUsage = {
  remainingCredits: number;
  planCredits: number;
  billingPeriodStart: string | null;
  billingPeriodEnd: string | null;
};

export type TokenUsage = {
  remainingTokens: number;
  planTokens: number;
  billingPeriodStart: string | null;
  billingPeriodEnd: string | null;
};

/** `byApiKey` divides each period by key; not together with `timeRange`. */
export type UsageHistoryQuery = { byApiKey?: boolean; timeRange?: "day" | "week" | "month" };

export type CreditPeriod = {
  startDate: string;
  endDate: string | null;
  apiKey?: string;
  creditsUsed: number;
};

export type TokenPeriod = {
  startDate: string;
  endDate: string | null;
  apiKey?: string;
  tokensUsed: number;
};

export type QueueStatus = {
  success: true;
  jobsInQueue: number;
  activeJobsInQueue: number;
  waitingJobsInQueue: number;
  maxConcurrency: number;
  mostRecentSuccess: string | null;
};

export type Concurrency = { success: true; concurrency: number; maxConcurrency: number };

export type ActivityQuery = { endpoint?: string; limit?: number; cursor?: string };

export type Activity = {
  success: true;
  data: {
    id: string;
    endpoint: string;
    api_version: string;
    created_at: string;
    target: string | null;
  }[];
  cursor: string | null;
  has_more: boolean;
};

export type Capabilities = { success: true } & Record<string, unknown>;

export type Health = { status: "ok" };
