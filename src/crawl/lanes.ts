// Spaces out page starts by the pause that robots.txt or a caller asks for. Times are reserved in
// the store for all workers. Only the first page of a lane has a reservation, and passes it on when
// it is released. One reservation per waiting page would leave the host idle whenever a page is
// released.
import type { HostStore } from "../store/jobs/hosts.ts";

/** Maximum delay of a timer; a longer one fires at once. No job lives that long. */
const MAX_TIMER_MS = 2_147_483_647;

type Lane = {
  /** Settles when the last page of the lane has started or left. */
  last: Promise<void>;
  /** Reserved and unused start time; 0 when there is none. */
  startAt: number;
  size: number;
};

export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #takeTurns: HostStore["takeTurns"];
  readonly #now: () => number;

  constructor({ takeTurns }: Pick<HostStore, "takeTurns">, now: () => number) {
    this.#takeTurns = takeTurns;
    this.#now = now;
  }

  /** Waits until the page may start. Rejects with the reason of `signal`. */
  async start(name: string, delayMs: number, signal: AbortSignal): Promise<void> {
    const lane = this.#lanes.get(name) ?? { last: Promise.resolve(), startAt: 0, size: 0 };
    this.#lanes.set(name, lane);
    const before = lane.last;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    lane.last = before.then(() => promise);
    lane.size += 1;
    try {
      await untilAborted(before, signal);
      if (lane.startAt <= this.#now())
        lane.startAt = await this.#takeTurns({ host: name, count: 1, delayMs, now: this.#now() });
      await pause(lane.startAt - this.#now(), signal);
      lane.startAt = 0;
    } finally {
      leave();
      lane.size -= 1;
      if (lane.size === 0) this.#lanes.delete(name);
    }
  }
}

/** Waits for `work`. Rejects with the reason of `signal` if it aborts first. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
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
    await untilAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
