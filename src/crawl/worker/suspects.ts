// A page that was started several times and never ended may have killed its process, or its
// processes died for other reasons. To find out, a worker tries such a page alone. The process must
// have lived for a while first, twice as long with each try, because processes that die for other
// reasons rarely die exactly when the page is tried.
import type { LeasedPage } from "../../store/jobs/frontier.ts";

/** Process lifetimes shorter than this prove nothing against a page, milliseconds. */
const SETTLE_MS = 5_000;
/** Polling intervals, idle and busy. Each look scans all waiting pages. */
const IDLE_POLL_MS = 5_000;
const BUSY_POLL_MS = 30_000;

/** Tracks the suspect page of a worker and when to look for the next. */
export class Suspects {
  readonly #settleMs: number;
  #settledAt = Infinity;
  #lookedAt = -Infinity;
  #page: LeasedPage | undefined;
  #isBegun = false;

  constructor(settleMs = SETTLE_MS) {
    this.#settleMs = settleMs;
  }

  /** The worker starts. */
  start(): void {
    this.#settledAt = performance.now() + this.#settleMs;
  }

  /** True if a suspect is in progress; no other page is claimed meanwhile. */
  get isOpen(): boolean {
    return this.#page !== undefined;
  }

  /** True if a suspect waits until nothing else is in progress. */
  get isWaiting(): boolean {
    return this.isOpen && !this.#isBegun;
  }

  /** Number of attempts alone that a page may have had to be tried now; it grows with time. */
  get tries(): number {
    const lived = performance.now() - this.#settledAt + this.#settleMs;
    return this.#settleMs === 0 ? Infinity : 1 + Math.floor(Math.log2(lived / this.#settleMs));
  }

  isDue(isIdle: boolean): boolean {
    const now = performance.now();
    if (this.isOpen || now < this.#settledAt) return false;
    if (now - this.#lookedAt < (isIdle ? IDLE_POLL_MS : BUSY_POLL_MS)) return false;
    this.#lookedAt = now;
    return true;
  }

  /** Takes the result of a look: one page or none. */
  take([page]: readonly LeasedPage[]): void {
    this.#page = page;
    this.#isBegun = false;
  }

  /** Starts the waiting suspect and returns it. */
  begin(): LeasedPage | undefined {
    if (!this.isWaiting) return undefined;
    this.#isBegun = true;
    return this.#page;
  }

  /** There may be more: the next look is due at once. */
  end(page: LeasedPage): void {
    if (page !== this.#page) return;
    this.#page = undefined;
    this.#lookedAt = -Infinity;
  }
}
