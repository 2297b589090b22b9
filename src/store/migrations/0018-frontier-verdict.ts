/** What a fetched page turned out to be, so that the ledger of a job names it; null before and for pages without a document. */
export const statements: readonly string[] = [`alter table frontier add column verdict text`];
