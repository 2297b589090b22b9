import { setImmediate as nextTurn } from "node:timers/promises";

/** Longer work yields, so that the event loop can serve connections, requests and timers. */
const MAX_TURN_MS = 15;

/**
 * Keeps long work from blocking the event loop. Work that awaits only resolved values, such as
 * results of the embedded database, runs in microtasks, and no I/O happens until it ends.
 */
export class TurnBudget {
  readonly #maxMs: number;
  #beganAt: number | undefined;

  constructor(maxMs = MAX_TURN_MS) {
    this.#maxMs = maxMs;
  }

  /**
   * Call before each piece of the work; resolves in a later turn of the event loop once this one
   * has taken too long.
   */
  async yieldWhenSpent(): Promise<void> {
    // Checked again after each wait: other waiters may have used up the new turn.
    while (this.#beganAt !== undefined && performance.now() - this.#beganAt > this.#maxMs)
      await nextTurn();
    if (this.#beganAt !== undefined) return;
    this.#beganAt = performance.now();
    setImmediate(() => {
      this.#beganAt = undefined;
    });
  }
}
