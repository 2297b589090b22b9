// How long a host has served nothing. What a page alone is refused is the page's matter; that all pages of a host are is the
// host's: they wait together, and are given up together when it takes too long.

export type StreakLimits = {
  /** A host that serves nothing for so long is given up; 0: never. */
  readonly patienceMs: number;
  /** Refusals that each had a rest before it, of a host that is given up. */
  readonly rests: number;
  /** Requests in a row without an answer, of a host that is given up. */
  readonly silent: number;
  /** Pages refused without one served between them, from which on it is the host that refuses. */
  readonly pages: number;
};

export const STREAK_LIMITS: StreakLimits = {
  patienceMs: 300_000,
  rests: 3,
  silent: 10,
  pages: 3,
};

/** How long nobody asks a host that was given up, before one page finds out whether it is back. */
const PROBE_MS = 60_000;

/** What a host has answered since it last served a page. */
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

  /** The host served a page: all is well. */
  end(): void {
    this.#pages.clear();
    this.#requests = this.#silent = this.#rests = this.#status = 0;
    this.#probeAt = Infinity;
  }

  /** The host said "later" to a page that took so many requests; `isNews` when it was asked after its last rest. */
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

  /** Whether it is the host that refuses, not a page of it. */
  get isRefusing(): boolean {
    return this.#pages.size >= this.#limits.pages;
  }

  /** Requests without an answer since it last served a page. */
  get silent(): number {
    return this.#silent;
  }

  /** Whether the host was given up, and has served nothing since. */
  get isLost(): boolean {
    return this.#probeAt !== Infinity;
  }

  /** Since when it serves nothing, milliseconds since the epoch. */
  get since(): number {
    return this.#since;
  }

  /** Why no page of the host is to be fetched now; undefined when one may be, if only to look whether it is back. */
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
