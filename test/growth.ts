import { expect } from "vitest";
import { threadCpuMs } from "./cpu-time.ts";

/** CPU milliseconds, the smaller of two runs. */
export function cost(work: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 2; run++) {
    const before = threadCpuMs();
    work();
    least = Math.min(least, threadCpuMs() - before);
  }
  return least;
}

/**
 * Eight times the input may take eight times as long, below 24 with noise and fixed costs;
 * quadratic time would be 64.
 */
export function expectNoSquare(work: (size: number) => void): void {
  work(1_000);
  const small = cost(() => work(15_000));
  const large = cost(() => work(120_000));
  expect(large / Math.max(small, 6)).toBeLessThan(24);
}
