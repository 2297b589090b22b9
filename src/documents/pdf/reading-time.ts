// How long the pages of a PDF may be read, so that what was read can also be laid out before its time is up.

/** Of the time, before it is known what laying out takes: some files take longer for it than for their reading. */
const TO_READ = 0.4;
/** Share of the time after which that is tried out on the pages that have been read. */
const REHEARSED_AT = 0.1;
/** The pages to come may take longer than those that were tried. */
const CAUTION = 1.25;

export class ReadingTime {
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #budgetMs: number;
  #readsUntil: number;
  #isRehearsed = false;

  constructor(budgetMs: number, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#budgetMs = budgetMs;
    this.#startedAt = now();
    this.#readsUntil = this.#startedAt + TO_READ * budgetMs;
  }

  /** When all of it is over, as `now` counts. */
  get endsAt(): number {
    return this.#startedAt + this.#budgetMs;
  }

  isOver(): boolean {
    return this.#now() > this.endsAt;
  }

  /** Has reading to end here? `layOut` is done once, with what was read so far, to see how long it takes. */
  mustLayOut(layOut: (() => void) | undefined): boolean {
    const read = this.#now();
    const readMs = read - this.#startedAt;
    if (layOut !== undefined && !this.#isRehearsed && readMs > REHEARSED_AT * this.#budgetMs) {
      this.#isRehearsed = true;
      layOut();
      const lostMs = this.#now() - read;
      const share = readMs / (readMs + CAUTION * lostMs);
      this.#readsUntil = this.#startedAt + lostMs + share * (this.#budgetMs - lostMs);
    }
    return this.#now() > this.#readsUntil;
  }
}
