// Where a URL of a job stands. Words alone: the command line lists them without the rest of the contract.

/**
 * How a URL ended. fetched: its document is in the results. duplicate: another URL of the job has the same document.
 * scope: outside what the crawl may enter. trap: one of too many alike. cancelled: the job was cancelled first.
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

/** A fate, or where a URL without one stands. */
export const LEDGER_STATES = [...FATES, "pending", "working"] as const;

export type LedgerState = (typeof LEDGER_STATES)[number];
