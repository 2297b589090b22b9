/** The trace of a job: its pages, its run and its webhooks continue it. */
export const statements: readonly string[] = [`alter table jobs add column traceparent text`];
