import { describe, expect, it } from "vitest";
import { formatDuration, formatLocalSeconds } from "./format.ts";

describe("durations in the console", () => {
  it("never shows 60 seconds or 60 minutes, and no seconds from ten minutes on", () => {
    expect(
      [9.44, 850, 1_234, 59_940, 59_990, 119_900, 599_999, 22 * 60_000 + 59_900, 3_599_999].map(
        formatDuration,
      ),
    ).toEqual([
      "9.4 ms",
      "850 ms",
      "1.2 s",
      "59.9 s",
      "1 min 0 s",
      "1 min 59 s",
      "9 min 59 s",
      "22 min",
      "59 min",
    ]);
    expect([3_600_000, 47 * 3_600_000, 50 * 3_600_000].map(formatDuration)).toEqual([
      "1 h 0 min",
      "47 h 0 min",
      "2 d",
    ]);
  });
});

describe("times of versions in the console", () => {
  it("tells versions of one minute apart by their seconds", () => {
    const at = Date.UTC(2026, 10, 29, 10, 14, 3);
    expect(formatLocalSeconds(at)).not.toBe(formatLocalSeconds(at + 5_000));
  });

  it("names the year unless it is the current one", () => {
    const at = Date.UTC(2026, 5, 15, 10, 14, 3);
    expect(formatLocalSeconds(at, new Date(Date.UTC(2026, 6, 1)))).not.toContain("2026");
    expect(formatLocalSeconds(at, new Date(Date.UTC(2027, 6, 1)))).toContain("2026");
  });
});
