/** CPU milliseconds of this thread, which bound a computation on a busy machine too. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
