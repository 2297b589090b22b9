// The tables of monitors for Kysely.
import type { ColumnType } from "kysely";

type Json<T> = ColumnType<T, string, string>;

export type MonitorTables = {
  monitors: {
    id: string;
    account_id: string;
    key_id: string;
    name: string;
    status: "active" | "paused";
    sealed: Uint8Array;
    feed_key: string;
    retention_days: number;
    current_check_id: string | null;
    last_run_at: number | null;
    last_summary: Json<unknown>;
    created_at: number;
    updated_at: number;
  };
  monitor_checks: {
    id: string;
    monitor_id: string;
    account_id: string;
    status: string;
    trigger: "scheduled" | "manual";
    scheduled_for: number | null;
    started_at: number | null;
    finished_at: number | null;
    estimated_credits: number;
    actual_credits: number | null;
    summary: Json<unknown>;
    target_results: Json<unknown>;
    error: string | null;
    created_at: number;
    updated_at: number;
    expires_at: number;
  };
  monitor_pages: {
    id: string;
    check_id: string;
    monitor_id: string;
    position: number;
    target_id: string;
    url: string;
    status: string;
    about: Json<unknown>;
    created_at: number;
  };
  /** State of a page between checks. */
  monitor_states: {
    monitor_id: string;
    key: string;
    target_id: string;
    url: string;
    state: Json<unknown>;
  };
  monitor_versions: {
    id: string;
    monitor_id: string;
    key: string;
    fetched_at: number;
    text_hash: string;
    body_ref: string | null;
    body_inline: Uint8Array | null;
  };
  /** Notifications to send, and the log of sent ones. */
  monitor_notices: {
    id: string;
    monitor_id: string;
    account_id: string;
    check_id: string | null;
    channel: string;
    event: string;
    dedup_key: string;
    group_id: string | null;
    payload: Json<unknown>;
    state: "waiting" | "delivered" | "failed";
    attempts: number;
    due_at: number;
    worker: string | null;
    leased_until: number;
    created_at: number;
    ended_at: number | null;
    status_code: number | null;
    failure: string | null;
  };
};
