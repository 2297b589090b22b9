import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createReloader } from "./reloader.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LOAD_MS = 500;

function start(firstMs: number) {
  const signals: AbortSignal[] = [];
  let ended = 0;
  const reloader = createReloader({
    load: async (signal) => {
      signals.push(signal);
      await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
      ended += 1;
    },
    firstMs,
    restMs: 1_000,
  });
  return { ...reloader, signals, readEnded: () => ended };
}

it("ends each load and rests after it, however often the data changes", async () => {
  const { markStale, signals, readEnded } = start(0);
  for (let ms = 0; ms < 4_400; ms += 50) {
    markStale();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(signals.length).toBe(3);
  expect(readEnded()).toBe(3);
  expect(signals.every(({ aborted }) => !aborted)).toBe(true);
});

it("loads at once after a change when it has rested, and not without a change", async () => {
  const { markStale, signals } = start(1_000);
  markStale();
  await vi.advanceTimersByTimeAsync(999);
  expect(signals.length).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(signals.length).toBe(1);
  markStale();
  expect(signals.length).toBe(2);
});

it("loads again after a failure", async () => {
  let loads = 0;
  const { markStale } = createReloader({
    load: () => Promise.reject(new Error(`No answer to load ${++loads}.`)),
    firstMs: 0,
    restMs: 1_000,
  });
  await vi.advanceTimersByTimeAsync(5_000);
  markStale();
  expect(loads).toBe(2);
});

it("aborts the load in progress when it is stopped, and loads no more", async () => {
  const { markStale, stop, signals } = start(0);
  await vi.advanceTimersByTimeAsync(100);
  stop();
  markStale();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
