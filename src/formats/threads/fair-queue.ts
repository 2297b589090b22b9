/** Number of overflow slots, and milliseconds until a task moves to one. */
export type Overflow = { readonly slots: number; readonly afterMs: number };

/**
 * Limits concurrency. Waiting tasks are in queues, one for each job or key. Queues are served
 * round-robin and each is FIFO, so that one page does not wait for all pages of a large crawl.
 * (piscina's own queue keeps moving what has no thread to its end, and puts abortable tasks first
 * in FIFO mode.)
 *
 * A slow task moves to an overflow slot if one is free: it keeps running and its slot goes to the
 * next task.
 */
export class FairQueue {
  /** By name; the queue to serve next comes first, and none is empty. */
  readonly #queues = new Map<string, Set<() => void>>();
  #free: number;
  readonly #overflow: Overflow;
  readonly #inOverflow = new Set<symbol>();
  /** Slow tasks that found no overflow slot. */
  readonly #slow = new Set<symbol>();

  constructor(slots: number, overflow: Overflow) {
    this.#free = slots;
    this.#overflow = overflow;
  }

  /**
   * Runs a task when its queue is served. Rejects with the reason of `signal` if that aborts first.
   */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>, queue = ""): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal, queue);
    const name = Symbol();
    const timer = setTimeout(() => this.#moveToOverflow(name), this.#overflow.afterMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      this.#finish(name);
    }
  }

  #moveToOverflow(name: symbol): void {
    if (this.#inOverflow.size < this.#overflow.slots) {
      this.#inOverflow.add(name);
      this.#releaseSlot();
    } else this.#slow.add(name);
  }

  #finish(name: symbol): void {
    this.#slow.delete(name);
    if (!this.#inOverflow.delete(name)) {
      this.#releaseSlot();
      return;
    }
    const [next] = this.#slow;
    if (next === undefined) return;
    this.#slow.delete(next);
    this.#moveToOverflow(next);
  }

  #wait(signal: AbortSignal, queue: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = this.#queues.get(queue) ?? new Set();
    const abort = (): void => {
      waiting.delete(begin);
      if (waiting.size === 0) this.#queues.delete(queue);
      reject(signal.reason as Error);
    };
    const begin = (): void => {
      signal.removeEventListener("abort", abort);
      resolve();
    };
    waiting.add(begin);
    this.#queues.set(queue, waiting);
    signal.addEventListener("abort", abort, { once: true });
    return promise;
  }

  /** Passes the slot to the oldest task of the next queue. */
  #releaseSlot(): void {
    const [next] = this.#queues;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    const [queue, waiting] = next;
    const [begin] = waiting;
    this.#queues.delete(queue);
    if (begin === undefined) throw new Error("a queue is never empty");
    waiting.delete(begin);
    if (waiting.size > 0) this.#queues.set(queue, waiting);
    begin();
  }
}
