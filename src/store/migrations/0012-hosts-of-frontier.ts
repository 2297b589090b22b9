/** Pages that can be claimed, by host: those of one host are stepped over however many they are. */
export const statements: readonly string[] = [
  `create index frontier_hosts on frontier (job_id, host, depth, sequence) where state = 'ready'`,
];
