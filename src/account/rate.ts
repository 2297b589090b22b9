import { LimitError } from "../errors.ts";
import type { Identity } from "./identity.ts";

const WINDOW_SECONDS = 60;
/** Reads per work request: a client that waits for a job polls every second or two. */
export const READS_PER_REQUEST = 50;

/** `work` starts something; `read` polls or cancels it. */
export type RequestKind = "work" | "read";

export type RateLimiter = {
  /**
   * Counts one request of the key and its account. Throws RATE_LIMITED with a retry time if the
   * last 60 s are full. Reads are counted separately, with a limit of `READS_PER_REQUEST` times as
   * many.
   */
  take(identity: Identity, kind: RequestKind): Promise<void> | undefined;
};

/** Maximum requests of this kind per minute; undefined without a limit. */
export function computeMaxRequests(requestsPerMinute: number | null, kind: RequestKind) {
  if (requestsPerMinute === null) return undefined;
  return kind === "read" ? requestsPerMinute * READS_PER_REQUEST : requestsPerMinute;
}

export function createRateLimitError(state: {
  readonly total: number;
  readonly max: number;
  readonly at: number;
  readonly retryAfterMs: number;
}): LimitError {
  const { total, max, at, retryAfterMs } = state;
  return new LimitError(
    "RATE_LIMITED",
    `Rate limit exceeded: ${total} of ${max} requests used in the last minute, 0 remaining. ` +
      // Clients parse these words to learn how long to wait.
      `Please retry after ${Math.ceil(retryAfterMs / 1_000)}s, at ${new Date(at + retryAfterMs).toISOString()}.`,
    { retryAfterMs },
  );
}

type Window = {
  /** Requests per second of the last minute, a ring buffer. */
  readonly counts: Uint32Array;
  total: number;
  /** The second up to which the ring is current. */
  second: number;
};

/** Drops the seconds older than a minute. */
function advance(window: Window, second: number): void {
  const steps = Math.min(second - window.second, WINDOW_SECONDS);
  for (let step = 1; step <= steps; step += 1) {
    const slot = (window.second + step) % WINDOW_SECONDS;
    window.total -= window.counts[slot] ?? 0;
    window.counts[slot] = 0;
  }
  if (steps > 0) window.second = second;
}

/** Milliseconds until the oldest request leaves the window. */
function computeWaitMs(window: Window, now: number): number {
  for (let age = WINDOW_SECONDS - 1; age >= 0; age -= 1) {
    const second = window.second - age;
    if (second >= 0 && (window.counts[second % WINDOW_SECONDS] ?? 0) > 0)
      return Math.max(1, (second + WINDOW_SECONDS) * 1_000 - now);
  }
  return 1_000;
}

/**
 * Counts requests per key, account and kind in a sliding minute with second resolution, in this
 * process.
 */
export function createRateLimiter(now: () => number = Date.now): RateLimiter {
  const windows = new Map<string, Window>();
  let prunedAt = 0;

  function prune(second: number): void {
    if (second - prunedAt < WINDOW_SECONDS) return;
    prunedAt = second;
    for (const [key, window] of windows)
      if (second - window.second >= WINDOW_SECONDS) windows.delete(key);
  }

  /**
   * Returns the window with room for one more request; undefined without a limit. Throws
   * RATE_LIMITED when it is full.
   */
  function findWindow(
    owner: string,
    requestsPerMinute: number | null,
    kind: RequestKind,
    at: number,
  ): Window | undefined {
    const max = computeMaxRequests(requestsPerMinute, kind);
    if (max === undefined) return undefined;
    const name = `${kind} ${owner}`;
    const second = Math.floor(at / 1_000);
    const window = windows.get(name) ?? {
      counts: new Uint32Array(WINDOW_SECONDS),
      total: 0,
      second,
    };
    windows.set(name, window);
    advance(window, second);
    if (window.total < max) return window;
    const retryAfterMs = computeWaitMs(window, at);
    throw createRateLimitError({ total: window.total, max, at, retryAfterMs });
  }

  return {
    take({ accountId, keyId, limits, accountLimits }, kind) {
      const at = now();
      const second = Math.floor(at / 1_000);
      prune(second);
      const taken = [
        findWindow(keyId, limits.requestsPerMinute, kind, at),
        findWindow(accountId, accountLimits?.requestsPerMinute ?? null, kind, at),
      ];
      for (const window of taken) {
        if (window === undefined) continue;
        window.counts[second % WINDOW_SECONDS] = (window.counts[second % WINDOW_SECONDS] ?? 0) + 1;
        window.total += 1;
      }
      return undefined;
    },
  };
}
