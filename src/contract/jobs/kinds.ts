// All kinds of jobs on the wire: the name in events and ledger entries, the name in the list of
// jobs, the status path, and the webhook events.
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
