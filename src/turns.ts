// A concurrency limiter: further calls wait in order until their deadline.
import type { Deadline } from "./deadline.ts";

export type Turns = {
  run<T>(work: () => Promise<T>, deadline: Deadline): Promise<T>;
};

export function createTurns(most: number): Turns {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function enter(deadline: Deadline): Promise<void> {
    deadline.check();
    if (running < most) {
      running += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await deadline.race(promise);
    } catch (error) {
      const at = waiting.indexOf(resolve);
      // The slot may arrive at the same moment: pass it on.
      if (at === -1) leave();
      else waiting.splice(at, 1);
      throw error;
    }
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async run(work, deadline) {
      await enter(deadline);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
