import { describe, expect, it } from "vitest";
import { parseTimeRange } from "./time-range.ts";

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

describe("time range", () => {
  it.each([
    ["qdr:d", NOW - DAY, "day"],
    ["qdr:w2", NOW - 14 * DAY, "month"],
    ["qdr:h", NOW - DAY / 24, "hour"],
    ["qdr:y", NOW - 365 * DAY, "year"],
  ])("parses the relative time range %s", (tbs, since, unit) => {
    expect(parseTimeRange(tbs, NOW)).toMatchObject({
      since,
      unit,
      until: undefined,
      isUnknown: false,
    });
  });

  it("parses a range of dates as whole days, both inclusive", () => {
    const range = parseTimeRange("cdr:1,cd_min:3/1/2026,cd_max:2026-03-31", NOW);
    expect(range).toMatchObject({ since: Date.UTC(2026, 2, 1), until: Date.UTC(2026, 3, 1) - 1 });
  });

  it("parses the newest-first flag", () => {
    expect(parseTimeRange("sbd:1,qdr:m", NOW)).toMatchObject({ newestFirst: true, unit: "month" });
  });

  it("reports a time range that it cannot parse", () => {
    expect(parseTimeRange("last week", NOW).isUnknown).toBe(true);
    expect(parseTimeRange("cd_min:13/45/x", NOW).isUnknown).toBe(true);
    expect(parseTimeRange(undefined, NOW).isUnknown).toBe(false);
  });
});
