// Limits concurrency: further calls wait in order until their deadline. Pages wait in the FairQueue of
// src/formats/ instead, which serves jobs in turn.
import type { Deadline } from "./deadline.ts";

export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs the work as soon as a slot is free. Rejects if the deadline passes first. */
  async run<T>(work: () => Promise<T>, deadline: Deadline): Promise<T> {
    await this.#acquire(deadline);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async #acquire(deadline: Deadline): Promise<void> {
    deadline.check();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    try {
      await deadline.race(promise);
    } catch (error) {
      const at = this.#waiting.indexOf(resolve);
      // The slot may arrive at the same moment: pass it on.
      if (at === -1) this.#release();
      else this.#waiting.splice(at, 1);
      throw error;
    }
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
