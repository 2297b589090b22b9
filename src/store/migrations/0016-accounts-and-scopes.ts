/** Accounts with limits that can be disabled, and permissions of keys. Null means no limit. */
export const statements: readonly string[] = [
  `alter table accounts
     add column disabled_at bigint,
     add column credit_budget bigint,
     add column requests_per_minute integer,
     add column concurrency integer,
     add column index_pages integer`,
  `create unique index accounts_name on accounts (name)`,
  `alter table api_keys
     add column scopes jsonb,
     add column allow_hosts jsonb`,
];
