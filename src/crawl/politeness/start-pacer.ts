// Spaces out page starts by the pause that robots.txt or a caller asks for. Times are reserved in
// the store for all workers. Only the first page of a queue has a reservation, and passes it on when
// it is released. One reservation per waiting page would leave the host idle whenever a page is
// released.
import type { HostStore } from "../../store/jobs/hosts.ts";

/** Maximum delay of a timer; a longer one fires at once. No job lives that long. */
const MAX_TIMER_MS = 2_147_483_647;

type Queue = {
  /** Settles when the last page of the queue has started or left. */
  last: Promise<void>;
  /** Reserved and unused start time; 0 when there is none. */
  startAt: number;
  size: number;
};

export class StartPacer {
  readonly #queues = new Map<string, Queue>();
  readonly #takeTurns: HostStore["takeTurns"];
  readonly #now: () => number;

  constructor({ takeTurns }: Pick<HostStore, "takeTurns">, now: () => number) {
    this.#takeTurns = takeTurns;
    this.#now = now;
  }

  /** Waits until a page of the queue may start. Rejects with the reason of `signal`. */
  async waitForStart(name: string, delayMs: number, signal: AbortSignal): Promise<void> {
    const queue = this.#queues.get(name) ?? { last: Promise.resolve(), startAt: 0, size: 0 };
    this.#queues.set(name, queue);
    const before = queue.last;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    queue.last = before.then(() => promise);
    queue.size += 1;
    try {
      await waitUntilAborted(before, signal);
      if (queue.startAt <= this.#now())
        queue.startAt = await this.#takeTurns({ host: name, count: 1, delayMs, now: this.#now() });
      await pause(queue.startAt - this.#now(), signal);
      queue.startAt = 0;
    } finally {
      leave();
      queue.size -= 1;
      if (queue.size === 0) this.#queues.delete(name);
    }
  }
}

/** Waits for `work`. Rejects with the reason of `signal` if it aborts first. */
async function waitUntilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  signal.addEventListener("abort", end, { once: true });
  await Promise.race([work, promise]);
  signal.removeEventListener("abort", end);
  signal.throwIfAborted();
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  try {
    await waitUntilAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
