// Client-side timeouts for calls that have their own server-side timeout.
import { LIMITS } from "../src/contract/request/limits.ts";
import type { CallOptions } from "./transport.ts";

/**
 * Extra time beyond a call's own timeout, so that the server's answer comes before the client's
 * timeout.
 */
const GRACE_MS = 30_000;

/**
 * Options of a call that waits as long as the server may take; the default timeout, given
 * explicitly, still means the widened one (limits.ts).
 */
export function withScrapeTime(
  options: CallOptions,
  { timeout }: { readonly timeout?: number | undefined },
): CallOptions {
  if (options.timeoutMs !== undefined || timeout === undefined) return options;
  const { default: usual } = LIMITS.timeoutMs;
  const serverMs = timeout === usual ? LIMITS.widenedTimeoutMs.default : timeout;
  return { ...options, timeoutMs: serverMs + GRACE_MS };
}

/** The server limits a search itself; its answer comes before the client's timeout. */
export function computeSearchTimeoutMs(timeout: number = LIMITS.search.timeoutMs): number {
  return timeout + GRACE_MS;
}
