// How parts are closed: within a time, and one after the other whatever goes wrong.

/** Settles with the work, or when the time is over. */
export async function within(ms: number, work: PromiseLike<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** What could not be opened has nothing to close, and the next part is closed all the same. */
export async function ignoreFailure(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}
