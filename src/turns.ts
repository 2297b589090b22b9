// Takes turns: at most so many calls at once, the others wait in order, no longer than their deadline.
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
      // The turn may have come in the same moment: it goes on to the next.
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
