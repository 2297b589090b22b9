// What calls of the client take, and what some of them bring.
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
  MapRequest,
  ParseRequest,
  ScrapeRequest,
  SearchRequest,
} from "./wire.ts";

export type QuarryClientOptions = {
  /** Address of the server, path prefix allowed. */
  readonly apiUrl?: string | undefined;
  /** Without a key no Authorization header is sent. */
  readonly apiKey?: string | undefined;
  /** Replaces the global `fetch`, for a server in the same process or for settings of the network. */
  readonly fetch?: Fetch | undefined;
  /**
   * Opens the WebSocket of a job's `watch()`. Without it the runtime's own is used, or none where `fetch` is replaced:
   * a server in the same process has no address to connect to.
   */
  readonly openSocket?: OpenSocket | undefined;
  /** Limit of a call in milliseconds, its repeats included; a scrape with its own `timeout` waits for that instead. */
  readonly timeoutMs?: number | undefined;
  /** How often a call that got 429, 502 or 503 is repeated. */
  readonly retries?: number | undefined;
  /** Time for tests. */
  readonly clock?: Clock | undefined;
};

/** Everything of a scrape request but its URL. */
export type ScrapeParameters = Omit<ScrapeRequest, "url">;

/** Everything of a parse request but its file; what only a page can have is refused. */
export type ParseParameters = Omit<
  ParseRequest,
  "actions" | "waitFor" | "mobile" | "location" | "minAge" | "lockdown" | "profile"
>;

/** Everything of a crawl request but its URL. */
export type CrawlParameters = Omit<CrawlRequest, "url">;

/** Everything of a batch request but its URLs. */
export type BatchParameters = Omit<BatchRequest, "urls">;

/** Everything of a map request but its URL. */
export type MapParameters = Omit<MapRequest, "url">;

export type StartOptions = CallOptions & {
  /** A UUID by which a repeat of the same request is refused with a ConflictError. */
  readonly idempotencyKey?: string | undefined;
};

export type StartedBatch = {
  readonly job: Job;
  /** What was left out, unless `ignoreInvalidURLs` is false. */
  readonly invalidUrls: readonly string[];
};

/** A job that has ended, with all its documents. */
export type FinishedJob = JobState & { readonly documents: Document[] };

/** Everything of a search request but its query. */
export type SearchParameters = Omit<SearchRequest, "query">;

/** What is extracted and how; without `urls` the pages are searched for. */
export type ExtractParameters = ExtractRequest;
