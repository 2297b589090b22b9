// Parameters and results of client calls.
import type { Job } from "./job.ts";
import type { Clock } from "./retry.ts";
import type { CallOptions, Fetch } from "./transport.ts";
import type { OpenSocket } from "./watch.ts";
import type {
  BatchRequest,
  CrawlRequest,
  Document,
  ExtractRequest,
  JobState,
  LlmsTxtRequest,
  MapRequest,
  ParseRequest,
  ScrapeRequest,
  SearchRequest,
} from "./wire.ts";

export type QuarryClientOptions = {
  /** URL of the server; may have a path prefix. */
  readonly apiUrl?: string | undefined;
  /** Without a key no Authorization header is sent. */
  readonly apiKey?: string | undefined;
  /** Replaces the global `fetch`, for a server in the same process or network settings. */
  readonly fetch?: Fetch | undefined;
  /**
   * Opens the WebSocket of a job's `watch()`. By default the runtime's own, or none if `fetch` is
   * replaced: a server in the same process has no address.
   */
  readonly openSocket?: OpenSocket | undefined;
  /**
   * Maximum milliseconds of a call with its retries; a scrape with its own `timeout` uses that
   * instead.
   */
  readonly timeoutMs?: number | undefined;
  /** Retries of a call that got 429, 502 or 503. */
  readonly retries?: number | undefined;
  /** Clock, for tests. */
  readonly clock?: Clock | undefined;
};

/** A scrape request without its URL. */
export type ScrapeParameters = Omit<ScrapeRequest, "url">;

/** A parse request without its file; options of pages are rejected. */
export type ParseParameters = Omit<
  ParseRequest,
  "actions" | "waitFor" | "scroll" | "mobile" | "location" | "minAge" | "lockdown" | "profile"
>;

/** A crawl request without its URL. */
export type CrawlParameters = Omit<CrawlRequest, "url">;

/** A batch request without its URLs. */
export type BatchParameters = Omit<BatchRequest, "urls">;

/** A map request without its URL. */
export type LlmsTxtParameters = Omit<LlmsTxtRequest, "url">;

export type MapParameters = Omit<MapRequest, "url">;

export type StartOptions = CallOptions & {
  /** A UUID that makes a repeat of the request fail with ConflictError. */
  readonly idempotencyKey?: string | undefined;
};

export type StartedBatch = {
  readonly job: Job;
  /** Skipped invalid URLs; empty when `ignoreInvalidURLs` is false. */
  readonly invalidUrls: readonly string[];
};

/** An ended job with all its documents. */
export type FinishedJob = JobState & { readonly documents: Document[] };

/** A search request without its query. */
export type SearchParameters = Omit<SearchRequest, "query">;

/** Fields to extract and options. Without `urls`, the pages are searched for. */
export type ExtractParameters = ExtractRequest;
