/**
 * Records of removed jobs, and the key blob that encrypts the results of a job with zero data
 * retention.
 */
export const statements: readonly string[] = [
  `create table expired_jobs (
     id uuid primary key,
     account_id uuid not null,
     kind text not null,
     removed_at bigint not null
   )`,
  `create index expired_jobs_age on expired_jobs (removed_at)`,
  `create index credit_ledger_held_for on credit_ledger (job_id) where kind = 'hold'`,
  `alter table jobs add column seal_ref text`,
  `create index jobs_seal on jobs (seal_ref) where seal_ref is not null`,
];
