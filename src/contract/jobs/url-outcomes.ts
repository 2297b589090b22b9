// The states of a job's URLs. Plain words, so that the command line can list them without the rest
// of the contract.

/**
 * Outcome of a URL. fetched: its document is in the results. duplicate: another URL of the job has
 * the same document. scope: outside the crawl's scope. trap: held back by the spider-trap detector.
 * cancelled: the job was cancelled first.
 */
export const FATES = [
  "fetched",
  "duplicate",
  "scope",
  "robots",
  "depth",
  "limit",
  "fileType",
  "trap",
  "error",
  "cancelled",
] as const;

export type Fate = (typeof FATES)[number];

/** A fate, or the state of a URL without one. */
export const LEDGER_STATES = [...FATES, "pending", "working"] as const;

export type LedgerState = (typeof LEDGER_STATES)[number];
