/** Requests counted over all API processes. Lost with a crash of the database, which costs a minute of counting. */
export const statements: readonly string[] = [
  `create unlogged table rate_windows (
     owner text not null,
     second bigint not null,
     taken integer not null,
     primary key (owner, second)
   )`,
];
