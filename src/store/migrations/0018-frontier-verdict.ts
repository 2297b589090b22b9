/**
 * The verdict of a fetched page, for the job's ledger; null before, and for pages without a
 * document.
 */
export const statements: readonly string[] = [`alter table frontier add column verdict text`];
