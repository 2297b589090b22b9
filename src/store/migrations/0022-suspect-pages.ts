/**
 * Suspects are few, so they are found without reading the queue of their job. The number is
 * `SUSPECT_AFTER`.
 */
export const statements: readonly string[] = [
  `create index frontier_suspects on frontier (job_id, depth, sequence) where attempt >= 3 and state <> 'done'`,
];
