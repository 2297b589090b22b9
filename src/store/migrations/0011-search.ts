/**
 * Searchable pages, and the extraction jobs. Long values are stored uncompressed beside the row:
 * they are compressed already, or compressing costs more than it saves.
 */
export const statements: readonly string[] = [
  `create table search_pages (
     account_id uuid not null,
     identity bigint not null,
     capture bigint not null,
     url text not null,
     title text not null,
     description text not null,
     language text not null,
     is_pdf boolean not null,
     words tsvector not null,
     body bytea not null,
     fetched_at bigint not null,
     primary key (account_id, identity)
   )`,
  `alter table search_pages alter words set storage external, alter body set storage external`,
  `create index search_pages_words on search_pages using gin (words) with (fastupdate = on, gin_pending_list_limit = 512)`,
  `create index search_pages_capture on search_pages (capture)`,
  `create table extracts (
     id uuid primary key,
     account_id uuid not null,
     key_id uuid not null,
     options jsonb not null,
     state text not null default 'processing' check (state in ('processing', 'completed', 'failed', 'cancelled')),
     pages jsonb not null default '[]',
     data jsonb,
     sources jsonb,
     error jsonb,
     warning text,
     credits_used bigint not null default 0,
     tokens_used bigint not null default 0,
     created_at bigint not null,
     completed_at bigint,
     expires_at bigint not null
   )`,
  `create index extracts_expiry on extracts (expires_at)`,
  `create index extracts_processing on extracts (id) where state = 'processing'`,
];
