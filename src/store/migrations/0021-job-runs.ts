/**
 * Jobs of every kind are in `jobs` and `job_progress`; the part of a job that one process at a time
 * executes is its run, claimed under a lease. Extractions move there. A schedule starts jobs at its
 * times.
 */
export const statements: readonly string[] = [
  `create table job_runs (
     job_id uuid primary key references jobs (id) on delete cascade,
     run_kind text not null,
     due_at bigint,
     worker text,
     attempts integer not null default 0,
     progress json,
     result json,
     schedule_id uuid,
     scheduled_for bigint
   ) with (fillfactor = 50)`,
  `create index job_runs_due on job_runs (run_kind, due_at) where due_at is not null`,
  `create unique index job_runs_schedule on job_runs (schedule_id, scheduled_for) where schedule_id is not null`,
  `create table schedules (
     id uuid primary key,
     account_id uuid not null,
     key_id uuid not null,
     kind text not null,
     options jsonb not null,
     next_at bigint,
     worker text,
     leased_until bigint not null default 0,
     created_at bigint not null
   )`,
  `create index schedules_due on schedules (next_at) where next_at is not null`,
  `insert into jobs (id, account_id, key_id, kind, url, options, page_limit, max_concurrency, hold, webhook,
       zero_data_retention, created_at, expires_at, life_ms)
     select id, account_id, key_id, 'extract', null, options, null, 1, null, nullif(options -> 'webhook', 'null'),
       false, created_at, expires_at, expires_at - coalesce(completed_at, created_at)
     from extracts`,
  `insert into job_progress (job_id, owner_id, state, seeding, settled, completed_at, error, warnings, pending, completed,
       failed, events, credits_used)
     select id, account_id, case state when 'processing' then 'scraping' else state end, state = 'processing',
       state <> 'processing', completed_at, nullif(error, 'null'),
       case when warning is null then '[]' else jsonb_build_array(warning) end,
       page.pending, page.completed, page.failed,
       coalesce((select max(sequence) from webhook_deliveries where job_id = id), 0), credits_used
     from extracts cross join lateral (
       select count(*) filter (where entry -> 'data' is not null)::integer as completed,
         count(*) filter (where entry -> 'data' is null and entry -> 'error' is not null)::integer as failed,
         count(*) filter (where entry -> 'data' is null and entry -> 'error' is null)::integer as pending
       from jsonb_array_elements(case jsonb_typeof(pages) when 'array' then pages else '[]' end) as given (entry)
     ) as page`,
  `insert into job_runs (job_id, run_kind, due_at, progress, result)
     select id, 'extract', case state when 'processing' then 0 end, nullif(pages, 'null')::json,
       case state when 'completed' then json_build_object('data', data, 'sources', coalesce(sources, '{}')) end
     from extracts`,
  `drop table extracts`,
];
