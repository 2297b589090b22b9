// Retries of failed calls (wire contract §1.5): a 502 always, a 429 or 503 as its Retry-After says,
// nothing else.
import { QuarryApiError } from "./errors.ts";

/** The client's clock; tests pass their own. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise<void>((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal.addEventListener("abort", onAbort, { once: true });
    }),
};

export type RetryPolicy = {
  /** Retries after the first attempt. */
  readonly retries: number;
  /** Delay before the first retry when the server sets none; doubled each time. */
  readonly firstDelayMs: number;
};

/** Three attempts, 0.5 s and 1 s apart. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = { retries: 2, firstDelayMs: 500 };

const REPEATED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503]);

/**
 * Milliseconds of a Retry-After header: delay-seconds or an HTTP date (RFC 9110 §10.2.3). Undefined
 * when absent or invalid; a date in the past is 0.
 */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has letters; without this check Date.parse would read "-5" or "1.5" as one.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * Returns the delay before attempt `attempt + 1` (`attempt` counts from 1); undefined when the
 * error is final: its status is permanent, its code says a retry is useless, or no attempts are
 * left.
 */
export function computeRetryDelay(
  error: QuarryApiError,
  attempt: number,
  policy: RetryPolicy,
): number | undefined {
  if (attempt > policy.retries) return undefined;
  if (error.status === undefined || !REPEATED_STATUSES.has(error.status)) return undefined;
  if (error.status !== 502 && !error.retryable) return undefined;
  const ownDelay = policy.firstDelayMs * 2 ** (attempt - 1);
  return error.status === 502 ? ownDelay : (error.retryAfterMs ?? ownDelay);
}

/**
 * Runs `attempt` until it succeeds, fails finally, or the next delay would exceed `endsAt` (epoch
 * milliseconds): then it throws the last error at once, so that the caller sees its `retryAfterMs`.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  budget: { policy: RetryPolicy; clock: Clock; endsAt: number; signal: AbortSignal },
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof QuarryApiError)) throw error;
      const delayMs = computeRetryDelay(error, count, budget.policy);
      if (delayMs === undefined || budget.clock.now() + delayMs >= budget.endsAt) throw error;
      await budget.clock.sleep(delayMs, budget.signal);
    }
  }
}
