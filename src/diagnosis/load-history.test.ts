import { expect, it } from "vitest";
import { chooseStep, readLoadHistory } from "./load-history.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY;

const minutesOf = (from: number, to = NOW): [number, string] => {
  const { stepMs, of } = chooseStep({ from, to }, NOW);
  return [stepMs / MINUTE, of];
};

it("chooses periods of which a range has at most 750", () => {
  expect(minutesOf(NOW - HOUR)).toEqual([1, "short"]);
  expect(minutesOf(NOW - 12 * HOUR)).toEqual([1, "short"]);
  expect(minutesOf(NOW - DAY)).toEqual([5, "short"]);
  expect(minutesOf(NOW - 7 * DAY)).toEqual([15, "long"]);
  expect(minutesOf(NOW - 30 * DAY)).toEqual([60, "long"]);
  expect(minutesOf(0)).toEqual([60, "long"]);
});

it("reads quarters of an hour where minutes are no longer stored", () => {
  expect(minutesOf(NOW - 3 * DAY, NOW - 3 * DAY + HOUR)).toEqual([15, "long"]);
});

it("reads the last 24 hours by default, and refuses a range that ends before it begins", async () => {
  const samples = { read: async () => ({ processes: [], service: [] }) };
  const read = (range: { from?: number; to?: number }) => readLoadHistory(samples, range, NOW);
  expect(await read({})).toEqual({
    from: NOW - DAY,
    to: NOW,
    stepMs: 5 * MINUTE,
    processes: [],
    service: [],
  });
  expect(await read({ to: NOW - DAY })).toMatchObject({ from: NOW - 2 * DAY, to: NOW - DAY });
  expect(await read({ from: NOW - HOUR })).toMatchObject({ to: NOW, stepMs: MINUTE });
  await expect(read({ from: DAY, to: DAY })).rejects.toThrow(
    "from (1970-01-02T00:00:00.000Z) must be before to (1970-01-02T00:00:00.000Z).",
  );
  await expect(read({ from: NOW + 1 })).rejects.toThrow("must be before");
});
