// The SDK: one method per endpoint. Works wherever there are fetch, AbortSignal and URL: Node, Bun,
// Deno, browsers.
import { Admin } from "./admin.ts";
import { Agents } from "./agents.ts";
import { Changes } from "./changes.ts";
import { Extractors } from "./extractors.ts";
import { Monitors } from "./monitors.ts";
import { finishExtraction } from "./finish-extraction.ts";
import { finishJob } from "./finish-job.ts";
import { type FollowOptions, Job } from "./job.ts";
import { encodeJobQuery } from "./job-list.ts";
import { createJobLink, buildKeyHeader } from "./job-link.ts";
import { LivePage } from "./live-page.ts";
import { encodeUpload, type UploadedFile } from "./multipart.ts";
import type {
  BatchParameters,
  CrawlParameters,
  ExtractParameters,
  FinishedJob,
  LlmsTxtParameters,
  MapParameters,
  ParseParameters,
  QuarryClientOptions,
  ScrapeParameters,
  SearchParameters,
  StartedBatch,
  StartOptions,
} from "./parameters.ts";
import { DEFAULT_RETRY_POLICY, systemClock } from "./retry.ts";
import { BrowserSession } from "./session.ts";
import { computeSearchTimeoutMs, withScrapeTime } from "./timeouts.ts";
import {
  type Call,
  type CallOptions,
  type ClientCall,
  type Connection,
  parseApiKey,
  parseApiUrl,
  type ReadOptions,
  send,
  sendForText,
} from "./transport.ts";
import { ORIGIN } from "./version.ts";
import { watchJobs } from "./watch-jobs.ts";
import { findSocketOpener, type OpenSocket } from "./watch.ts";
import type {
  ActiveCrawl,
  Activity,
  ActivityQuery,
  AgentEvents,
  BatchStart,
  Capabilities,
  Concurrency,
  CrawlPreview,
  CreditPeriod,
  CreditUsage,
  LlmsTxt,
  LlmsTxtQuery,
  Document,
  Execution,
  Extraction,
  Health,
  InteractParameters,
  JobEvent,
  JobList,
  WebhookEventList,
  JobListQuery,
  ListedJob,
  MapReply,
  QueueStatus,
  JobRequest,
  RetriedJob,
  RetryParameters,
  SearchReply,
  SavedProfile,
  SessionAddresses,
  SessionEnd,
  SessionRequest,
  SessionState,
  StoredRequest,
  TokenPeriod,
  TokenUsage,
  UsageHistoryQuery,
  UsagePeriod,
  UsagePeriodsQuery,
} from "./wire.ts";

export type * from "./parameters.ts";

const DEFAULT_API_URL = "http://127.0.0.1:3002";
const DEFAULT_TIMEOUT_MS = 300_000;

export class QuarryClient {
  readonly #connection: Connection;
  readonly #openSocket: OpenSocket | undefined;
  readonly #timeoutMs: number;
  /** Accounts, keys, settings and checks of the server; needs a key with the scope admin. */
  readonly admin: Admin;
  /** Data over many pages from a prompt. */
  readonly agents: Agents;
  /** Histories of pages that were scraped with changeTracking. */
  readonly changes: Changes;
  /** Extractors, learned once and run on any page of the template. */
  readonly extractors: Extractors;
  /** Pages checked on a schedule. */
  readonly monitors: Monitors;

  /**
   * Opens nothing, so there is nothing to close. Throws TypeError for an invalid `apiUrl` or
   * `apiKey`.
   */
  constructor(options: QuarryClientOptions = {}) {
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#openSocket =
      options.openSocket ?? (options.fetch === undefined ? findSocketOpener() : undefined);
    this.#connection = {
      baseUrl: parseApiUrl(options.apiUrl ?? DEFAULT_API_URL),
      apiKey: parseApiKey(options.apiKey),
      // Called through the global object, because a browser's fetch cannot be a method of another
      // one.
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      policy: {
        ...DEFAULT_RETRY_POLICY,
        retries: options.retries ?? DEFAULT_RETRY_POLICY.retries,
      },
      clock: options.clock ?? systemClock,
    };
    const call = (request: ClientCall, calling: CallOptions): Promise<Record<string, unknown>> =>
      this.#call(request, calling);
    this.admin = new Admin(call);
    this.agents = new Agents({ call, clock: this.#connection.clock, origin: ORIGIN });
    this.monitors = new Monitors({ call, origin: ORIGIN });
    this.changes = new Changes(call);
    this.extractors = new Extractors({ call, origin: ORIGIN });
  }

  /**
   * Converts one page to the requested formats, by default Markdown. A page that answers 404 or 500
   * is a document too: see its `metadata.statusCode`. Throws when the page could not be fetched,
   * also with HTTP status 200 (SCRAPE_DNS_RESOLUTION_ERROR).
   */
  async scrape(
    url: string,
    parameters: ScrapeParameters = {},
    options: ReadOptions = {},
  ): Promise<Document> {
    const body = { origin: ORIGIN, ...parameters, url };
    const { onProgress } = options;
    const call = { method: "POST", path: "/v2/scrape", body, onProgress } as const;
    return (await this.#call(call, withScrapeTime(options, parameters)))["data"] as Document;
  }

  /**
   * Converts a file to the requested formats. A timeout in the parameters is the server's; the call
   * waits slightly longer.
   */
  async parse(
    file: UploadedFile,
    parameters: ParseParameters = {},
    options: ReadOptions = {},
  ): Promise<Document> {
    const form = encodeUpload(file, { origin: ORIGIN, ...parameters });
    const { onProgress } = options;
    const call = { method: "POST", path: "/v2/parse", form, onProgress } as const;
    return (await this.#call(call, withScrapeTime(options, parameters)))["data"] as Document;
  }

  /**
   * Returns the document of an earlier scrape by its `metadata.scrapeId`. NotFoundError when it was
   * not stored or has expired.
   */
  async scrapeResult(id: string, options: CallOptions = {}): Promise<Document> {
    const path = `/v2/scrape/${encodeURIComponent(id)}`;
    return (await this.#get(path, options))["data"] as Document;
  }

  /**
   * Returns the request of an earlier scrape: its options with defaults filled in, and the names of
   * its headers; `omitted` names typed text and scripts that are left out.
   */
  async scrapeRequest(id: string, options: CallOptions = {}): Promise<StoredRequest> {
    return (await this.#get(
      `/v2/scrape/${encodeURIComponent(id)}/request`,
      options,
    )) as StoredRequest;
  }

  /** Starts a crawl and returns at once. */
  async startCrawl(
    url: string,
    parameters: CrawlParameters = {},
    options: StartOptions = {},
  ): Promise<Job> {
    const body = { origin: ORIGIN, ...parameters, url };
    const headers = buildKeyHeader(options.idempotencyKey);
    const answer = await this.#call({ method: "POST", path: "/v2/crawl", body, headers }, options);
    return this.crawlJob(answer["id"] as string);
  }

  /**
   * Crawls a site and waits for the end. For many pages prefer `startCrawl` and the job's
   * `documents()`.
   */
  async crawl(
    url: string,
    parameters: CrawlParameters = {},
    options: StartOptions = {},
  ): Promise<FinishedJob> {
    return await finishJob(await this.startCrawl(url, parameters, options), options);
  }

  /**
   * Starts the crawl that llms.txt of a site is built from, and returns its id. `llmsTxt` reads the
   * files.
   */
  async startLlmsTxt(
    url: string,
    parameters: LlmsTxtParameters = {},
    options: CallOptions = {},
  ): Promise<string> {
    const body = { origin: ORIGIN, ...parameters, url };
    const answer = await this.#call({ method: "POST", path: "/v2/llmstxt", body }, options);
    return answer["id"] as string;
  }

  /**
   * Reads llms.txt of a crawl; while that runs, `status` is `processing` and the files are empty.
   */
  async llmsTxt(
    id: string,
    { maxTokens, maxCharacters, full }: LlmsTxtQuery = {},
    options: CallOptions = {},
  ): Promise<LlmsTxt> {
    const query = { maxTokens, maxCharacters, full: full === undefined ? undefined : String(full) };
    return (await this.#get(`/v2/llmstxt/${encodeURIComponent(id)}`, options, query)) as LlmsTxt;
  }

  /**
   * Previews how a crawl's `prompt` is interpreted; `warning` and the result list the parts that
   * were not understood.
   */
  async previewCrawl(
    url: string,
    prompt: string,
    options: CallOptions = {},
  ): Promise<CrawlPreview> {
    const body = { origin: ORIGIN, url, prompt };
    return (await this.#call(
      { method: "POST", path: "/v2/crawl/params-preview", body },
      options,
    )) as CrawlPreview;
  }

  /**
   * Lists jobs of all kinds, newest first, in pages: pass `cursor` back until it is null. Totals
   * come with the first page.
   */
  async listJobs(query: JobListQuery = {}, options: CallOptions = {}): Promise<JobList> {
    return (await this.#get("/v2/jobs", options, encodeJobQuery(query))) as JobList;
  }

  /** Cancels a job of the list, of any kind. An ended job stays unchanged. */
  async cancelJob({ path }: Pick<ListedJob, "path">, options: CallOptions = {}): Promise<void> {
    await this.#call({ method: "DELETE", path }, options);
  }

  /**
   * Starts again what failed in a job of the list: the failed pages of a crawl or batch as a batch, a
   * crawl without pages, extraction or agent run as a whole. ConflictError when nothing failed.
   */
  async retryJob(
    { path }: Pick<ListedJob, "path">,
    parameters: RetryParameters = {},
    options: CallOptions = {},
  ): Promise<RetriedJob> {
    const body = { origin: ORIGIN, ...parameters };
    const call = { method: "POST", path: `${path}/retry`, body } as const;
    return (await this.#call(call, options)) as RetriedJob;
  }

  /**
   * Returns the request that started a job of the list, without its secrets; `omitted` names them.
   * NotFoundError with zero data retention, ConflictError while a large batch is being stored.
   */
  async jobRequest(
    { path }: Pick<ListedJob, "path">,
    options: CallOptions = {},
  ): Promise<JobRequest> {
    return (await this.#get(`${path}/request`, options)) as JobRequest;
  }

  /** Lists the webhook events of a job of the list, and how their delivery goes. */
  async listWebhookEvents(
    { path }: Pick<ListedJob, "path">,
    paging: { readonly skip?: number; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<WebhookEventList> {
    return (await this.#get(`${path}/webhooks`, options, paging)) as WebhookEventList;
  }

  /** Sends a webhook event again, with the same id, whether it was delivered or failed. */
  async redeliverWebhookEvent(
    { path }: Pick<ListedJob, "path">,
    webhookId: string,
    options: CallOptions = {},
  ): Promise<void> {
    await this.#call(
      { method: "POST", path: `${path}/webhooks/${encodeURIComponent(webhookId)}` },
      options,
    );
  }

  /** Yields changes of all jobs, starting with a snapshot; reconnects when the connection ends. */
  watchJobs(options: CallOptions = {}): AsyncGenerator<JobEvent> {
    return watchJobs(this.#connection, options);
  }

  /** Returns an existing crawl; makes no call. */
  crawlJob(id: string): Job {
    return this.#job("/v2/crawl", id);
  }

  /** Returns running crawls. */
  async activeCrawls(options: CallOptions = {}): Promise<ActiveCrawl[]> {
    return (await this.#get("/v2/crawl/active", options))["crawls"] as ActiveCrawl[];
  }

  /** Starts to scrape a list of URLs, or appends them to the batch that `appendToId` names. */
  async startBatch(
    urls: readonly string[],
    parameters: BatchParameters = {},
    options: StartOptions = {},
  ): Promise<StartedBatch> {
    const body = { origin: ORIGIN, ...parameters, urls };
    const headers = buildKeyHeader(options.idempotencyKey);
    const path = "/v2/batch/scrape";
    const answer = (await this.#call(
      { method: "POST", path, body, headers },
      options,
    )) as unknown as BatchStart;
    return { job: this.batchJob(answer.id), invalidUrls: answer.invalidURLs ?? [] };
  }

  /** Scrapes a list of URLs and waits for the end. */
  async batch(
    urls: readonly string[],
    parameters: BatchParameters = {},
    options: StartOptions = {},
  ): Promise<FinishedJob> {
    const { job } = await this.startBatch(urls, parameters, options);
    return await finishJob(job, options);
  }

  /** Returns an existing batch; makes no call. */
  batchJob(id: string): Job {
    return this.#job("/v2/batch/scrape", id);
  }

  /** Returns the URLs of a site. */
  async map(
    url: string,
    parameters: MapParameters = {},
    options: CallOptions = {},
  ): Promise<MapReply> {
    const body = { origin: ORIGIN, ...parameters, url };
    return (await this.#call({ method: "POST", path: "/v2/map", body }, options)) as MapReply;
  }

  /**
   * Searches the pages the server has scraped, or the web if it has a search provider; scrapes the
   * results if `scrapeOptions.formats` names formats.
   */
  async search(
    query: string,
    parameters: SearchParameters = {},
    options: CallOptions = {},
  ): Promise<SearchReply> {
    const body = { origin: ORIGIN, ...parameters, query };
    const timeoutMs = options.timeoutMs ?? computeSearchTimeoutMs(parameters.timeout);
    const call = { ...options, timeoutMs };
    return (await this.#call({ method: "POST", path: "/v2/search", body }, call)) as SearchReply;
  }

  /** Starts to extract data from several pages; returns the id for `extraction`. */
  async startExtract(parameters: ExtractParameters, options: CallOptions = {}): Promise<string> {
    const body = { origin: ORIGIN, ...parameters };
    return (await this.#call({ method: "POST", path: "/v2/extract", body }, options))[
      "id"
    ] as string;
  }

  /** Returns the state of an extraction, and its data once `status` is completed. */
  async extraction(id: string, options: CallOptions = {}): Promise<Extraction> {
    const path = `/v2/extract/${encodeURIComponent(id)}`;
    return (await this.#get(path, options)) as Extraction;
  }

  /**
   * Extracts data from several pages and waits for the end; a failed one has `status` failed and an
   * `error`.
   */
  async extract(parameters: ExtractParameters, options: FollowOptions = {}): Promise<Extraction> {
    const id = await this.startExtract(parameters, options);
    const { clock } = this.#connection;
    return await finishExtraction(() => this.extraction(id, options), clock, options);
  }

  /** Credits left and granted in the running billing period. */
  async creditUsage(options: CallOptions = {}): Promise<CreditUsage> {
    return (await this.#get("/v2/team/credit-usage", options))["data"] as CreditUsage;
  }

  /** Model tokens left and granted in the running billing period. */
  async tokenUsage(options: CallOptions = {}): Promise<TokenUsage> {
    return (await this.#get("/v2/team/token-usage", options))["data"] as TokenUsage;
  }

  /** Credits used per period, oldest first. */
  async creditUsageHistory(
    query: UsageHistoryQuery = {},
    options: CallOptions = {},
  ): Promise<CreditPeriod[]> {
    const path = "/v2/team/credit-usage/historical";
    return (await this.#get(path, options, query))["periods"] as CreditPeriod[];
  }

  /** Tokens used per period, oldest first. */
  async tokenUsageHistory(
    query: UsageHistoryQuery = {},
    options: CallOptions = {},
  ): Promise<TokenPeriod[]> {
    const path = "/v2/team/token-usage/historical";
    return (await this.#get(path, options, query))["periods"] as TokenPeriod[];
  }

  /** Credits and pages by hour, day, week or month, also for each key; oldest first. */
  async usage(query: UsagePeriodsQuery = {}, options: CallOptions = {}): Promise<UsagePeriod[]> {
    return (await this.#get("/v2/team/usage", options, query))["periods"] as UsagePeriod[];
  }

  /** Returns running and waiting jobs. */
  async queueStatus(options: CallOptions = {}): Promise<QueueStatus> {
    return (await this.#get("/v2/team/queue-status", options)) as QueueStatus;
  }

  /** Returns the running requests and their limit. */
  async concurrency(options: CallOptions = {}): Promise<Concurrency> {
    return (await this.#get("/v2/concurrency-check", options)) as Concurrency;
  }

  /**
   * Returns calls of the last 24 hours, newest first, in pages: pass `cursor` back while `has_more`
   * is true.
   */
  async activity(query: ActivityQuery = {}, options: CallOptions = {}): Promise<Activity> {
    return (await this.#get("/v2/team/activity", options, query)) as Activity;
  }

  /**
   * Runs code or a prompt in the live page of an earlier scrape, which stays open until
   * `endInteract` or its timeout.
   */
  async interact(
    scrapeId: string,
    task: string | { readonly prompt: string },
    parameters: InteractParameters = {},
    options: CallOptions = {},
  ): Promise<Execution> {
    return await this.#livePage(scrapeId).work(task, { origin: ORIGIN, ...parameters }, options);
  }

  /** Returns the events of prompts in the live page of a scrape, also while they run. */
  async interactTrace(scrapeId: string, options: CallOptions = {}): Promise<AgentEvents> {
    return await this.#livePage(scrapeId).trace(options);
  }

  /** Ends the live page of a scrape and saves its profile. */
  async endInteract(scrapeId: string, options: CallOptions = {}): Promise<SessionEnd> {
    return await this.#livePage(scrapeId).end(options);
  }

  /** Opens a browser session; the caller ends it. */
  async openSession(
    parameters: SessionRequest = {},
    options: CallOptions = {},
  ): Promise<BrowserSession> {
    const body = { origin: ORIGIN, ...parameters };
    const answer = await this.#call({ method: "POST", path: "/v2/browser", body }, options);
    return this.session(answer["id"] as string, answer as SessionAddresses);
  }

  /** Returns an existing browser session; makes no call. */
  session(id: string, addresses?: SessionAddresses): BrowserSession {
    return new BrowserSession(id, (call, options) => this.#call(call, options), addresses);
  }

  /** Browser sessions of the account, newest first. */
  async sessions(
    status?: "active" | "destroyed",
    options: CallOptions = {},
  ): Promise<SessionState[]> {
    return (await this.#get("/v2/browser", options, { status }))["sessions"] as SessionState[];
  }

  /** Saved browser profiles of the account, by name. */
  async profiles(options: CallOptions = {}): Promise<SavedProfile[]> {
    return (await this.#get("/v2/browser/profiles", options))["profiles"] as SavedProfile[];
  }

  async deleteProfile(name: string, options: CallOptions = {}): Promise<void> {
    const path = `/v2/browser/profiles/${encodeURIComponent(name)}`;
    await this.#call({ method: "DELETE", path }, options);
  }

  /** Returns the capabilities of this server, with reasons for missing ones. */
  async capabilities(options: CallOptions = {}): Promise<Capabilities> {
    return (await this.#get("/v2/capabilities", options)) as Capabilities;
  }

  /** Resolves when the server and its dependencies are ready; throws at once when they are not. */
  async health(options: CallOptions = {}): Promise<Health> {
    return (await this.#call(
      { method: "GET", path: "/v0/health/readiness", retries: 0 },
      options,
    )) as Health;
  }

  /** Counters, gauges and timings of the server in the Prometheus text format. */
  async metrics({ signal, timeoutMs = this.#timeoutMs }: CallOptions = {}): Promise<string> {
    const call = { method: "GET", path: "/metrics", signal, timeoutMs } as const;
    let text = "";
    for await (const part of sendForText(this.#connection, call)) text += part;
    return text;
  }

  #livePage(scrapeId: string): LivePage {
    return new LivePage(scrapeId, (call, options) => this.#call(call, options));
  }

  #job(path: string, id: string): Job {
    const base = `${path}/${encodeURIComponent(id)}`;
    const link = createJobLink(base, this.#connection, {
      call: (call, options) => this.#call(call, options),
      timeoutMs: this.#timeoutMs,
      openSocket: this.#openSocket,
    });
    return new Job(id, link, this.#connection.clock);
  }

  #get(
    path: string,
    options: CallOptions,
    query?: NonNullable<Call["query"]>,
  ): Promise<Record<string, unknown>> {
    return this.#call({ method: "GET", path, ...(query && { query }) }, options);
  }

  #call(request: ClientCall, options: CallOptions): Promise<Record<string, unknown>> {
    const { retries = this.#connection.policy.retries, ...call } = request;
    return send(
      { ...this.#connection, policy: { ...this.#connection.policy, retries } },
      { ...call, timeoutMs: options.timeoutMs ?? this.#timeoutMs, signal: options.signal },
    );
  }
}
