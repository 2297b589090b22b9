import type { Config } from "../config.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import { createSharedConcurrency } from "./shared-concurrency.ts";
import { createSlots } from "./slots.ts";

export type RequestSlotsParts = {
  readonly store: () => Promise<Pick<Store, "concurrencyShares">>;
  /** False for a process without a store. */
  readonly keeps: boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/**
 * Creates the concurrency slots of this process. Limits of keys and accounts hold over all
 * processes on one PostgreSQL.
 */
export function createRequestSlots(
  config: Pick<Config, "databaseUrl" | "maxConcurrency">,
  { store, keeps, log, metrics }: RequestSlotsParts,
) {
  const shared =
    config.databaseUrl === undefined || !keeps
      ? undefined
      : createSharedConcurrency({ shares: async () => (await store()).concurrencyShares, log });
  const slots = createSlots({
    maxConcurrency: config.maxConcurrency,
    shared,
    onChange: ({ active, waiting }) => {
      metrics.scrapesActive.set(active);
      metrics.scrapesWaiting.set(waiting);
    },
  });
  return { ...slots, close: async (): Promise<void> => await shared?.close() };
}
