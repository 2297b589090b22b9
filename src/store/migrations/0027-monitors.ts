/**
 * Monitors, their checks with pages, what the next check compares with, and the notifications to send. All of it goes with
 * its monitor.
 */
const MONITOR_COLUMN = "monitor_id uuid not null references monitors (id) on delete cascade";

export const statements: readonly string[] = [
  `create table monitors (
     id uuid primary key,
     account_id uuid not null,
     key_id uuid not null,
     name text not null,
     status text not null,
     sealed bytea not null,
     feed_key text not null,
     retention_days integer not null,
     current_check_id uuid,
     last_run_at bigint,
     last_summary json,
     created_at bigint not null,
     updated_at bigint not null
   ) with (fillfactor = 70)`,
  "create index monitors_account on monitors (account_id, id)",
  "create unique index monitors_feed on monitors (feed_key)",
  `create table monitor_checks (
     id uuid primary key,
     ${MONITOR_COLUMN},
     account_id uuid not null,
     status text not null,
     trigger text not null,
     scheduled_for bigint,
     started_at bigint,
     finished_at bigint,
     estimated_credits integer not null,
     actual_credits integer,
     summary json not null,
     target_results json not null,
     error text,
     created_at bigint not null,
     updated_at bigint not null,
     expires_at bigint not null
   ) with (fillfactor = 70)`,
  "create index monitor_checks_monitor on monitor_checks (monitor_id, id)",
  "create unique index monitor_checks_schedule on monitor_checks (monitor_id, scheduled_for) where scheduled_for is not null",
  "create index monitor_checks_expiry on monitor_checks (expires_at)",
  `create table monitor_pages (
     id uuid primary key,
     check_id uuid not null references monitor_checks (id) on delete cascade,
     ${MONITOR_COLUMN},
     position integer not null,
     target_id text not null,
     url text not null,
     status text not null,
     about json not null,
     created_at bigint not null
   )`,
  "create index monitor_pages_check on monitor_pages (check_id, position)",
  "create index monitor_pages_changes on monitor_pages (monitor_id, id) where status <> 'same'",
  `create table monitor_states (
     ${MONITOR_COLUMN},
     key text not null,
     target_id text not null,
     url text not null,
     state json not null,
     primary key (monitor_id, key)
   ) with (fillfactor = 70)`,
  `create table monitor_versions (
     id uuid primary key,
     ${MONITOR_COLUMN},
     key text not null,
     fetched_at bigint not null,
     text_hash text not null,
     body_ref text,
     body_inline bytea
   )`,
  "create index monitor_versions_page on monitor_versions (monitor_id, key, fetched_at)",
  "create index monitor_versions_ref on monitor_versions (body_ref) where body_ref is not null",
  `create table monitor_notices (
     id uuid primary key,
     ${MONITOR_COLUMN},
     account_id uuid not null,
     check_id uuid,
     channel text not null,
     event text not null,
     dedup_key text not null,
     payload json not null,
     state text not null default 'waiting',
     attempts integer not null default 0,
     due_at bigint not null,
     worker text,
     leased_until bigint not null default 0,
     created_at bigint not null,
     ended_at bigint,
     status_code integer,
     failure text
   ) with (fillfactor = 70)`,
  "create unique index monitor_notices_dedup on monitor_notices (dedup_key)",
  "create index monitor_notices_due on monitor_notices (due_at) where state = 'waiting'",
  "create index monitor_notices_monitor on monitor_notices (monitor_id, id)",
];
