/**
 * So many works at once, the others in the order in which they came. (The queue of the thread pool puts what it has no thread
 * for behind everything else, again and again, and what can be aborted before everything else when told to keep the order.)
 */
export class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Does the work in its turn. Rejects with the reason of `signal` when that aborts first. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#waiting.delete(begin);
      reject(signal.reason as Error);
    };
    const begin = (): void => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    this.#waiting.add(begin);
    signal.addEventListener("abort", abort, { once: true });
    return promise;
  }

  /** The place goes to whoever waits longest. */
  #pass(): void {
    const [begin] = this.#waiting;
    if (begin === undefined) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(begin);
    begin();
  }
}
