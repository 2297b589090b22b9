// Helpers for closing parts of the service in order, each within a time limit.
import type { Lazy } from "./lazy.ts";

/** Waits for `work`, at most `ms`. The work itself is not cancelled. */
export async function withTimeout(ms: number, work: PromiseLike<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

/** Runs `work` and ignores its rejection, so that the next part is closed as well. */
export async function settle(work: () => Promise<void>): Promise<void> {
  await work().catch(() => undefined);
}

/** Closes the parts that were created, one after the other. */
export async function closeStarted(
  ...parts: readonly Lazy<{ close(): Promise<unknown> }>[]
): Promise<void> {
  for (const part of parts)
    if (part.started()) await settle(async () => void (await (await part()).close()));
}

/**
 * Share of the whole time for running requests, and share of the remaining time for all parts but
 * the storage.
 */
const REQUESTS_SHARE = 0.6;
const PARTS_SHARE = 0.7;
/** Time for the last answers after waiting requests were refused. */
const REFUSED_MS = 1_000;
const MIN_STEP_MS = 200;

export type ClosingSteps = {
  /** Settles when running requests have ended. */
  readonly requests: () => Promise<void>;
  /** Ends the requests that still wait. */
  readonly refuse: () => void;
  readonly parts: () => Promise<void>;
  /** Runs last and in any case: writes what was finished and releases locks. */
  readonly storage: () => Promise<void>;
};

/**
 * Closes a service in about `ms`, even if parts hang. A step that takes longer runs on in parallel
 * to the next ones.
 */
export async function closeWithin(ms: number, steps: ClosingSteps): Promise<void> {
  const endsAt = performance.now() + ms;
  const computeLeftMs = (): number => Math.max(MIN_STEP_MS, endsAt - performance.now());
  const requests = settle(steps.requests);
  await withTimeout(ms * REQUESTS_SHARE, requests);
  steps.refuse();
  await withTimeout(Math.min(REFUSED_MS, computeLeftMs() / 4), requests);
  await withTimeout(computeLeftMs() * PARTS_SHARE, settle(steps.parts));
  await withTimeout(computeLeftMs(), settle(steps.storage));
}
