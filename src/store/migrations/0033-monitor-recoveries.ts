/** Recoveries of unchanged pages, for the feed of their monitor. */
export const statements: readonly string[] = [
  `create index monitor_pages_recoveries on monitor_pages (monitor_id, id)
    where status = 'same' and about ->> 'event' = 'recovered'`,
];
