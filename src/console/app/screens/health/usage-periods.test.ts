import { describe, expect, it } from "vitest";
import {
  buildUsageTable,
  byEngine,
  byKey,
  byOutcome,
  findFirstStart,
  listKeys,
  MAX_KEYS,
  ofKey,
  type UsagePeriod,
  type UsageUnit,
} from "./usage-periods.ts";

const NOW = Date.UTC(2026, 2, 1, 5, 30);
const key = (name: string) => ({ id: `id of ${name}`, name });

const NOTHING = {
  creditsUsed: 0,
  pages: 0,
  blocked: 0,
  thin: 0,
  failed: 0,
  cacheHits: 0,
  httpPages: 0,
  browserPages: 0,
  documentPages: 0,
  bytes: 0,
  latency: { p50: null, p95: null },
};
const byCredits = byKey(({ creditsUsed }) => creditsUsed);
const buildTable = (
  periods: readonly (Partial<UsagePeriod> & { startDate: string })[],
  unit: UsageUnit,
  divide = byCredits,
  order?: readonly string[],
) =>
  buildUsageTable(
    periods.map((period) => ({ ...NOTHING, ...period })),
    { unit, now: NOW, order },
    divide,
  );

describe("usage over time", () => {
  it("adds periods without usage, up to the current one", () => {
    const periods = [
      { startDate: "2026-02-28T00:00:00.000Z", creditsUsed: 3, apiKey: key("a") },
      { startDate: "2026-03-01T00:00:00.000Z", creditsUsed: 4, apiKey: key("b") },
      { startDate: "2026-03-01T00:00:00.000Z", creditsUsed: 1, apiKey: key("a") },
    ];
    const { series, columns } = buildTable(periods, "day");
    expect(series.map(({ name, total }) => [name, total])).toEqual([
      ["a", 4],
      ["b", 4],
    ]);
    expect(columns).toHaveLength(31);
    expect(columns[0]?.start).toBe("2026-01-30T00:00:00.000Z");
    expect(columns.slice(-3)).toEqual([
      { start: "2026-02-27T00:00:00.000Z", total: 0, parts: [0, 0] },
      { start: "2026-02-28T00:00:00.000Z", total: 3, parts: [3, 0] },
      { start: "2026-03-01T00:00:00.000Z", total: 5, parts: [1, 4] },
    ]);
  });

  it("keeps keys of one name apart and adds the smallest up", () => {
    const periods = Array.from({ length: 8 }, (_, index) => ({
      startDate: "2026-03-01T05:00:00.000Z",
      creditsUsed: 10 - index,
      apiKey: { id: String(index), name: "same" },
    }));
    const { series, columns } = buildTable(periods, "hour");
    expect(series).toHaveLength(MAX_KEYS + 1);
    expect(series.at(-1)).toMatchObject({ name: "3 other keys", total: 5 + 4 + 3 });
    expect(columns.at(-1)?.total).toBe(10 + 9 + 8 + 7 + 6 + 5 + 4 + 3);
  });

  it("divides pages by outcome and leaves out outcomes that did not occur", () => {
    const periods = [
      { startDate: "2026-03-01T04:00:00.000Z", pages: 10, blocked: 2, failed: 1 },
      { startDate: "2026-03-01T05:00:00.000Z", pages: 4, failed: 4 },
    ];
    const { series, columns } = buildTable(periods, "hour", byOutcome);
    expect(series.map(({ id, total }) => [id, total])).toEqual([
      ["content", 7],
      ["failed", 5],
      ["blocked", 2],
    ]);
    expect(columns.slice(-2).map(({ parts }) => parts)).toEqual([
      [7, 1, 2],
      [0, 4, 0],
    ]);
  });

  it("divides pages by engine, and those that nothing answered apart", () => {
    const startDate = "2026-03-01T05:00:00.000Z";
    const periods = [{ startDate, pages: 9, httpPages: 4, browserPages: 2, cacheHits: 1 }];
    const { series } = buildTable(periods, "hour", byEngine);
    expect(series.map(({ id, total }) => [id, total])).toEqual([
      ["http", 4],
      ["browser", 2],
      ["none", 2],
      ["cache", 1],
    ]);
  });

  it("shows the outcomes of one key", () => {
    const startDate = "2026-03-01T05:00:00.000Z";
    const periods = [
      { ...NOTHING, startDate, pages: 9, failed: 9, apiKey: key("b") },
      { ...NOTHING, startDate, pages: 3, blocked: 1, apiKey: key("a") },
    ];
    expect(listKeys(periods)).toEqual([key("a"), key("b")]);
    const { series } = buildTable(ofKey(periods, key("a").id), "hour", byOutcome);
    expect(series.map(({ id, total }) => [id, total])).toEqual([
      ["content", 2],
      ["blocked", 1],
    ]);
  });

  it("keeps a given order of parts", () => {
    const periods = [{ startDate: "2026-03-01T05:00:00.000Z", pages: 9, failed: 8 }];
    const { series } = buildTable(periods, "hour", byOutcome, ["content", "failed"]);
    expect(series.map(({ id }) => id)).toEqual(["content", "failed"]);
  });

  it("starts weeks on Monday and months on their first day, in UTC", () => {
    // 1 March 2026 is a Sunday.
    expect(buildTable([], "week").columns.at(-1)?.start).toBe("2026-02-23T00:00:00.000Z");
    expect(buildTable([], "month").columns.map(({ start }) => start.slice(0, 7))).toEqual(
      expect.arrayContaining(["2025-04", "2025-12", "2026-03"]),
    );
    expect(new Date(findFirstStart(NOW, "month")).toISOString()).toBe("2025-04-01T00:00:00.000Z");
  });
});
