// A crawl or a batch that is running or has ended, by its id.
import type { Clock } from "./retry.ts";
import type { CallOptions } from "./transport.ts";
import type {
  Document,
  JobErrors,
  JobStatus,
  Ledger,
  LedgerEntry,
  LedgerQuery,
  ResultsQuery,
} from "./wire.ts";

/** Makes one call below the job's address. */
export type JobCall = (
  method: "GET" | "DELETE",
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
  options: CallOptions,
) => Promise<Record<string, unknown>>;

export type FollowOptions = CallOptions & {
  /** Go on until the job has ended; otherwise stop at what is there now. True when left out. */
  readonly follow?: boolean | undefined;
  /** Documents passed over. */
  readonly skip?: number | undefined;
  /** Documents of one call, 1 to 1000. */
  readonly pageSize?: number | undefined;
};

/** Past any result: such a read tells the state, and is held by the server while nothing happens. */
const PAST_THE_END = 1_000_000_000;
const POLL_MS = 1_000;

export class Job {
  readonly id: string;
  readonly #call: JobCall;
  readonly #clock: Clock;

  constructor(id: string, call: JobCall, clock: Clock) {
    this.id = id;
    this.#call = call;
    this.#clock = clock;
  }

  /** The state and one page of results; `next` is missing on the last page of a job that has ended. */
  async status(query: ResultsQuery = {}, options: CallOptions = {}): Promise<JobStatus> {
    return (await this.#call("GET", "", query, options)) as JobStatus;
  }

  /** Each document once, in order of completion; while the job runs as they are finished. */
  async *documents(options: FollowOptions = {}): AsyncGenerator<Document> {
    const { follow = true, pageSize: limit } = options;
    let { skip = 0 } = options;
    for (;;) {
      const page = await this.status({ skip, limit }, options);
      yield* page.data;
      skip += page.data.length;
      if (page.next === undefined || page.next === null) return;
      if (!follow && page.data.length === 0) return;
    }
  }

  /** The state, without results, once the job has ended. `timeoutMs` limits each of its calls, `signal` the whole. */
  async wait(options: CallOptions = {}): Promise<JobStatus> {
    const signal = options.signal ?? new AbortController().signal;
    for (;;) {
      const status = await this.status({ skip: PAST_THE_END, limit: 1 }, options);
      if (status.status !== "scraping") return status;
      await this.#clock.sleep(POLL_MS, signal);
    }
  }

  /** Ends the job; what is finished stays readable. A job that has ended stays as it is. */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#call("DELETE", "", {}, options);
  }

  /** Pages that failed, and addresses that robots.txt forbids. */
  async errors(options: CallOptions = {}): Promise<JobErrors> {
    return (await this.#call("GET", "/errors", {}, options)) as JobErrors;
  }

  /** What became of every URL the job has seen: the sums, and one page of entries. */
  async ledger(query: LedgerQuery = {}, options: CallOptions = {}): Promise<Ledger> {
    return (await this.#call("GET", "/ledger", query, options)) as Ledger;
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
      if (page.next === undefined) return;
    }
  }
}
