// The tables for Kysely. Times are milliseconds since the epoch; 8-byte integers arrive as numbers.
import type { ColumnType, Generated, Kysely } from "kysely";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import type { Fate } from "../../contract/jobs/ledger.ts";
import type { Scope } from "../../contract/account/scopes.ts";
import type { VerdictKind } from "../../contract/page/verdict.ts";
import type { EventType } from "../../contract/jobs/webhook.ts";
import type { LoadTables } from "./load-tables.ts";
import type { MonitorTables } from "./monitor-tables.ts";

/** Written as JSON text, read as a value. */
type Json<T> = ColumnType<T, string, string>;

/** Outcome of an agent run. */
export type AgentOutcome =
  | "succeeded"
  | "failed"
  | "cancelled"
  | "refused"
  | "credit_limit_reached";

type LedgerKind = "grant" | "hold" | "settle";

export type Tables = {
  migrations: { number: number; name: string; applied_at: number };
  settings: { name: string; value: string };
  concurrency_shares: { owner: string; process: string; held: number; leased_until: number };
  console_sessions: {
    hash: string;
    kind: "session" | "link";
    key_hash: string | null;
    created_at: number;
    expires_at: number;
  };
  accounts: {
    id: string;
    name: string;
    created_at: number;
    disabled_at: number | null;
    credit_budget: number | null;
    requests_per_minute: number | null;
    concurrency: number | null;
    index_pages: number | null;
  };
  api_keys: {
    id: string;
    account_id: string;
    name: string;
    hash: string;
    previous_hash: string | null;
    previous_until: number | null;
    prefix: string;
    created_at: number;
    last_used_at: number | null;
    expires_at: number | null;
    revoked_at: number | null;
    credit_budget: number | null;
    requests_per_minute: number | null;
    concurrency: number | null;
    scopes: ColumnType<readonly Scope[] | null, string | null, string | null>;
    allow_hosts: ColumnType<readonly string[] | null, string | null, string | null>;
  };
  credit_balances: { key_id: string; granted: number; balance: number };
  credit_ledger: {
    id: string;
    account_id: string;
    key_id: string;
    kind: LedgerKind;
    /** Signed change of the balance. */
    amount: number;
    /** Final charge to the caller; 0 except in settle rows. */
    charged: number;
    hold_id: string | null;
    job_id: string | null;
    endpoint: string | null;
    at: number;
    /** Holds only: when they are released automatically. */
    expires_at: number | null;
  };
  scrapes: {
    id: string;
    account_id: string;
    key_id: string;
    requested_url: string;
    final_url: string | null;
    status: "completed" | "failed";
    status_code: number | null;
    error: Json<unknown>;
    options: Json<unknown>;
    explanation: Json<unknown>;
    title: string | null;
    description: string | null;
    document_ref: string | null;
    document_inline: Uint8Array | null;
    credits: number;
    created_at: number;
    expires_at: number;
  };
  captures: {
    id: string;
    cache_key: string;
    fetched_at: number;
    status_code: number;
    final_url: string;
    about: Json<unknown>;
    body_ref: string | null;
    body_inline: Uint8Array | null;
    size_bytes: number;
  };
  activity: {
    id: string;
    account_id: string;
    key_id: string;
    endpoint: string;
    api_version: string;
    target: string | null;
    succeeded: boolean;
    created_at: number;
  };
  idempotency_keys: { account_id: string; key: string; created_at: number };
  jobs: {
    id: string;
    account_id: string;
    key_id: string;
    kind: string;
    url: string | null;
    options: Json<unknown>;
    page_limit: number | null;
    max_concurrency: number;
    hold: Json<unknown>;
    webhook: Json<unknown>;
    zero_data_retention: boolean;
    created_at: number;
    expires_at: number;
    /** Time it stays readable after its end or the last read. */
    life_ms: number;
    /** Name of the blob with the key of its results; null when they are not encrypted. */
    seal_ref: string | null;
    /** The span that started it; null without tracing. */
    traceparent: string | null;
  };
  /** Removed jobs, kept while callers may still ask for them. */
  expired_jobs: {
    id: string;
    account_id: string;
    kind: string;
    removed_at: number;
  };
  job_progress: {
    job_id: string;
    /** The account of the job. */
    owner_id: string;
    /** The kind of the job. */
    job_kind: string;
    state: Generated<JobStatus>;
    seeding: boolean;
    /**
     * due: pages of an earlier crawl are checked before the job ends. running: the job is seeding
     * for that reason.
     */
    revisit: "due" | "running" | null;
    settled: Generated<boolean>;
    completed_at: Generated<number | null>;
    error: Generated<unknown>;
    warnings: Generated<string[]>;
    /** When pages were last claimed. */
    claimed_at: Generated<number>;
    pending: Generated<number>;
    completed: Generated<number>;
    failed: Generated<number>;
    /** Fetched pages without a document: failed, duplicate, out of scope after a redirect. */
    spent: Generated<number>;
    held: Generated<number>;
    discovered: Generated<number>;
    robots_blocked: Generated<number>;
    events: Generated<number>;
    credits_used: Generated<number>;
  };
  /** The work of a job that one process at a time does under a lease. */
  job_runs: {
    job_id: string;
    /** The kind of its job, for claims. */
    run_kind: string;
    /**
     * Time when it can be claimed: the end of its lease while a worker has it. Null once nothing is
     * left to do.
     */
    due_at: number | null;
    worker: string | null;
    attempts: Generated<number>;
    progress: Json<unknown>;
    result: Json<unknown>;
    schedule_id: string | null;
    scheduled_for: number | null;
  };
  /** Schedules that start jobs of a kind. */
  schedules: {
    id: string;
    account_id: string;
    key_id: string;
    kind: string;
    options: Json<unknown>;
    /** Null while nothing is planned. */
    next_at: number | null;
    worker: string | null;
    leased_until: Generated<number>;
    created_at: number;
  };
  /** Repeated texts of a host's pages. */
  site_tallies: { job_id: string; host: string; tally: Uint8Array };
  /** Identities are 64-bit: read and written as text. */
  frontier: {
    job_id: string;
    identity: string;
    sequence: number;
    depth: number;
    state: "ready" | "leased" | "held" | "done";
    source: "start" | "sitemap" | "link" | "batch";
    url: string;
    host: string;
    parent: string | null;
    marks: Json<unknown>;
    fate: Fate | null;
    reason: string | null;
    verdict: VerdictKind | null;
    error: Json<unknown>;
    ended_at: number | null;
    worker: string | null;
    leased_until: number | null;
    attempt: Generated<number>;
    queued_at: number | null;
  };
  results: {
    job_id: string;
    sequence: number;
    scrape_id: string;
    requested_url: string;
    final_url: string;
    status_code: number | null;
    target: string | null;
    content: string | null;
    title: string | null;
    description: string | null;
    document_ref: string | null;
    document_inline: Uint8Array | null;
    size_bytes: number;
    credits: number;
    created_at: number;
  };
  webhook_deliveries: {
    id: string;
    job_id: string;
    account_id: string;
    sequence: number;
    type: EventType;
    /** Null: the webhook of the job. */
    webhook: Json<unknown>;
    result_sequence: number | null;
    data: Json<unknown>;
    error: string | null;
    state: "waiting" | "delivered" | "failed";
    tried: Generated<boolean>;
    attempts: Generated<number>;
    created_at: number;
    due_at: number;
    status_code: number | null;
    failure: string | null;
    worker: string | null;
    leased_until: Generated<number>;
  };
  hosts: {
    host: string;
    next_at: Generated<number>;
    back_off_until: Generated<number>;
    delay_ms: Generated<number>;
    seen_at: number;
  };
  kept_files: { ref: string; keep_until: number };
  webhook_secrets: {
    account_id: string;
    sealed: Uint8Array;
    saved_at: number;
  };
  uploads: {
    id: string;
    account_id: string;
    name: string;
    content_type: string;
    /** Name of the stored file; null until the bytes arrive. */
    ref: string | null;
    created_at: number;
    expires_at: number;
    parsed_at: number | null;
  };
  browser_sessions: {
    id: string;
    account_id: string;
    key_id: string;
    scrape_id: string | null;
    worker: string;
    /** Its process counts as alive until then. */
    alive_until: number;
    stream_web_view: boolean;
    created_at: number;
    last_activity: number;
    expires_at: number;
    ended_at: number | null;
    end_reason: "ended" | "expired" | "lost" | "failed" | null;
  };
  interact_events: { session_id: string; sequence: number; event: unknown };
  browser_profiles: {
    account_id: string;
    name: string;
    /** Zstandard, encrypted. */
    state: Uint8Array | null;
    saved_at: number | null;
    writer: string | null;
    writer_until: Generated<number>;
  };
  /** The place of an agent run in its conversation. */
  agent_turns: {
    run_id: string;
    account_id: string;
    thread_id: string;
    turn: number;
    /** Trace events so far, without the final ones. */
    events: Generated<number>;
    tokens_used: Generated<number>;
  };
  agent_steps: {
    run_id: string;
    number: number;
    tool: string;
    input: Json<unknown>;
    began_at: number;
    /** Sequence of its start in the trace. */
    began_event: number;
    /** The output that later steps need. */
    output: Json<unknown>;
    error: Json<unknown>;
    /** Entry for the trace. */
    shown: Json<unknown>;
    credits: Generated<number>;
    ended_at: number | null;
    ended_event: number | null;
  };
  /** A page over time for an account and tag; every change advances its revision. */
  change_histories: {
    account_id: string;
    key: string;
    url: string;
    tag: string | null;
    revision: number;
  };
  change_versions: {
    id: string;
    account_id: string;
    key: string;
    fetched_at: number;
    job_id: string | null;
    text_hash: string;
    made_with: string;
    body_ref: string | null;
    body_inline: Uint8Array | null;
    size_bytes: number;
  };
  /** Last crawl that saw a page. */
  change_sightings: { account_id: string; crawl_key: string; key: string; job_id: string };
  /** Pages in the search index. Identities and captures are 64-bit, read and written as text. */
  search_pages: {
    account_id: string;
    identity: string;
    capture: string;
    url: string;
    title: string;
    description: string;
    language: string;
    is_pdf: boolean;
    words: string;
    body: Uint8Array;
    fetched_at: number;
  };
  extractors: {
    id: string;
    account_id: string;
    name: string;
    source: "program" | "examples" | "rules" | "model";
    version: number;
    state: "ready" | "drifted";
    program: Json<unknown>;
    request: Json<unknown>;
    health: Json<unknown>;
    created_at: number;
    updated_at: number;
  };
  host_shares: { host: string; worker: string; slots: number; until: number };
} & MonitorTables &
  LoadTables;

/** An open database of either engine. The opener closes it. */
export type Database = {
  readonly kysely: Kysely<Tables>;
  readonly kind: "pglite" | "postgres";
  /**
   * Copies the files of the embedded database to a new folder, in a consistent state. Statements wait meanwhile. Undefined for
   * PostgreSQL.
   */
  readonly copyTo?: (folder: string) => Promise<void>;
  close(): Promise<void>;
};
