/**
 * Stored extractors. Programs and requests keep the order of their keys, which is that of the
 * fields.
 */
export const statements: readonly string[] = [
  `create table extractors (
     id uuid primary key,
     account_id uuid not null,
     name text not null,
     source text not null,
     version integer not null,
     state text not null,
     program json not null,
     request json not null,
     health json not null,
     created_at bigint not null,
     updated_at bigint not null
   )`,
  "create index extractors_account on extractors (account_id, id)",
];
