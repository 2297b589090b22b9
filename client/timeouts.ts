// How long a call with a timeout of its own is waited for.
import { LIMITS } from "../src/contract/request/limits.ts";
import type { CallOptions } from "./transport.ts";

/** What is granted to a call above its own timeout, so that the server's answer wins over the client's timer. */
const GRACE_MS = 30_000;

/**
 * The options of a call that waits as long as the server may take; the default timeout, named outright, still means the
 * widened one (limits.ts).
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

/** The server has its own limit for a search; its answer wins over the client's timer. */
export function searchTimeoutMs(timeout: number = LIMITS.search.timeoutMs): number {
  return timeout + GRACE_MS;
}
