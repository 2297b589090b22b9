// Wakes waiters in this process at once. Changes by other processes are seen by polling, so every
// wait has a timeout.
import { EventEmitter } from "node:events";

export type WakeUps = {
  /** Signals a topic: `WORK`, `RUNS`, `SCHEDULES`, or a job id (results, or its end). */
  wake(topic: string): void;
  /** Settles at the next ring, after `ms`, or when `signal` aborts; true when it rang. */
  wait(topic: string, ms: number, signal?: AbortSignal): Promise<boolean>;
};

/** Pages to fetch. */
export const WORK = "work";
/** Runs to claim. */
export const RUNS = "runs";
/** Schedules that may be due. */
export const SCHEDULES = "schedules";

/**
 * Polling interval of an idle worker, milliseconds. Only other processes on the same database
 * cannot wake it.
 */
export const IDLE_MS = { alone: 5_000, shared: 500 };

export function createWakeUps(): WakeUps {
  const bells = new EventEmitter().setMaxListeners(0);
  return {
    wake(topic) {
      bells.emit(topic);
    },
    async wait(topic, ms, signal) {
      if (signal?.aborted) return false;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const rang = (): void => resolve(true);
      const ended = (): void => resolve(false);
      bells.once(topic, rang);
      signal?.addEventListener("abort", ended, { once: true });
      const timer = setTimeout(ended, ms);
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        bells.off(topic, rang);
        signal?.removeEventListener("abort", ended);
      }
    },
  };
}
