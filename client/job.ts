// A running or ended crawl or batch, by its id.
import type { Clock } from "./retry.ts";
import type { CallOptions } from "./transport.ts";
import type {
  Document,
  JobErrors,
  JobState,
  JobStatus,
  Ledger,
  LedgerEntry,
  LedgerQuery,
  ResultsQuery,
} from "./wire.ts";
import { type JobUpdate, type Socket, watchSocket } from "./watch.ts";

type Query = Readonly<Record<string, string | number | undefined>>;

/** Access to a job's URL; `path` is below it. */
export type JobLink = {
  call(
    method: "GET" | "DELETE",
    path: string,
    query: Query,
    options: CallOptions,
  ): Promise<Record<string, unknown>>;
  /** An answer as a text stream in chunks. */
  text(path: string, query: Query, options: CallOptions): AsyncGenerator<string>;
  /** An answer as bytes in chunks. */
  bytes(path: string, query: Query, options: CallOptions): AsyncGenerator<Uint8Array>;
  /** Undefined without WebSocket support. */
  openSocket(): Socket | undefined;
};

export type FollowOptions = CallOptions & {
  /** Continue until the job has ended; false stops at the current end. Default true. */
  readonly follow?: boolean | undefined;
  /** Documents to skip. */
  readonly skip?: number | undefined;
  /** Documents per call, 1 to 1000. */
  readonly pageSize?: number | undefined;
};

export type WatchOptions = CallOptions & {
  /** False reads page by page, so that a slow reader delays the documents. Default true. */
  readonly useSocket?: boolean | undefined;
};

/**
 * Past any result: such a read returns the state, and the server holds it while nothing happens.
 */
const SKIP_ALL_RESULTS = 1_000_000_000;
const POLL_MS = 1_000;

export class Job {
  readonly id: string;
  readonly #link: JobLink;
  readonly #clock: Clock;

  constructor(id: string, link: JobLink, clock: Clock) {
    this.id = id;
    this.#link = link;
    this.#clock = clock;
  }

  /**
   * Returns the state and one page of results; `next` is absent on the last page of an ended job.
   */
  async status(query: ResultsQuery = {}, options: CallOptions = {}): Promise<JobStatus> {
    return (await this.#link.call("GET", "", query, options)) as JobStatus;
  }

  /**
   * Yields the results page by page with the state at that time until the job has ended. Every page
   * is read once: a poll requests only what follows the last document.
   */
  async *pages(options: FollowOptions = {}): AsyncGenerator<JobStatus> {
    const { follow = true, pageSize: limit } = options;
    let { skip = 0 } = options;
    for (;;) {
      const askedAt = this.#clock.now();
      const page = await this.status({ skip, limit }, options);
      yield page;
      skip += page.data.length;
      if (page.next === undefined || page.next === null) return;
      if (page.data.length > 0) continue;
      if (!follow) return;
      // A server holds such a read until something happens; otherwise the client pauses.
      const waitMs = POLL_MS - (this.#clock.now() - askedAt);
      if (waitMs > 0) await this.#clock.sleep(waitMs, options.signal ?? NEVER);
    }
  }

  /** Yields each document once in order of completion, while the job runs. */
  async *documents(options: FollowOptions = {}): AsyncGenerator<Document> {
    for await (const page of this.pages(options)) yield* page.data;
  }

  /**
   * Yields each document once in order of completion, and the state when it changes; the last
   * update is the final state. Uses a WebSocket if available, otherwise paging.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<JobUpdate> {
    let skip = 0;
    const socket = options.useSocket === false ? undefined : this.#link.openSocket();
    if (socket !== undefined) {
      for await (const update of watchSocket(socket, options.signal)) {
        if (update.type === "document") skip += 1;
        yield update;
      }
      options.signal?.throwIfAborted();
    }
    let before = "";
    for await (const { data, next: _, ...state } of this.pages({ ...options, skip })) {
      for (const document of data) yield { type: "document", document };
      const now = JSON.stringify([
        state.status,
        state.total,
        state.completed,
        state["creditsUsed"],
      ]);
      if (now !== before) yield { type: "status", status: state as JobState };
      before = now;
    }
  }

  /**
   * Waits for the end and returns the state without results. `timeoutMs` limits each call, `signal`
   * the whole wait.
   */
  async wait(options: CallOptions = {}): Promise<JobState> {
    for (;;) {
      const askedAt = this.#clock.now();
      const query = { skip: SKIP_ALL_RESULTS, limit: 1 };
      const { data: _, next: __, ...state } = await this.status(query, options);
      if (state.status !== "scraping") return state as JobState;
      const waitMs = POLL_MS - (this.#clock.now() - askedAt);
      if (waitMs > 0) await this.#clock.sleep(waitMs, options.signal ?? NEVER);
    }
  }

  /** Cancels the job; finished pages stay readable. An ended job stays unchanged. */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#link.call("DELETE", "", {}, options);
  }

  /** Returns failed pages, and URLs blocked by robots.txt. */
  async errors(options: CallOptions = {}): Promise<JobErrors> {
    return (await this.#link.call("GET", "/errors", {}, options)) as JobErrors;
  }

  /** Returns the sums of the ledger and one page of entries: the outcome of every URL. */
  async ledger(query: LedgerQuery = {}, options: CallOptions = {}): Promise<Ledger> {
    return (await this.#link.call("GET", "/ledger", query, options)) as Ledger;
  }

  /** Yields all entries of the ledger in order of discovery. */
  async *ledgerEntries(
    query: Omit<LedgerQuery, "skip" | "limit"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<LedgerEntry> {
    for (let skip = 0; ;) {
      const page = await this.ledger({ ...query, skip }, options);
      yield* page.entries;
      skip += page.entries.length;
      if (page.next === undefined || page.entries.length === 0) return;
    }
  }

  /** Yields the ledger as a file in chunks: CSV with a header, or one JSON object per line. */
  ledgerText(
    format: "csv" | "ndjson",
    query: Omit<LedgerQuery, "skip" | "limit"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<string> {
    return this.#link.text("/ledger", { ...query, format }, options);
  }

  /** Returns the pages as a feed, newest first: RSS, Atom or JSON Feed. */
  async feed(
    format: "rss" | "atom" | "json" = "rss",
    query: { limit?: number | undefined } = {},
    options: CallOptions = {},
  ): Promise<string> {
    let text = "";
    for await (const part of this.#link.text("/feed", { ...query, format }, options)) text += part;
    return text;
  }

  /** Yields a sitemap of the pages that were read, in chunks. Large jobs have several parts. */
  sitemap(
    query: { part?: number | undefined } = {},
    options: CallOptions = {},
  ): AsyncGenerator<string> {
    return this.#link.text("/sitemap.xml", query, options);
  }

  /** Yields the current results as one stream, the fastest way to read them all. */
  async *export(options: CallOptions = {}): AsyncGenerator<Document> {
    let rest = "";
    for await (const part of this.#link.text("/export", {}, options)) {
      const lines = `${rest}${part}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line) as Document;
    }
    if (rest !== "") yield JSON.parse(rest) as Document;
  }

  /**
   * Yields a ZIP archive of the current results in chunks: a Markdown file for each page, and HTML
   * and JSON files where the pages have them.
   */
  archive(options: CallOptions = {}): AsyncGenerator<Uint8Array> {
    return this.#link.bytes("/export", { format: "zip" }, options);
  }
}

const NEVER = new AbortController().signal;
