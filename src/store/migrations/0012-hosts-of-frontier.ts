/** Claimable pages by host, so that any number of pages of one host can be skipped. */
export const statements: readonly string[] = [
  `create index frontier_hosts on frontier (job_id, host, depth, sequence) where state = 'ready'`,
];
