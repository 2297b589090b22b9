/**
 * Lists of an account's jobs, newest first, with or without a state, at any number of jobs. The
 * account column has another name than in `jobs`, so that joins stay unambiguous.
 */
export const statements: readonly string[] = [
  `create index jobs_account on jobs (account_id, id)`,
  `alter table job_progress add column owner_id uuid`,
  `update job_progress set owner_id = jobs.account_id from jobs where jobs.id = job_progress.job_id`,
  `alter table job_progress alter column owner_id set not null`,
  `create index job_progress_owner on job_progress (owner_id, state, job_id)`,
  `create index agent_runs_list on agent_runs (account_id, id)`,
  `create index agent_runs_state on agent_runs (account_id, state, id)`,
  `create index extracts_list on extracts (account_id, id)`,
  `create index extracts_state on extracts (account_id, state, id)`,
];
