// The URLs of a job, one row each. States:
//   ready -> leased -> done: the normal path
//   held -> ready: beyond the limit, until a page gives no document
//   leased -> ready: released, or the lease expired (the next claim takes it)
//   done at once: the crawl may not fetch it
// The order is breadth first: by depth, then by discovery.
import type { Fate } from "../../contract/jobs/ledger.ts";

export type FoundUrl = {
  /**
   * Signed 64-bit hash that identifies URLs within this job; a URL with a known identity is
   * skipped.
   */
  readonly identity: bigint;
  readonly url: string;
  /** Host with port, the unit of politeness. */
  readonly host: string;
  readonly depth: number;
  readonly source: "start" | "sitemap" | "link" | "batch";
  /** A waiting URL that is found again nearer to the start takes the smaller depth. */
  readonly depthCounts?: boolean;
  /** Identity of the page it was found on. */
  readonly parent?: bigint;
  /** Why it is not fetched; undefined if it is. */
  readonly refused?: Refusal;
  /** Data the crawl needs again with the page, such as the length of a chain. Small JSON. */
  readonly marks?: Marks;
};

export type Refusal = {
  readonly fate: Fate;
  /** The rule, the line of robots.txt, or the URL it duplicates. */
  readonly reason: string | undefined;
};

export type Marks = Readonly<Record<string, string | number | boolean>>;

export type AddReport = {
  /** True if the job was still running; otherwise nothing is added. */
  readonly added: boolean;
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  /** URLs seen before. */
  readonly known: number;
};

/** A page leased by one worker. */
export type LeasedPage = {
  readonly jobId: string;
  readonly identity: bigint;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly source: FoundUrl["source"];
  readonly marks: Marks;
  /** Position in the discovery order of the job's URLs, from 1. */
  readonly sequence: number;
  /** From 1. Together with the worker's name it identifies the lease. */
  readonly attempt: number;
};

/** By host with port, like `LeasedPage.host`. */
export type HostPlaces = Readonly<Record<string, number>>;

export type Claim = {
  /** Name of the claiming process or loop, unique over all processes. */
  readonly worker: string;
  readonly max: number;
  readonly leaseMs: number;
  /** Only of these jobs. */
  readonly jobs?: readonly string[];
  /** Not these jobs, which this process cannot serve now. */
  readonly except?: readonly string[];
  /** Maximum pages for each of these hosts: more would only wait here. */
  readonly hosts?: HostPlaces;
  /**
   * Suspects are pages that were started three times and never ended, possibly because they killed
   * their process: exclude them, or only them. The claimer should do nothing else meanwhile.
   */
  readonly suspects?: "none" | "only" | undefined;
  /** Only suspects that were tried alone fewer times than this. */
  readonly suspectTries?: number | undefined;
  readonly now?: number;
};

/** The outcome of a crawl's start page. */
export type StartOutcome = {
  /** True if it is not finished yet. */
  readonly isOpen: boolean;
  /** Its final URL; undefined while open and without a document. */
  readonly finalUrl: string | undefined;
};

export type FrontierStore = {
  /** Adds URLs to a running job in the given order, some hundreds per transaction. */
  add(jobId: string, found: readonly FoundUrl[]): Promise<AddReport>;
  /**
   * Claims pages, each for one worker, at most the job's maxConcurrency at once. The least recently
   * served job comes first. Pages with expired leases are claimed again; after six of them the page
   * fails. Pages of a throttled host do not block those of others, which may then come before pages
   * nearer to the start.
   */
  claim(claim: Claim): Promise<LeasedPage[]>;
  /** Renews the leases that the worker still holds. Returns their number. */
  renew(
    worker: string,
    pages: readonly LeasedPage[],
    leaseMs: number,
    now?: number,
  ): Promise<number>;
  /** Releases pages unchanged, so that others can claim them at once. */
  release(worker: string, pages: readonly LeasedPage[]): Promise<void>;
  /** Releases all leased pages; only for a process that has the database to itself. */
  releaseAll(): Promise<void>;
  /**
   * True if the host gave a document of the job since `since`, milliseconds since the epoch, to any
   * worker.
   */
  wasServed(jobId: string, host: string, since: number): Promise<boolean>;
  /** Returns where the start URL of a crawl led; `identity` is its own. */
  startOutcome(jobId: string, identity: bigint): Promise<StartOutcome>;
  /** When the next lease expires, milliseconds since the epoch; undefined when there is none. */
  findNextExpiry(): Promise<number | undefined>;
};
