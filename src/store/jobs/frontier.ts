// The URLs of a job. One row each, from the moment a URL is seen to its fate:
//   ready -> leased -> done          the ordinary way
//   held -> ready                    beyond the limit, until a page gives no document
//   leased -> ready                  given back (release), or the lease ran out (the next claim takes it)
//   done                             at once, when the crawl may not fetch it
// Order is breadth first: by depth, then as found.
import type { Fate } from "../../contract/jobs/ledger.ts";

export type FoundUrl = {
  /** Signed 64-bit hash of what makes URLs of this job the same; a URL whose identity is known is passed over. */
  readonly identity: bigint;
  readonly url: string;
  /** Host with port, as politeness counts it. */
  readonly host: string;
  readonly depth: number;
  readonly source: "start" | "sitemap" | "link" | "batch";
  /** Found again nearer to the start, a URL that still waits takes the lesser depth. */
  readonly depthCounts?: boolean;
  /** Of the page it was found on. */
  readonly parent?: bigint;
  /** Why it is not fetched; undefined when it is. */
  readonly refused?: Refusal;
  /** What the crawl wants to find again with the page, such as the length of a chain. Small JSON. */
  readonly marks?: Marks;
};

export type Refusal = {
  readonly fate: Fate;
  /** The rule, the line of robots.txt, the URL it is a duplicate of. */
  readonly reason: string | undefined;
};

export type Marks = Readonly<Record<string, string | number | boolean>>;

export type AddReport = {
  /** Whether the job was still running; nothing is added to one that was not. */
  readonly added: boolean;
  readonly accepted: number;
  readonly held: number;
  readonly refused: number;
  /** Seen before. */
  readonly known: number;
};

/** A page in the hands of one worker. */
export type LeasedPage = {
  readonly jobId: string;
  readonly identity: bigint;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly source: FoundUrl["source"];
  readonly marks: Marks;
  /** Place in the order in which the job's URLs were seen, from 1. */
  readonly sequence: number;
  /** 1 at first; with the worker's name it tells this lease from every other of the page. */
  readonly attempt: number;
};

/** By host with port, as `LeasedPage.host` has it. */
export type HostPlaces = Readonly<Record<string, number>>;

export type Claim = {
  /** Name of the claiming process or loop, unique over all processes. */
  readonly worker: string;
  readonly most: number;
  readonly leaseMs: number;
  /** Only of these jobs. */
  readonly jobs?: readonly string[];
  /** Not of these jobs: those this process cannot serve now. */
  readonly except?: readonly string[];
  /** At most so many pages of each of these hosts: more would only wait here. */
  readonly hosts?: HostPlaces;
  /**
   * Pages that were begun three times and came to no end, since their process may have died of them: none of these, or only
   * these. Whoever takes one should do nothing else meanwhile.
   */
  readonly suspects?: "none" | "only" | undefined;
  /** Only suspects that were tried alone fewer times than this. */
  readonly suspectTries?: number | undefined;
  readonly now?: number;
};

/** What became of a crawl's first page. */
export type Landing = {
  /** Whether more is to come of it. */
  readonly isOpen: boolean;
  /** Where it was in the end; undefined while it is open and when it gave no document. */
  readonly finalUrl: string | undefined;
};

export type FrontierStore = {
  /** Adds URLs to a running job, in the order given, some hundreds to a transaction. */
  add(jobId: string, found: readonly FoundUrl[]): Promise<AddReport>;
  /**
   * Takes pages to fetch, each for one worker only, never more of a job at once than its maxConcurrency. The job served
   * longest ago comes first. Pages of leases that ran out are taken again; after six of them the page fails. Pages of a host
   * that is asked slowly do not keep those of others, which may then come before pages nearer to the start.
   */
  claim(claim: Claim): Promise<LeasedPage[]>;
  /** Keeps the leases of these pages alive where the worker still has them; the number of them. */
  renew(
    worker: string,
    pages: readonly LeasedPage[],
    leaseMs: number,
    now?: number,
  ): Promise<number>;
  /** Gives pages back untouched, at once free for others. */
  release(worker: string, pages: readonly LeasedPage[]): Promise<void>;
  /** Gives all leased pages back: for a process that has the database to itself, and so knows that nobody works on them. */
  releaseAll(): Promise<void>;
  /** Whether the host gave a document of the job since then, milliseconds since the epoch, whoever asked it. */
  wasServed(jobId: string, host: string, since: number): Promise<boolean>;
  /** Where the start URL of a crawl led; `identity` is its own. */
  landing(jobId: string, identity: bigint): Promise<Landing>;
  /** When the next lease runs out, milliseconds since the epoch; undefined when there is none. */
  nextExpiry(): Promise<number | undefined>;
};
