// The documents of a job, numbered from 1 without gaps in the order of their commit.
import type { ErrorRecord } from "../errors.ts";

export type ResultRow = {
  readonly sequence: number;
  readonly scrapeId: string;
  readonly requestedUrl: string;
  readonly finalUrl: string;
  readonly credits: number;
  /** As the caller gets it; undefined when its blob is gone. */
  readonly document: unknown;
};

export type ResultRange = {
  /** Documents passed over. */
  readonly skip: number;
  readonly limit: number;
  /** Of serialised documents: the one that crosses it is left out unless it is the first. */
  readonly maxBytes: number;
};

export type FailedPage = {
  /** Of the page within the job. */
  readonly sequence: number;
  readonly url: string;
  /** When it failed, milliseconds since the epoch. */
  readonly at: number;
  readonly error: ErrorRecord;
};

export type ResultStore = {
  page(jobId: string, range: ResultRange): Promise<ResultRow[]>;
  /** Documents after the one numbered `after`, some at a time, up to those that are there now. */
  stream(jobId: string, after?: number): AsyncIterable<readonly ResultRow[]>;
  /** One document, for an event about it. */
  load(jobId: string, sequence: number): Promise<ResultRow | undefined>;
  /** In the order in which the pages were found. */
  failures(jobId: string, limit: number): Promise<FailedPage[]>;
  /** URLs that robots.txt keeps out, in the order in which they were found. */
  robotsBlocked(jobId: string, limit: number): Promise<string[]>;
};
