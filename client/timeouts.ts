// How long a call with a timeout of its own is waited for.
import { LIMITS } from "../src/contract/limits.ts";

/** What is granted to a call above its own timeout, so that the server's answer wins over the client's timer. */
const GRACE_MS = 30_000;

/** How long the server may take; the default timeout, named outright, still means the widened one (limits.ts). */
export function scrapeTimeoutMs(timeout: number): number {
  const { default: usual } = LIMITS.timeoutMs;
  return (timeout === usual ? LIMITS.widenedTimeoutMs.default : timeout) + GRACE_MS;
}

/** The server has its own limit for a search; its answer wins over the client's timer. */
export function searchTimeoutMs(timeout: number = LIMITS.search.timeoutMs): number {
  return timeout + GRACE_MS;
}
