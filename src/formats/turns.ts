/** Number of overflow slots, and milliseconds until a task moves to one. */
export type Aside = { readonly places: number; readonly afterMs: number };

/**
 * Limits concurrency. Waiting tasks are in queues, one for each job or key. Queues are served
 * round-robin and each is FIFO, so that one page does not wait for all pages of a large crawl.
 * (piscina's own queue keeps moving what has no thread to its end, and puts abortable tasks first
 * in FIFO mode.)
 *
 * A slow task moves to an overflow slot if one is free: it keeps running and its slot goes to the
 * next task.
 */
export class Turns {
  /** By name; the queue to serve next comes first, and none is empty. */
  readonly #lines = new Map<string, Set<() => void>>();
  #free: number;
  readonly #aside: Aside;
  readonly #wentAside = new Set<symbol>();
  /** Slow tasks that found no overflow slot. */
  readonly #long = new Set<symbol>();

  constructor(places: number, aside: Aside) {
    this.#free = places;
    this.#aside = aside;
  }

  /**
   * Runs a task when its queue is served. Rejects with the reason of `signal` if that aborts first.
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>, line = ""): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal, line);
    const name = Symbol();
    const timer = setTimeout(() => this.#stepAside(name), this.#aside.afterMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#leave(name);
    }
  }

  #stepAside(name: symbol): void {
    if (this.#wentAside.size < this.#aside.places) {
      this.#wentAside.add(name);
      this.#pass();
    } else this.#long.add(name);
  }

  #leave(name: symbol): void {
    this.#long.delete(name);
    if (!this.#wentAside.delete(name)) {
      this.#pass();
      return;
    }
    const [next] = this.#long;
    if (next === undefined) return;
    this.#long.delete(next);
    this.#stepAside(next);
  }

  #turn(signal: AbortSignal, line: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = this.#lines.get(line) ?? new Set();
    const abort = (): void => {
      waiting.delete(begin);
      if (waiting.size === 0) this.#lines.delete(line);
      reject(signal.reason as Error);
    };
    const begin = (): void => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    waiting.add(begin);
    this.#lines.set(line, waiting);
    signal.addEventListener("abort", abort, { once: true });
    return promise;
  }

  /** Passes the slot to the oldest task of the next queue. */
  #pass(): void {
    const [next] = this.#lines;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [line, waiting] = next;
    const [begin] = waiting;
    this.#lines.delete(line);
    if (begin === undefined) throw new Error("a line is never empty");
    waiting.delete(begin);
    if (waiting.size > 0) this.#lines.set(line, waiting);
    begin();
  }
}
