// Rate limits over all API processes on one database. Each process reserves several requests at
// once and uses them within the second they were counted in, so that most requests need no query.
import type { RateWindows } from "../store/accounts/rate-windows.ts";
import type { Identity } from "./identity.ts";
import {
  computeMaxRequests,
  createRateLimitError,
  type RateLimiter,
  type RequestKind,
} from "./rate.ts";

/** A process reserves at most this fraction of a limit, which is unused when no requests come. */
const RESERVED_SHARE = 200;
const PRUNE_AFTER_SECONDS = 60;

type Lease = {
  /** The second its requests are counted in. */
  second: number;
  left: number;
  /** A pending reservation in the database. */
  refill: Promise<void> | undefined;
};

export type SharedRateParts = {
  readonly windows: () => Promise<RateWindows>;
  readonly now?: () => number;
};

export function createSharedRateLimiter({ windows, now = Date.now }: SharedRateParts): RateLimiter {
  const leases = new Map<string, Lease>();
  let prunedAt = 0;

  function prune(second: number): void {
    if (second - prunedAt < PRUNE_AFTER_SECONDS) return;
    prunedAt = second;
    for (const [owner, lease] of leases)
      if (lease.refill === undefined && second - lease.second >= PRUNE_AFTER_SECONDS)
        leases.delete(owner);
  }

  /** Throws RATE_LIMITED when the minute is full. */
  async function refill(owner: string, lease: Lease, max: number): Promise<void> {
    const { second, left } = lease;
    const at = now();
    const current = Math.floor(at / 1_000);
    lease.left = 0;
    const store = await windows();
    if (left > 0) await store.giveBack(owner, second, left);
    const wanted = Math.ceil(max / RESERVED_SHARE);
    const { taken, total, oldest } = await store.take(owner, { second: current, wanted, max });
    lease.second = current;
    lease.left = taken;
    if (taken === 0)
      throw createRateLimitError({
        total,
        max,
        at,
        retryAfterMs: Math.max(1, (oldest + 60) * 1_000 - at),
      });
  }

  async function takeOne(owner: string, max: number): Promise<Lease> {
    const lease = leases.get(owner) ?? { second: 0, left: 0, refill: undefined };
    leases.set(owner, lease);
    for (;;) {
      if (
        lease.refill === undefined &&
        lease.left > 0 &&
        lease.second === Math.floor(now() / 1_000)
      ) {
        lease.left -= 1;
        return lease;
      }
      lease.refill ??= refill(owner, lease, max).finally(() => {
        lease.refill = undefined;
      });
      await lease.refill;
    }
  }

  async function take(identity: Identity, kind: RequestKind): Promise<void> {
    const { accountId, keyId, limits, accountLimits } = identity;
    prune(Math.floor(now() / 1_000));
    const ofKey = computeMaxRequests(limits.requestsPerMinute, kind);
    const ofAccount = computeMaxRequests(accountLimits?.requestsPerMinute ?? null, kind);
    const lease = ofKey === undefined ? undefined : await takeOne(`${kind} ${keyId}`, ofKey);
    if (ofAccount === undefined) return;
    try {
      await takeOne(`${kind} ${accountId}`, ofAccount);
    } catch (error) {
      // The request is rejected, so it does not count for the key.
      if (lease !== undefined) lease.left += 1;
      throw error;
    }
  }

  return {
    take(identity, kind) {
      const { limits, accountLimits } = identity;
      if (limits.requestsPerMinute === null && (accountLimits?.requestsPerMinute ?? null) === null)
        return undefined;
      return take(identity, kind);
    },
  };
}
