/**
 * So many works at once. The others wait in lines, one for each job or key: lines take turns, and in a line they come in the
 * order in which they came, so that one page does not wait for all that a large crawl has in hand. (The queue of the thread pool
 * puts what it has no thread for behind everything else, again and again, and what can be aborted before everything else when
 * told to keep the order.)
 */
export class Turns {
  /** By name, the line whose turn is next first; none is empty. */
  readonly #lines = new Map<string, Set<() => void>>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Does the work in the turn of its line. Rejects with the reason of `signal` when that aborts first. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>, line = ""): Promise<Result> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal, line);
    try {
      return await work();
    } finally {
      this.#pass();
    }
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

  /** The place goes to whoever waits longest in the line whose turn it is. */
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
