// Helpers for closing parts of the service in order, each within a time limit.

/** Waits for `work`, at most `ms`. The work itself is not cancelled. */
export async function withTimeout(ms: number, work: PromiseLike<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Runs `work` and ignores its rejection, so that the next part is closed as well. */
export async function settle(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}
