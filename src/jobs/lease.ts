// Renews the leases that this process holds: runs of jobs, and pages of crawls and batches.
import type { Logger } from "../logger.ts";

export type LeaseKeeperParts = {
  readonly leaseMs: number;
  /** Renews the leases that this process holds now. */
  readonly renew: () => Promise<void>;
  readonly log: Pick<Logger, "warn">;
};

/** Leases that were not renewed for this long pass to other workers. */
export const LEASE_MS = 20_000;

/** Renews four times per lease. The caller closes the result. */
export function keepLeases({ leaseMs, renew, log }: LeaseKeeperParts): { close(): void } {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, "failed to renew leases"));
  }, leaseMs / 4);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
