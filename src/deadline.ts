import { LimitError } from "./errors.ts";

/**
 * A time budget passed through everything a request does. `signal` aborts when it runs out or the
 * parent signal aborts (the caller hung up, the server stops). The opener disposes it.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly endsAt: number;
  readonly totalMs: number;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #unlink: () => void;

  private constructor(totalMs: number, parent: AbortSignal | undefined) {
    this.totalMs = totalMs;
    this.endsAt = performance.now() + totalMs;
    this.signal = this.#controller.signal;
    this.#timer = setTimeout(() => this.#controller.abort(this.createExpiry()), totalMs);
    const onAbort = (): void => this.#controller.abort(parent?.reason);
    if (parent?.aborted) onAbort();
    else parent?.addEventListener("abort", onAbort, { once: true });
    this.#unlink = () => parent?.removeEventListener("abort", onAbort);
  }

  static start(totalMs: number, parent?: AbortSignal): Deadline {
    return new Deadline(totalMs, parent);
  }

  /** Milliseconds left, never below 0. */
  getTimeLeftMs(): number {
    return Math.max(0, this.endsAt - performance.now());
  }

  /** Creates a part of this budget: at most `ms`, never more than the remaining time. */
  createChild(ms: number): Deadline {
    return new Deadline(Math.min(ms, this.getTimeLeftMs()), this.signal);
  }

  /** Throws SCRAPE_TIMEOUT, or the parent's abort reason. */
  check(): void {
    if (this.signal.aborted) throw this.signal.reason;
    if (this.getTimeLeftMs() === 0) throw this.createExpiry();
  }

  /**
   * Settles with `work`, or rejects when the time is up. The work is not stopped: pass it `signal`.
   */
  async race<T>(work: Promise<T>): Promise<T> {
    // After the deadline the work is not awaited; its failure must not end the process.
    work.catch(() => undefined);
    this.check();
    const { promise, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(this.signal.reason);
    this.signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.signal.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Like `race`, but gives the work a grace period of `ms` so it can report its own error, such as
   * which step was running.
   */
  async raceWithGrace<T>(work: Promise<T>, ms: number): Promise<T> {
    try {
      return await this.race(work);
    } catch (error) {
      // A caller that hung up does not listen.
      if (error !== this.signal.reason || !(error instanceof LimitError)) throw error;
      const silence = Promise.withResolvers<never>();
      const timer = setTimeout(() => silence.reject(error), ms);
      try {
        return await Promise.race([work, silence.promise]);
      } finally {
        clearTimeout(timer);
      }
    }
  }

  createExpiry(): LimitError {
    return new LimitError(
      "SCRAPE_TIMEOUT",
      `The scrape did not finish within its timeout of ${this.totalMs} ms.`,
    );
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#unlink();
  }
}
