// Who waits for something that happens in this process is woken at once; what other processes do is seen at the next look,
// so every wait has an end of its own.
import { EventEmitter } from "node:events";

export type WakeUps = {
  /** Something happened to the topic: `work` (pages to fetch) or the id of a job (results, or its end). */
  ring(topic: string): void;
  /** Settles at the next ring, after `ms`, or when `signal` aborts; true when it rang. */
  wait(topic: string, ms: number, signal?: AbortSignal): Promise<boolean>;
};

export const WORK = "work";

export function createWakeUps(): WakeUps {
  const bells = new EventEmitter().setMaxListeners(0);
  return {
    ring(topic) {
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
