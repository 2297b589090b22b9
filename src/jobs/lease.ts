// Renews the leases that this process holds: runs of jobs, and pages of crawls and batches.
import type { Logger } from "../log.ts";

export type LeaseKeeperParts = {
  readonly leaseMs: number;
  /** Prolongs the leases that this process holds now. */
  readonly renew: () => Promise<void>;
  readonly log: Pick<Logger, "warn">;
};

/** How long a worker that says nothing is waited for, before others take what it held. */
export const LEASE_MS = 20_000;

/** Renews four times in each lease. Whoever starts it closes it. */
export function keepLeases({ leaseMs, renew, log }: LeaseKeeperParts): { close(): void } {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, "failed to renew leases"));
  }, leaseMs / 4);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
