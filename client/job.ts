// A crawl or a batch that is running or has ended, by its id.
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

/** The ways to a job's address; `path` is below it. */
export type JobLink = {
  call(
    method: "GET" | "DELETE",
    path: string,
    query: Query,
    options: CallOptions,
  ): Promise<Record<string, unknown>>;
  /** An answer that is a stream of text, in parts. */
  text(path: string, query: Query, options: CallOptions): AsyncGenerator<string>;
  /** Undefined where there is no WebSocket to be had. */
  openSocket(): Socket | undefined;
};

export type FollowOptions = CallOptions & {
  /** Go on until the job has ended; otherwise stop at what is there now. True when left out. */
  readonly follow?: boolean | undefined;
  /** Documents passed over. */
  readonly skip?: number | undefined;
  /** Documents of one call, 1 to 1000. */
  readonly pageSize?: number | undefined;
};

export type WatchOptions = CallOptions & {
  /** False pages in any case, which makes the job's documents wait for a slow reader. True when left out. */
  readonly useSocket?: boolean | undefined;
};

/** Past any result: such a read tells the state, and is held by the server while nothing happens. */
const PAST_THE_END = 1_000_000_000;
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

  /** The state and one page of results; `next` is missing on the last page of a job that has ended. */
  async status(query: ResultsQuery = {}, options: CallOptions = {}): Promise<JobStatus> {
    return (await this.#link.call("GET", "", query, options)) as JobStatus;
  }

  /**
   * The results page by page, each with the state at that time, until the job has ended. Every page is read once: a poll
   * asks for what comes after the last document, never for all of them again.
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
      // A server holds such a read until something happens; one that does not is not asked without a pause.
      const waitMs = POLL_MS - (this.#clock.now() - askedAt);
      if (waitMs > 0) await this.#clock.sleep(waitMs, options.signal ?? NEVER);
    }
  }

  /** Each document once, in order of completion; while the job runs as they are finished. */
  async *documents(options: FollowOptions = {}): AsyncGenerator<Document> {
    for await (const page of this.pages(options)) yield* page.data;
  }

  /**
   * Each document once, in order of completion, and the state whenever it has changed; the last update is the state at
   * the end. Over a WebSocket where there is one, by paging where there is none or it fails.
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

  /** The state, without results, once the job has ended. `timeoutMs` limits each of its calls, `signal` the whole. */
  async wait(options: CallOptions = {}): Promise<JobState> {
    for (;;) {
      const askedAt = this.#clock.now();
      const query = { skip: PAST_THE_END, limit: 1 };
      const { data: _, next: __, ...state } = await this.status(query, options);
      if (state.status !== "scraping") return state as JobState;
      const waitMs = POLL_MS - (this.#clock.now() - askedAt);
      if (waitMs > 0) await this.#clock.sleep(waitMs, options.signal ?? NEVER);
    }
  }

  /** Ends the job; what is finished stays readable. A job that has ended stays as it is. */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#link.call("DELETE", "", {}, options);
  }

  /** Pages that failed, and addresses that robots.txt forbids. */
  async errors(options: CallOptions = {}): Promise<JobErrors> {
    return (await this.#link.call("GET", "/errors", {}, options)) as JobErrors;
  }

  /** What became of every URL the job has seen: the sums, and one page of entries. */
  async ledger(query: LedgerQuery = {}, options: CallOptions = {}): Promise<Ledger> {
    return (await this.#link.call("GET", "/ledger", query, options)) as Ledger;
  }

  /** All entries of the ledger, in the order in which the URLs were seen. */
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

  /** All entries of the ledger as the text of a file, in parts: CSV with a header line, or one JSON object a line. */
  ledgerText(
    format: "csv" | "ndjson",
    query: Omit<LedgerQuery, "skip" | "limit"> = {},
    options: CallOptions = {},
  ): AsyncGenerator<string> {
    return this.#link.text("/ledger", { ...query, format }, options);
  }

  /** The results that are there now as one stream, which is the fastest way to have them all. */
  async *export(options: CallOptions = {}): AsyncGenerator<Document> {
    let rest = "";
    for await (const part of this.#link.text("/export", {}, options)) {
      const lines = `${rest}${part}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") yield JSON.parse(line) as Document;
    }
    if (rest !== "") yield JSON.parse(rest) as Document;
  }
}

const NEVER = new AbortController().signal;
