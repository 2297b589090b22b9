// Gives up a host that has served nothing for a long time. A single refused page does not count
// against its host. When all pages of a host are refused, they wait together and fail together.

export type CircuitBreakerLimits = {
  /** A host that serves nothing for this long is given up; 0 means never. */
  readonly patienceMs: number;
  /** Refusals, each after a pause, before a host is given up. */
  readonly refusals: number;
  /** Consecutive requests without an answer before a host is given up. */
  readonly unanswered: number;
  /** Consecutive refused pages from which on the host counts as refusing. */
  readonly pages: number;
};

export const CIRCUIT_BREAKER_LIMITS: CircuitBreakerLimits = {
  patienceMs: 300_000,
  refusals: 3,
  unanswered: 10,
  pages: 3,
};

/** Interval between single probes of a host that was given up. */
const PROBE_MS = 60_000;

/** Counts the answers of a host since it last served a page. Open: no page of it is fetched. */
export class CircuitBreaker {
  readonly #limits: CircuitBreakerLimits;
  readonly #pages = new Set<string>();
  #requests = 0;
  #unanswered = 0;
  #refusals = 0;
  #status = 0;
  #since = 0;
  #last = 0;
  #probeAt = Infinity;

  constructor(limits: CircuitBreakerLimits) {
    this.#limits = limits;
  }

  /** Closes the circuit: the host served a page. */
  recordSuccess(): void {
    this.#pages.clear();
    this.#requests = this.#unanswered = this.#refusals = this.#status = 0;
    this.#probeAt = Infinity;
  }

  /**
   * The host said "retry later" after this many requests for the page; `isNews` if the page was
   * requested after the last pause.
   */
  recordRefusal(url: string, statusCode: number, isNews: boolean, now: number, requests = 1): void {
    if (isNews) this.#refusals += 1;
    if (this.#pages.size < this.#limits.pages) this.#pages.add(url);
    this.#status = statusCode;
    this.#record(now, requests);
  }

  /** The host did not answer. */
  recordNoAnswer(now: number): void {
    this.#unanswered += 1;
    this.#record(now, 1);
  }

  /** True if the host refuses, not just one page. */
  get isRefusing(): boolean {
    return this.#pages.size >= this.#limits.pages;
  }

  /** Unanswered requests since it last served a page. */
  get unanswered(): number {
    return this.#unanswered;
  }

  /** True if the host was given up and has served nothing since. */
  get isOpen(): boolean {
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
  findReasonToStop(now: number): string | undefined {
    if (!this.isOpen) return undefined;
    if (now < this.#probeAt) return this.#describe();
    this.#probeAt = now + PROBE_MS;
    return undefined;
  }

  #record(now: number, requests: number): void {
    if (this.#requests === 0) this.#since = now;
    this.#requests += requests;
    this.#last = now;
    const { patienceMs, refusals, unanswered } = this.#limits;
    const isLong = patienceMs > 0 && now - this.#since >= patienceMs;
    if (isLong && (this.#refusals >= refusals || this.#unanswered >= unanswered))
      this.#probeAt = now + PROBE_MS;
  }

  #describe(): string {
    const seconds = Math.round((this.#last - this.#since) / 1_000);
    const did =
      this.#status === 0
        ? `answered none of ${this.#requests} requests`
        : `served none of ${this.#requests} requests (last answer ${this.#status})`;
    return `${did} within ${seconds} s and was given up`;
  }
}
