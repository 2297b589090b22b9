// Every kind of job on the wire: the name that its events and ledger entries bear, how the list of
// jobs calls it, where one is read, and which events it sends.
export const JOB_KINDS = {
  crawl: {
    listed: "crawl",
    path: "/v2/crawl",
    events: ["started", "page", "completed", "failed", "cancelled"],
  },
  batch_scrape: {
    listed: "batch",
    path: "/v2/batch/scrape",
    events: ["started", "page", "completed", "failed", "cancelled"],
  },
  extract: {
    listed: "extract",
    path: "/v2/extract",
    events: ["started", "completed", "failed", "cancelled"],
  },
  agent: {
    listed: "agent",
    path: "/v2/agent",
    events: ["started", "action", "completed", "failed", "cancelled"],
  },
} as const;

export type JobKindName = keyof typeof JOB_KINDS;

export type JobListKind = (typeof JOB_KINDS)[JobKindName]["listed"];

export const JOB_LIST_KINDS: readonly JobListKind[] = Object.values(JOB_KINDS).map(
  ({ listed }) => listed,
);
