/**
 * Requests in progress of owners with a limit, by process. Unlogged: each process rewrites its own
 * after a crash.
 */
export const statements: readonly string[] = [
  `create unlogged table concurrency_shares (
     owner text not null,
     process text not null,
     held integer not null,
     leased_until bigint not null,
     primary key (owner, process)
   )`,
];
