/**
 * Requests counted over all API processes. Unlogged: a database crash loses one minute of counts.
 */
export const statements: readonly string[] = [
  `create unlogged table rate_windows (
     owner text not null,
     second bigint not null,
     taken integer not null,
     primary key (owner, second)
   )`,
];
