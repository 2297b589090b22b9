import { describe, expect, it } from "vitest";
import { ReadBudget } from "./read-budget.ts";

/** Simulates reading and layout with these times per page, in ms, until reading must end. */
function readAll(budgetMs: number, { readMs, layOutMs }: { readMs: number; layOutMs: number }) {
  let clock = 1_000;
  let pages = 0;
  let rehearsals = 0;
  const time = new ReadBudget(budgetMs, () => clock);
  const layOut = (): void => {
    rehearsals += 1;
    clock += pages * layOutMs;
  };
  do {
    pages += 1;
    clock += readMs;
  } while (!time.mustStopReading(layOut));
  clock += pages * layOutMs;
  return { pages, rehearsals, used: (clock - 1_000) / budgetMs };
}

describe("ReadBudget", () => {
  it("leaves most of the time for reading when layout is fast", () => {
    const { pages, rehearsals, used } = readAll(10_000, { readMs: 10, layOutMs: 2 });
    expect(rehearsals).toBe(1);
    expect(pages).toBeGreaterThan(750);
    expect(used).toBeLessThan(1);
  });

  it("leaves less time for reading when layout is slower than reading", () => {
    const { pages, used } = readAll(10_000, { readMs: 10, layOutMs: 30 });
    expect(pages).toBeGreaterThan(140);
    expect(used).toBeLessThan(1);
  });

  it("ends reading at once when the rehearsal takes all of the time", () => {
    expect(readAll(10_000, { readMs: 1_100, layOutMs: 9_500 })).toMatchObject({ pages: 1 });
  });

  it("leaves less than half of the time for reading without a rehearsal", () => {
    let clock = 0;
    const time = new ReadBudget(10_000, () => clock);
    clock = 3_900;
    expect(time.mustStopReading(undefined)).toBe(false);
    clock = 4_100;
    expect([time.mustStopReading(undefined), time.isOver()]).toEqual([true, false]);
    clock = 10_100;
    expect(time.isOver()).toBe(true);
  });
});
