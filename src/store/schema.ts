// The tables as Kysely sees them. Times are milliseconds since the epoch; 8-byte integers arrive as numbers.
import type { ColumnType, Kysely } from "kysely";

/** Written as JSON text, read as a value. */
type Json<T> = ColumnType<T, string, string>;

type LedgerKind = "grant" | "hold" | "settle";

export type Tables = {
  migrations: { number: number; name: string; applied_at: number };
  settings: { name: string; value: string };
  accounts: { id: string; name: string; created_at: number };
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
  };
  credit_balances: { key_id: string; granted: number; balance: number };
  credit_ledger: {
    id: string;
    account_id: string;
    key_id: string;
    kind: LedgerKind;
    /** Signed: what the row adds to the balance. */
    amount: number;
    /** What the caller pays in the end; 0 except on settle rows. */
    charged: number;
    hold_id: string | null;
    job_id: string | null;
    endpoint: string | null;
    at: number;
    /** Holds only: when they are given back by themselves. */
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
};

/** An open database, whichever engine runs it. Whoever opened it closes it. */
export type Database = {
  readonly kysely: Kysely<Tables>;
  readonly kind: "pglite" | "postgres";
  close(): Promise<void>;
};
