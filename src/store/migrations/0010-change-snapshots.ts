/**
 * Versions of pages for comparison, and which crawl saw which page. Both are removed with their
 * account.
 */
export const statements: readonly string[] = [
  `create table change_histories (
     account_id uuid not null references accounts (id) on delete cascade,
     key text not null,
     url text not null,
     tag text,
     revision bigint not null,
     primary key (account_id, key)
   )`,
  `create table change_versions (
     id uuid primary key,
     account_id uuid not null,
     key text not null,
     fetched_at bigint not null,
     job_id uuid,
     text_hash text not null,
     made_with text not null,
     body_ref text,
     body_inline bytea,
     size_bytes integer not null,
     foreign key (account_id, key) references change_histories (account_id, key) on delete cascade
   )`,
  `create index change_versions_history on change_versions (account_id, key, fetched_at)`,
  `create index change_versions_body on change_versions (body_ref) where body_ref is not null`,
  `create table change_sightings (
     account_id uuid not null,
     crawl_key text not null,
     key text not null,
     job_id uuid not null,
     primary key (account_id, crawl_key, key),
     foreign key (account_id, key) references change_histories (account_id, key) on delete cascade
   )`,
  `create index change_sightings_history on change_sightings (account_id, key)`,
  `alter table job_progress add column revisit text`,
];
