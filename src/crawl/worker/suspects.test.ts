import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import { Suspects } from "./suspects.ts";

const page = { sequence: 1 } as LeasedPage;

let startedAt: number;
beforeEach(() => {
  vi.useFakeTimers();
  startedAt = performance.now();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a process that lives only seconds tries no suspect pages", () => {
  const suspects = new Suspects();
  expect(suspects.isDue(true)).toBe(false);
  suspects.start();
  vi.advanceTimersByTime(4_999);
  expect(suspects.isDue(true)).toBe(false);
  vi.advanceTimersByTime(1);
  expect(suspects.isDue(true)).toBe(true);
});

it("a suspect page is tried again only in a process that has lived twice as long as at the last try", () => {
  const suspects = new Suspects(5_000);
  suspects.start();
  const tries: [seconds: number, tries: number][] = [];
  for (const seconds of [5, 9, 10, 19, 20, 39, 40, 80]) {
    vi.advanceTimersByTime(seconds * 1_000 - performance.now() + startedAt);
    tries.push([seconds, suspects.tries]);
  }
  expect(tries).toEqual([
    [5, 1],
    [9, 1],
    [10, 2],
    [19, 2],
    [20, 3],
    [39, 3],
    [40, 4],
    [80, 5],
  ]);
});

it("suspects are looked up every few seconds when idle, twice a minute when busy, and at once after one", () => {
  const suspects = new Suspects(0);
  suspects.start();
  expect(suspects.isDue(false)).toBe(true);
  suspects.take([]);
  vi.advanceTimersByTime(5_000);
  expect(suspects.isDue(false)).toBe(false);
  expect(suspects.isDue(true)).toBe(true);
  vi.advanceTimersByTime(30_000);
  expect(suspects.isDue(false)).toBe(true);
  suspects.take([page]);
  vi.advanceTimersByTime(60_000);
  expect(suspects.isDue(true)).toBe(false);
  expect(suspects).toMatchObject({ isOpen: true, isWaiting: true });
  expect(suspects.begin()).toBe(page);
  expect(suspects.begin()).toBeUndefined();
  expect(suspects).toMatchObject({ isOpen: true, isWaiting: false });
  suspects.end({ ...page });
  expect(suspects.isOpen).toBe(true);
  suspects.end(page);
  expect(suspects).toMatchObject({ isOpen: false, isWaiting: false });
  expect(suspects.isDue(false)).toBe(true);
});
