/** Index to find the next event to send without scanning all waiting ones. */
export const statements: readonly string[] = [
  `drop index webhook_deliveries_due`,
  `create index webhook_deliveries_due on webhook_deliveries (job_id, due_at, sequence) where state = 'waiting'`,
  `create index webhook_deliveries_later on webhook_deliveries (due_at) where state = 'waiting'`,
  `create index webhook_deliveries_taken on webhook_deliveries (leased_until) where state = 'waiting'`,
  `create index webhook_deliveries_of_jobs on webhook_deliveries (job_id, sequence)
     where state = 'waiting' and not tried and type not like '%.page'`,
];
