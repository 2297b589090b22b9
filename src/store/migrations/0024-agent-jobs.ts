const LIMITS = (concurrency: string) =>
  `'{"creditBudget":null,"requestsPerMinute":null,"concurrency":' || coalesce(${concurrency}, 'null') || '}'`;

/**
 * Agent runs become jobs; their own table keeps their position in a conversation and their count of
 * events and tokens. Options of jobs keep the order of their keys, which is that of a schema's
 * properties.
 */
export const statements: readonly string[] = [
  `alter table jobs alter column options type json using options::text::json`,
  `create table agent_turns (
     run_id uuid primary key references jobs (id) on delete cascade,
     account_id uuid not null,
     thread_id uuid not null,
     turn integer not null,
     events integer not null default 2,
     tokens_used bigint not null default 0,
     unique (thread_id, turn)
   )`,
  `create index agent_turns_account on agent_turns (account_id, run_id)`,
  `insert into jobs (id, account_id, key_id, kind, url, options, page_limit, max_concurrency, hold, webhook,
       zero_data_retention, created_at, expires_at, life_ms)
     select id, account_id, key_id, 'agent', null,
       ('{"maxCredits":' || max_credits || ',"limits":' || ${LIMITS("options ->> 'keyConcurrency'")} ||
         ',"accountLimits":' || ${LIMITS("options ->> 'accountConcurrency'")} || ',' ||
         substr(ltrim(options::text), 2))::json,
       null, 1, hold, webhook, false, created_at, expires_at, life_ms
     from agent_runs`,
  `insert into job_progress (job_id, owner_id, state, seeding, settled, completed_at, error, warnings, pending, completed,
       failed, events, credits_used)
     select id, account_id,
       case when outcome = 'cancelled' then 'cancelled' when state = 'processing' then 'scraping' else state end,
       state = 'processing', settled, finished_at, error,
       case when warning is null then '[]' else jsonb_build_array(warning) end,
       case when state = 'processing' then step.pending else 0 end, step.completed, step.failed,
       coalesce((select max(sequence) from webhook_deliveries where job_id = id), 0),
       case when outcome in ('credit_limit_reached', 'failed') then 0 else credits_used end
     from agent_runs cross join lateral (
       select count(*) filter (where ended_at is null)::integer as pending,
         count(*) filter (where ended_at is not null and agent_steps.error is null)::integer as completed,
         count(*) filter (where ended_at is not null and agent_steps.error is not null)::integer as failed
       from agent_steps where run_id = agent_runs.id
     ) as step`,
  `insert into job_runs (job_id, run_kind, due_at, progress, result)
     select id, 'agent', case state when 'processing' then 0 end, answer,
       case when outcome is not null then json_build_object('outcome', outcome, 'message', message) end
     from agent_runs`,
  `insert into agent_turns (run_id, account_id, thread_id, turn, events, tokens_used)
     select id, account_id, thread_id, turn,
       events - case when outcome is null then 0 when outcome = 'cancelled' then 3 else 2 end, tokens_used
     from agent_runs`,
  `alter table agent_steps drop constraint agent_steps_run_id_fkey`,
  `drop table agent_runs`,
  `alter table job_progress add column job_kind text`,
  `update job_progress set job_kind = jobs.kind from jobs where jobs.id = job_progress.job_id`,
  `alter table job_progress alter column job_kind set not null`,
  `drop index job_progress_owner`,
  `create index job_progress_owner on job_progress (owner_id, job_kind, state, job_id)`,
  `create index jobs_account_kind on jobs (account_id, kind, id)`,
  `alter table agent_steps add constraint agent_steps_run foreign key (run_id) references jobs (id) on delete cascade`,
];
