/** Notifications that were sent in one message stay together in each further attempt. */
export const statements: readonly string[] = [
  "alter table monitor_notices add column group_id uuid",
  "create index monitor_notices_group on monitor_notices (group_id) where state = 'waiting' and group_id is not null",
];
