// All wire types of the client, imported from the contract as types only. The published
// declarations contain them in full (scripts/build-client.ts), so the package needs no Zod even for
// type checks.
import type { z } from "zod";
import type {
  accountLimitsSchema,
  accountSchema,
  diagnosisSchema,
  egressExplanationSchema,
  garbageReportSchema,
  keyLimitsSchema,
  keySchema,
  loadHistorySchema,
  newAccountSchema,
  newKeyResponseSchema,
  newKeySchema,
  settingSchema,
} from "../src/contract/account/admin.ts";
import type { agentListResponseSchema, AgentStatusResponse } from "../src/contract/jobs/agent.ts";
import type { AgentEvent } from "../src/contract/jobs/agent-trace.ts";
import type {
  historyDiffResponseSchema,
  historyListResponseSchema,
  historyResponseSchema,
  historyVersionResponseSchema,
} from "../src/contract/page/change-history.ts";
import type { batchStartResponseSchema } from "../src/contract/jobs/batch.ts";
import type { CapabilitiesResponse } from "../src/contract/account/capabilities.ts";
import type {
  activeCrawlsResponseSchema,
  jobErrorsResponseSchema,
  JobStatusResponse,
} from "../src/contract/jobs/crawl.ts";
import type { DeliveryListResponse } from "../src/contract/jobs/delivery.ts";
import type { crawlPreviewResponseSchema } from "../src/contract/jobs/crawl-preview.ts";
import type { ledgerEntrySchema, ledgerResponseSchema } from "../src/contract/jobs/ledger.ts";
import type {
  changeExtractorRequestSchema,
  createExtractorRequestSchema,
  ExtractorBody,
  extractorListResponseSchema,
  runExtractorRequestSchema,
  runExtractorResponseSchema,
  testExtractorRequestSchema,
  testExtractorResponseSchema,
} from "../src/contract/extractors/extractor.ts";
import type {
  browserRequestSchema,
  browserSessionResponseSchema,
  profileListResponseSchema,
} from "../src/contract/session/browser.ts";
import type {
  interactRequestSchema,
  interactResponseSchema,
  sessionEndResponseSchema,
} from "../src/contract/session/interact.ts";
import type {
  monitorDryRunSchema,
  monitorRequestSchema,
  monitorUpdateRequestSchema,
} from "../src/contract/jobs/monitor.ts";
import type {
  checkResponseSchema,
  monitorCheckSchema,
  monitorDeliveriesResponseSchema,
  monitorDryRunResponseSchema,
  monitorEstimateResponseSchema,
  monitorPageSchema,
  monitorSchema,
  monitorTestResponseSchema,
} from "../src/contract/jobs/monitor-report.ts";
import type { extractStatusResponseSchema } from "../src/contract/jobs/extract.ts";
import type { jobEventSchema, jobListResponseSchema } from "../src/contract/jobs/job-list.ts";
import type { buildPageRetrySchema, retryResponseSchema } from "../src/contract/jobs/retry.ts";
import type { LlmsTxtResponse } from "../src/contract/jobs/llms-txt.ts";
import type { JobRequestResponse } from "../src/contract/jobs/job-request.ts";
import type { StoredRequestResponse } from "../src/contract/page/stored-request.ts";
import type { MapResponse } from "../src/contract/page/map.ts";
import type { SearchResponse } from "../src/contract/page/search.ts";
import type {
  activityResponseSchema,
  concurrencyResponseSchema,
  creditHistoryResponseSchema,
  creditUsageResponseSchema,
  queueStatusResponseSchema,
  tokenHistoryResponseSchema,
  tokenUsageResponseSchema,
  usageResponseSchema,
} from "../src/contract/account/team.ts";

export type { AgentRequest } from "../src/contract/jobs/agent.ts";
export type { BatchRequest } from "../src/contract/jobs/batch.ts";
export type { CrawlRequest } from "../src/contract/jobs/crawl.ts";
export type { Document } from "../src/contract/page/document.ts";
export type { ExtractRequest } from "../src/contract/jobs/extract.ts";
export type { Fate, LedgerState } from "../src/contract/jobs/ledger.ts";
export type { LlmsTxtRequest } from "../src/contract/jobs/llms-txt.ts";
export type { MapRequest } from "../src/contract/page/map.ts";
export type { Metadata } from "../src/contract/page/metadata.ts";
export type { ParseRequest } from "../src/contract/page/parse.ts";
/** Progress of reading a long file. A page recognized by OCR counts as done when its text is. */
export type { ReadingProgress } from "../src/contract/page/progress.ts";
export type { ScrapeRequest } from "../src/contract/page/scrape.ts";
export type { SearchRequest } from "../src/contract/page/search.ts";

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

/** `since` is ISO 8601 or milliseconds since 1970; by default 31 periods are listed. */
export type UsagePeriodsQuery = {
  unit?: "hour" | "day" | "week" | "month" | undefined;
  byApiKey?: boolean | undefined;
  since?: string | number | undefined;
};

export type UsagePeriod = z.output<typeof usageResponseSchema>["periods"][number];

/** `jobsInQueue` is the sum of the active and the waiting. */
export type QueueStatus = z.output<typeof queueStatusResponseSchema>;

export type Concurrency = z.output<typeof concurrencyResponseSchema>;

/**
 * `maxTokens` limits llms.txt, `maxCharacters` llms-full.txt; `full: false` leaves the latter out.
 */
export type LlmsTxtQuery = {
  maxTokens?: number | undefined;
  maxCharacters?: number | undefined;
  full?: boolean | undefined;
};

export type LlmsTxt = LlmsTxtResponse;

/** `limit` is 1 to 100; `cursor` comes from the page before. */
export type ActivityQuery = {
  endpoint?: Activity["data"][number]["endpoint"] | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

export type Activity = z.output<typeof activityResponseSchema>;

/** Capabilities of the server; an unavailable one has a `reason`. */
export type Capabilities = CapabilitiesResponse;

export type Health = { status: "ok" };

/** State and one page of results of a crawl or batch. */
export type JobStatus = JobStatusResponse;

/** The state of a crawl or batch, without results. */
export type JobState = {
  [K in keyof JobStatusResponse as K extends "data" | "next" ? never : K]: JobStatusResponse[K];
};

export type JobErrors = z.output<typeof jobErrorsResponseSchema>;

export type ActiveCrawl = z.output<typeof activeCrawlsResponseSchema>["crawls"][number];

export type BatchStart = z.output<typeof batchStartResponseSchema>;

/** `limit` is 1 to 1000 documents. */
export type ResultsQuery = { skip?: number | undefined; limit?: number | undefined };

export type StoredRequest = StoredRequestResponse;

export type JobRequest = JobRequestResponse;

/** `fate` selects the URLs with that fate. */
export type LedgerQuery = {
  skip?: number | undefined;
  limit?: number | undefined;
  fate?: LedgerEntry["fate"] | undefined;
};

export type Ledger = z.output<typeof ledgerResponseSchema>;

export type LedgerEntry = z.output<typeof ledgerEntrySchema>;

/**
 * Times are ISO 8601 or milliseconds since 1970; `cursor` comes from the page before; `limit` is 1
 * to 100.
 */
export type JobListQuery = {
  kind?: ListedJob["kind"] | readonly ListedJob["kind"][] | undefined;
  state?: ListedJob["state"] | undefined;
  /** Host of the job's URL, or a domain above it. */
  host?: string | undefined;
  /** Part of the job's URL or prompt. */
  text?: string | undefined;
  /** Name or id of the key that started the job. */
  key?: string | undefined;
  since?: string | number | undefined;
  until?: string | number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
};

/** A page of the webhook events of a job. */
export type WebhookEventList = DeliveryListResponse;

/** `headers` are required when the job sent any: they are not kept after its end. */
export type RetryParameters = z.input<ReturnType<typeof buildPageRetrySchema>>;

/** The new job. `urls` is the number of pages that are scraped again. */
export type RetriedJob = z.output<typeof retryResponseSchema>;

export type JobList = z.output<typeof jobListResponseSchema>;

/** A snapshot comes first, and again after each new connection. */
export type JobEvent = z.output<typeof jobEventSchema>;

export type ListedJob = JobList["jobs"][number];

/** `data` holds the crawl options that the prompt was translated to. */
export type CrawlPreview = z.output<typeof crawlPreviewResponseSchema>;

export type MapReply = MapResponse;

/** `data` has a list for each requested source. */
export type SearchReply = SearchResponse;

export type Extraction = z.output<typeof extractStatusResponseSchema>;

/** `data` when it is completed; data found before a run failed or was stopped is in `partial`. */
export type AgentState = AgentStatusResponse;

export type AgentEvents = AgentEvent[];

export type AgentList = z.output<typeof agentListResponseSchema>;

/** All fields of an interact request except its code. */
export type InteractParameters = Omit<z.input<typeof interactRequestSchema>, "code" | "prompt">;

/** Result of running code. `result` is the last expression's value as text. */
export type Execution = z.output<typeof interactResponseSchema>;

export type SessionRequest = z.input<typeof browserRequestSchema>;

export type SessionState = z.output<typeof browserSessionResponseSchema>;

export type SessionEnd = z.output<typeof sessionEndResponseSchema>;

export type PageHistoryList = z.output<typeof historyListResponseSchema>;

export type PageVersions = z.output<typeof historyResponseSchema>;

export type PageVersionText = z.output<typeof historyVersionResponseSchema>;

/** `from` and `to` are ids of versions; by default the two newest. */
export type PageDiffQuery = { from?: string; to?: string; ignoreNoise?: boolean };

export type PageDiff = z.output<typeof historyDiffResponseSchema>;

/** A saved browser profile. */
export type SavedProfile = z.output<typeof profileListResponseSchema>["profiles"][number];

export type SessionAddresses = {
  cdpUrl: string;
  liveViewUrl: string;
  interactiveLiveViewUrl: string;
};

/** The program of an extractor; docs/extractors.md describes its fields. */
export type ExtractorProgram = {
  version: 1;
  records?: { path: string; until?: "next" | undefined; nested?: true | undefined } | undefined;
  fields: Record<string, unknown>;
  template?: { fingerprint: string[] } | undefined;
};
type WithProgram<Body> = Omit<Body, "program"> & { program?: ExtractorProgram | undefined };

/** A stored extractor with its program and its health. */
export type Extractor = Pick<
  ExtractorBody,
  | "id"
  | "name"
  | "version"
  | "state"
  | "source"
  | "createdAt"
  | "updatedAt"
  | "schema"
  | "examples"
  | "relearn"
  | "problems"
  | "health"
> & { program: ExtractorProgram };
export type ExtractorRequest = WithProgram<z.input<typeof createExtractorRequestSchema>>;
export type ExtractorChange = WithProgram<z.input<typeof changeExtractorRequestSchema>>;
export type ExtractorRunRequest = z.input<typeof runExtractorRequestSchema>;
export type ExtractorTestRequest = z.input<typeof testExtractorRequestSchema>;
/** `warning` names fields that were not learned. */
export type ExtractorReply = {
  success: true;
  data: Extractor;
  creditsUsed?: number | undefined;
  warning?: string | undefined;
};
export type ExtractorList = z.output<typeof extractorListResponseSchema>;
/** One entry per URL, in their order; `error` where a page could not be fetched. */
export type ExtractorRun = z.output<typeof runExtractorResponseSchema>;
export type ExtractorTest = z.output<typeof testExtractorResponseSchema>;

export type MonitorRequest = z.input<typeof monitorRequestSchema>;
export type MonitorChange = z.input<typeof monitorUpdateRequestSchema>;
export type MonitorDryRunRequest = NonNullable<z.input<typeof monitorDryRunSchema>>;
export type Monitor = z.output<typeof monitorSchema>;
export type MonitorCheck = z.output<typeof monitorCheckSchema>;
export type MonitorPage = z.output<typeof monitorPageSchema>;
export type MonitorCheckWithPages = z.output<typeof checkResponseSchema>["data"];
export type MonitorEstimate = z.output<typeof monitorEstimateResponseSchema>["data"];
export type MonitorDelivery = z.output<typeof monitorDeliveriesResponseSchema>["data"][number];
export type MonitorDryRun = z.output<typeof monitorDryRunResponseSchema>["data"][number];
export type MonitorTestResult = z.output<typeof monitorTestResponseSchema>["data"][number];

export type AccountInfo = z.output<typeof accountSchema>;
export type NewAccount = z.input<typeof newAccountSchema>;
/** null removes a limit; missing ones stay. */
export type AccountChange = z.input<typeof accountLimitsSchema>;
/** A key without the key itself. */
export type KeyInfo = z.output<typeof keySchema>;
export type NewKey = z.input<typeof newKeySchema>;
/** null removes a limit; missing ones stay. */
export type KeyChange = z.input<typeof keyLimitsSchema>;
export type CreatedKey = z.output<typeof newKeyResponseSchema>;
export type Setting = z.output<typeof settingSchema>;
export type Diagnosis = z.output<typeof diagnosisSchema>;
export type EgressExplanation = z.output<typeof egressExplanationSchema>;
export type LoadHistory = z.output<typeof loadHistorySchema>;
export type GarbageReport = z.output<typeof garbageReportSchema>;
