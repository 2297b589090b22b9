/** Live browser sessions with their process, and saved profiles. */
export const statements: readonly string[] = [
  `create table browser_sessions (
     id uuid primary key,
     account_id uuid not null,
     key_id uuid not null,
     scrape_id uuid,
     worker text not null,
     alive_until bigint not null,
     stream_web_view boolean not null,
     created_at bigint not null,
     last_activity bigint not null,
     expires_at bigint not null,
     ended_at bigint,
     end_reason text
   )`,
  `create unique index browser_sessions_scrape on browser_sessions (scrape_id)
     where ended_at is null and scrape_id is not null`,
  `create index browser_sessions_account on browser_sessions (account_id, created_at)`,
  `create table browser_profiles (
     account_id uuid not null,
     name text not null,
     state bytea,
     saved_at bigint,
     writer text,
     writer_until bigint not null default 0,
     primary key (account_id, name)
   )`,
];
