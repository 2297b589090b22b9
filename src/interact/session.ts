// A live browser session: an open page, the interpreter with its names, and how it ends.
import { randomBytes } from "node:crypto";
import type { Hold } from "../account/credits.ts";
import { readContextState } from "../browser/context/context-state.ts";
import type { Lease } from "../browser/pool.ts";
import { computeBrowserPrice } from "../contract/account/prices.ts";
import { LimitError, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Outcome } from "../sandbox/outcome.ts";
import { Sandbox } from "../sandbox/sandbox.ts";
import type { EndReason } from "../store/sessions/browser-sessions.ts";
import type { ProfileLoan } from "../store/accounts/profiles.ts";

export type SessionFacts = {
  readonly id: string;
  readonly accountId: string;
  /** The key that opened it. */
  readonly keyId: string;
  readonly scrapeId: string | null;
  /** Name of the profile that it started with. */
  readonly profileName: string | undefined;
  readonly streamWebView: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly activityTtlMs: number;
};

export type SessionParts = {
  readonly lease: Lease;
  readonly loan: ProfileLoan | undefined;
  /** Where a key limited to hosts may go; undefined allows all. */
  readonly mayVisit: ((url: URL) => boolean) | undefined;
  /** Hold for the session's lifetime, at the price of code. */
  readonly hold: Hold;
  /** Holds more credits for the same work. Throws INSUFFICIENT_CREDITS. */
  readonly holdMore: (credits: number) => Promise<Hold>;
  readonly log: Logger;
};

export type SessionEnd = { readonly durationMs: number; readonly creditsBilled: number };

/**
 * States: idle, running (one piece of code at a time, others are queued), ended. The caller ends
 * it.
 */
export class LiveSession {
  readonly facts: SessionFacts;
  /** Each token grants its right to the session without a key. */
  readonly tokens = { view: createToken(), control: createToken(), cdp: createToken() };
  /** Returned with the first answer. */
  note = "";
  readonly #parts: SessionParts;
  readonly #sandbox: Sandbox;
  #lastActivity: number;
  #running = 0;
  #events = 0;
  /** Extra cost of prompts over code, held before the first prompt. */
  #promptHold: Hold | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #end: Promise<SessionEnd> | undefined;
  readonly #over = new AbortController();

  constructor(facts: SessionFacts, parts: SessionParts) {
    this.facts = facts;
    this.#parts = parts;
    this.#lastActivity = facts.createdAt;
    this.#sandbox = new Sandbox(parts.lease.context, parts.lease.page, parts.mayVisit);
  }

  get lease(): Lease {
    return this.#parts.lease;
  }

  get lastActivity(): number {
    return this.#lastActivity;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Returns the index of the next event in the prompt trace. */
  nextEvent(): number {
    this.#events += 1;
    return this.#events - 1;
  }

  /** Records activity, including manual input. */
  recordActivity(): void {
    this.#lastActivity = Date.now();
  }

  /** Returns why the session has expired at `now`, or undefined if it has not. */
  isOver(now: number): boolean {
    if (now >= this.facts.expiresAt) return true;
    return this.#running === 0 && now - this.#lastActivity >= this.facts.activityTtlMs;
  }

  /** Saves the state to the session's own profile. Returns false if it has none to save to. */
  async saveOwnProfile(): Promise<boolean> {
    const { lease, loan } = this.#parts;
    if (loan?.saves !== true) return false;
    await loan.save(await readContextState(lease.context));
    return true;
  }

  /** Extends the profile's lock against other writers. */
  async extendProfile(lifeMs: number): Promise<void> {
    await this.#parts.loan?.extend(lifeMs);
  }

  /**
   * Queues code to run after earlier code. Throws CONCURRENCY_QUEUE_TIMEOUT if its time passes in
   * the queue, and GONE if the session has ended.
   */
  run(code: string, timeoutMs: number): Promise<Outcome> {
    return this.#inTurn(timeoutMs, () => this.#sandbox.run(code, timeoutMs));
  }

  /**
   * Queues a prompt like code. From then on the session is charged at the price of prompts, and the
   * first one throws INSUFFICIENT_CREDITS if the key lacks credits. `signal` aborts when the
   * session ends.
   */
  follow<T>(
    timeoutMs: number,
    work: (page: Lease["page"], signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return this.#inTurn(timeoutMs, async () => {
      this.#promptHold ??= await this.#holdForPrompts();
      return await work(this.#parts.lease.page, this.#over.signal);
    });
  }

  async #holdForPrompts(): Promise<Hold> {
    const { createdAt, expiresAt } = this.facts;
    const { hold, holdMore } = this.#parts;
    return await holdMore(computeBrowserPrice(expiresAt - createdAt, true) - hold.amount);
  }

  async #inTurn<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = before.then(() => promise);
    this.#running++;
    this.recordActivity();
    try {
      await this.#waitFor(before, timeoutMs);
      if (this.ended) throw new RequestError("GONE", "The browser session has been destroyed.");
      return await work();
    } finally {
      this.#running--;
      this.recordActivity();
      resolve();
    }
  }

  /**
   * Saves the profile, closes the page and charges for the time. A second call returns the first
   * result.
   */
  end(reason: EndReason): Promise<SessionEnd> {
    this.#over.abort(new RequestError("GONE", "The browser session ended before the prompt did."));
    return (this.#end ??= this.#finish(reason));
  }

  async #waitFor(before: Promise<unknown>, timeoutMs: number): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        reject(
          new LimitError(
            "CONCURRENCY_QUEUE_TIMEOUT",
            "The session was busy until the call's timeout.",
            { retryAfterMs: 1_000 },
          ),
        ),
      timeoutMs,
    );
    await Promise.race([before, promise]).finally(() => clearTimeout(timer));
  }

  async #finish(reason: EndReason): Promise<SessionEnd> {
    const { lease, loan, hold, log } = this.#parts;
    const durationMs = Date.now() - this.facts.createdAt;
    const creditsBilled = computeBrowserPrice(durationMs, this.#promptHold !== undefined);
    const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) =>
        log.warn({ sessionId: this.facts.id, err: error }, `${what} of a browser session failed`),
      );
    };
    await attempt("closing the sandbox", () => this.#sandbox.close());
    if (loan !== undefined) {
      if (loan.saves && reason !== "failed")
        await attempt("saving the profile", async () =>
          loan.save(await readContextState(lease.context)),
        );
      await attempt("releasing the profile", () => loan.close());
    }
    await attempt("closing the page", () => lease.close());
    await attempt("charging for the time", () => hold.settle(creditsBilled));
    await attempt("releasing held credits", async () => this.#promptHold?.release());
    return { durationMs, creditsBilled };
  }
}

const createToken = (): string => randomBytes(32).toString("base64url");
