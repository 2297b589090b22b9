/** How a page was fetched: attempts, times and spans. */
export const statements: readonly string[] = ["alter table scrapes add column explanation jsonb"];
