/**
 * Console sessions and one-time sign-in links. Stores only hashes of what the browser or the link
 * carries. A row without `key_hash` belongs to the operator; with one it lasts as long as that key.
 */
export const statements: readonly string[] = [
  `create table console_sessions (
     hash text primary key,
     kind text not null,
     key_hash text,
     created_at bigint not null,
     expires_at bigint not null
   )`,
  "create index console_sessions_expiry on console_sessions (expires_at)",
];
