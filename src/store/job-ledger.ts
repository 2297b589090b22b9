// What became of every URL a job has seen.
import type { LedgerState } from "../contract/ledger.ts";

export type JobLedgerRow = {
  /** From 1 without gaps, in the order in which the URLs were seen. */
  readonly sequence: number;
  readonly url: string;
  readonly fate: LedgerState;
  readonly reason: string | undefined;
  /** URL of the page it was found on. */
  readonly parent: string | undefined;
  readonly depth: number;
};

export type JobLedgerStore = {
  sums(jobId: string): Promise<Partial<Record<LedgerState, number>>>;
  page(
    jobId: string,
    range: {
      readonly skip: number;
      readonly limit: number;
      readonly fate?: LedgerState | undefined;
    },
  ): Promise<JobLedgerRow[]>;
  /** All rows that are there now, some at a time. */
  stream(jobId: string, fate?: LedgerState): AsyncIterable<readonly JobLedgerRow[]>;
};
