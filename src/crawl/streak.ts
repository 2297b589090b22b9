// Tracks how long a host has served nothing. One refused page is judged alone. When all pages of a
// host are refused, they wait together and are given up together.

export type StreakLimits = {
  /** A host that serves nothing for this long is given up; 0 means never. */
  readonly patienceMs: number;
  /** Refusals, each after a pause, before a host is given up. */
  readonly rests: number;
  /** Consecutive requests without an answer before a host is given up. */
  readonly silent: number;
  /** Consecutive refused pages from which on the host counts as refusing. */
  readonly pages: number;
};

export const STREAK_LIMITS: StreakLimits = {
  patienceMs: 300_000,
  rests: 3,
  silent: 10,
  pages: 3,
};

/** Interval between single probes of a host that was given up. */
const PROBE_MS = 60_000;

/** The answers of a host since it last served a page. */
export class Streak {
  readonly #limits: StreakLimits;
  readonly #pages = new Set<string>();
  #requests = 0;
  #silent = 0;
  #rests = 0;
  #status = 0;
  #since = 0;
  #last = 0;
  #probeAt = Infinity;

  constructor(limits: StreakLimits) {
    this.#limits = limits;
  }

  /** The host served a page. */
  end(): void {
    this.#pages.clear();
    this.#requests = this.#silent = this.#rests = this.#status = 0;
    this.#probeAt = Infinity;
  }

  /**
   * The host said "retry later" after this many requests for the page; `isNews` if the page was
   * requested after the last pause.
   */
  refuse(url: string, statusCode: number, isNews: boolean, now: number, requests = 1): void {
    if (isNews) this.#rests += 1;
    if (this.#pages.size < this.#limits.pages) this.#pages.add(url);
    this.#status = statusCode;
    this.#note(now, requests);
  }

  /** The host did not answer. */
  miss(now: number): void {
    this.#silent += 1;
    this.#note(now, 1);
  }

  /** True if the host refuses, not just one page. */
  get isRefusing(): boolean {
    return this.#pages.size >= this.#limits.pages;
  }

  /** Unanswered requests since it last served a page. */
  get silent(): number {
    return this.#silent;
  }

  /** True if the host was given up and has served nothing since. */
  get isLost(): boolean {
    return this.#probeAt !== Infinity;
  }

  /** Since when it has served nothing, milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /**
   * Returns the reason why no page of the host may be fetched now; undefined if one may, even only
   * as a probe.
   */
  lost(now: number): string | undefined {
    if (!this.isLost) return undefined;
    if (now < this.#probeAt) return this.#words();
    this.#probeAt = now + PROBE_MS;
    return undefined;
  }

  #note(now: number, requests: number): void {
    if (this.#requests === 0) this.#since = now;
    this.#requests += requests;
    this.#last = now;
    const { patienceMs, rests, silent } = this.#limits;
    const isLong = patienceMs > 0 && now - this.#since >= patienceMs;
    if (isLong && (this.#rests >= rests || this.#silent >= silent)) this.#probeAt = now + PROBE_MS;
  }

  #words(): string {
    const seconds = Math.round((this.#last - this.#since) / 1_000);
    const did =
      this.#status === 0
        ? `answered none of ${this.#requests} requests`
        : `served none of ${this.#requests} requests (last answer ${this.#status})`;
    return `${did} within ${seconds} s and was given up`;
  }
}
