// A page that was begun several times and never came to an end may be what its process died of, or it was in the hands of
// processes that were killed for other reasons. To tell which, a worker tries such a page alone: nothing else is begun until it
// has ended. And not before the process has lived for a while, twice as long with each try: processes that are killed for other
// reasons do not live for longer each time and die just when the page is tried.
import type { LeasedPage } from "../store/jobs/frontier.ts";

/** Shorter lives than this are no proof against a page, milliseconds. */
const SETTLE_MS = 5_000;
/** Between looks for such pages, while there is nothing else to do and while there is: a look goes through all that waits. */
const IDLE_LOOK_MS = 5_000;
const BUSY_LOOK_MS = 30_000;

/** Which suspect a worker has, and when it looks for the next one. */
export class Suspects {
  readonly #settleMs: number;
  #settledAt = Infinity;
  #lookedAt = -Infinity;
  #page: LeasedPage | undefined;
  #isBegun = false;

  constructor(settleMs = SETTLE_MS) {
    this.#settleMs = settleMs;
  }

  /** The worker's life begins. */
  start(): void {
    this.#settledAt = performance.now() + this.#settleMs;
  }

  /** Whether one is in hand: no other page is claimed meanwhile. */
  get isOpen(): boolean {
    return this.#page !== undefined;
  }

  /** Whether one waits until nothing else is in hand. */
  get isWaiting(): boolean {
    return this.isOpen && !this.#isBegun;
  }

  /** Pages that were tried alone fewer times than this may be tried now. */
  get tries(): number {
    const lived = performance.now() - this.#settledAt + this.#settleMs;
    return this.#settleMs === 0 ? Infinity : 1 + Math.floor(Math.log2(lived / this.#settleMs));
  }

  isDue(isIdle: boolean): boolean {
    const now = performance.now();
    if (this.isOpen || now < this.#settledAt) return false;
    if (now - this.#lookedAt < (isIdle ? IDLE_LOOK_MS : BUSY_LOOK_MS)) return false;
    this.#lookedAt = now;
    return true;
  }

  /** What a look brought: one page or none. */
  take([page]: readonly LeasedPage[]): void {
    this.#page = page;
    this.#isBegun = false;
  }

  /** The one that waits, from now on begun. */
  begin(): LeasedPage | undefined {
    if (!this.isWaiting) return undefined;
    this.#isBegun = true;
    return this.#page;
  }

  /** Where there was one, there may be more: the next look is due at once. */
  end(page: LeasedPage): void {
    if (page !== this.#page) return;
    this.#page = undefined;
    this.#lookedAt = -Infinity;
  }
}
