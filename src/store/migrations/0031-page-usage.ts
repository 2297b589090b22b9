/** Pages by account, key and hour. Element i of `latency` counts those in the i-th range of time. */
export const statements: readonly string[] = [
  `create table page_usage (
     account_id uuid not null,
     key_id uuid not null,
     hour bigint not null,
     pages bigint not null,
     blocked bigint not null,
     thin bigint not null,
     failed bigint not null,
     cache_hits bigint not null,
     browser_pages bigint not null,
     bytes bigint not null,
     latency bigint[] not null,
     primary key (account_id, hour, key_id)
   )`,
];
