// All kinds of jobs on the wire. The list of jobs, webhook events, capabilities, scopes and the
// routes that every kind has are read from these rows.

type JobKindRow = {
  /** Name in the list of jobs. */
  readonly listed: string;
  /** Its routes: `POST path` starts a job, `GET path/:id` returns its state. */
  readonly path: string;
  /** Short names of its webhook events. */
  readonly events: readonly string[];
  readonly capability: string;
  /** Section of the API documentation, and the word for one job in it. */
  readonly tag: string;
  readonly noun: string;
  readonly deprecated?: { readonly replacement: string };
};

/** By the name in events and in ledger entries. */
export const JOB_KINDS = {
  crawl: {
    listed: "crawl",
    path: "/v2/crawl",
    events: ["started", "page", "completed", "failed", "cancelled"],
    capability: "crawl",
    tag: "Crawl",
    noun: "crawl",
  },
  batch_scrape: {
    listed: "batch",
    path: "/v2/batch/scrape",
    events: ["started", "page", "completed", "failed", "cancelled"],
    capability: "batch",
    tag: "Batch",
    noun: "batch",
  },
  extract: {
    listed: "extract",
    path: "/v2/extract",
    events: ["started", "completed", "failed", "cancelled"],
    capability: "extract",
    tag: "Extract",
    noun: "extraction",
    deprecated: { replacement: "/v2/agent" },
  },
  agent: {
    listed: "agent",
    path: "/v2/agent",
    events: ["started", "action", "completed", "failed", "cancelled"],
    capability: "agent",
    tag: "Agent",
    noun: "agent run",
  },
} as const satisfies Readonly<Record<string, JobKindRow>>;

export type JobKindName = keyof typeof JOB_KINDS;

type Row = (typeof JOB_KINDS)[JobKindName];

export type JobListKind = Row["listed"];
export type JobCapability = Row["capability"];

const rows: readonly Row[] = Object.values(JOB_KINDS);

export const JOB_LIST_KINDS: readonly JobListKind[] = rows.map(({ listed }) => listed);
export const JOB_PATHS = Object.fromEntries(
  rows.map(({ listed, path }) => [listed, path]),
) as Readonly<Record<JobListKind, string>>;
/** Listed names of the kinds whose results are pages. */
export const PAGE_LIST_KINDS: readonly JobListKind[] = rows
  .filter(({ events }) => events.some((event) => event === "page"))
  .map(({ listed }) => listed);
export const JOB_CAPABILITIES: readonly JobCapability[] = rows.map(({ capability }) => capability);
