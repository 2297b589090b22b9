/** Requests in work of owners with a limit, by process. Lost with a crash of the database; each process writes its own again. */
export const statements: readonly string[] = [
  `create unlogged table concurrency_shares (
     owner text not null,
     process text not null,
     held integer not null,
     leased_until bigint not null,
     primary key (owner, process)
   )`,
];
