// Limits the time for reading PDF pages, so that they can also be laid out in time.

/**
 * Share of the time for reading before the cost of layout is known. In some files layout takes
 * longer than reading.
 */
const READING_SHARE = 0.4;
/** Share of the time after which layout is timed on the pages read so far. */
const REHEARSAL_SHARE = 0.1;
/** Later pages may take longer than the timed ones. */
const LATER_PAGES_FACTOR = 1.25;

export class ReadBudget {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #budgetMs: number;
  #readsUntil: number;
  #isRehearsed = false;

  constructor(budgetMs: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#budgetMs = budgetMs;
    this.#startedAt = now();
    this.#readsUntil = this.#startedAt + READING_SHARE * budgetMs;
  }

  /** End of the whole budget, in units of `now`. */
  get endsAt(): number {
    return this.#startedAt + this.#budgetMs;
  }

  isOver(): boolean {
    return this.#now() > this.endsAt;
  }

  /**
   * Returns true if reading must end now. `layOut` runs once on the pages read so far to time it.
   */
  mustStopReading(layOut: (() => void) | undefined): boolean {
    const read = this.#now();
    const readMs = read - this.#startedAt;
    if (layOut !== undefined && !this.#isRehearsed && readMs > REHEARSAL_SHARE * this.#budgetMs) {
      this.#isRehearsed = true;
      layOut();
      const lostMs = this.#now() - read;
      const share = readMs / (readMs + LATER_PAGES_FACTOR * lostMs);
      this.#readsUntil = this.#startedAt + lostMs + share * (this.#budgetMs - lostMs);
    }
    return this.#now() > this.#readsUntil;
  }
}
