/** CPU milliseconds this thread has used: what bounds a computation in a test, however busy the machine is. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
