/** When a URL was queued, for the age of the queue; null for URLs queued before. */
export const statements: readonly string[] = [`alter table frontier add column queued_at bigint`];
