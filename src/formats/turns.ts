/** How many works may step aside, each after so many milliseconds. */
export type Aside = { readonly places: number; readonly afterMs: number };

/**
 * So many works at once. The others wait in lines, one for each job or key: lines take turns, and in a line they come in the
 * order in which they came, so that one page does not wait for all that a large crawl has in hand. (The queue of the thread pool
 * puts what it has no thread for behind everything else, again and again, and what can be aborted before everything else when
 * told to keep the order.)
 *
 * A work that takes long steps aside, where there is room: it goes on, and its place is given to the next.
 */
export class Turns {
  /** By name, the line whose turn is next first; none is empty. */
  readonly #lines = new Map<string, Set<() => void>>();
  #free: number;
  readonly #aside: Aside;
  readonly #wentAside = new Set<symbol>();
  /** Took long when there was no room. */
  readonly #long = new Set<symbol>();

  constructor(places: number, aside: Aside) {
    this.#free = places;
    this.#aside = aside;
  }

  /** Does the work in the turn of its line. Rejects with the reason of `signal` when that aborts first. */
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
