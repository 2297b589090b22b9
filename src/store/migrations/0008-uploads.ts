/** Files that callers send before the request that parses them; their bytes are kept files. */
export const statements: readonly string[] = [
  `create table uploads (
     id uuid primary key,
     account_id uuid not null,
     name text not null,
     content_type text not null,
     ref text,
     created_at bigint not null,
     expires_at bigint not null,
     parsed_at bigint
   )`,
  `create index uploads_account on uploads (account_id, created_at)`,
];
