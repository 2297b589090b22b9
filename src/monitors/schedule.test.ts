import { describe, expect, it } from "vitest";
import { scheduleSchema } from "../contract/jobs/schedule.ts";
import { countRuns, computeNextRun, toTimetable } from "./schedule.ts";

const ID = "0199f0c0-0000-7000-8000-000000000001";
const OTHER = "0199f0c0-0000-7000-8000-000000000002";
const build = (schedule: object, id = ID) => toTimetable(scheduleSchema.parse(schedule), id);
const at = (text: string): number => Date.parse(text);
const runs = (schedule: object, from: string, count: number): string[] => {
  const timetable = build(schedule);
  const found: string[] = [];
  for (let after = at(from); found.length < count;) {
    const next = computeNextRun(timetable, after);
    if (next === null) return found;
    found.push(new Date(next).toISOString());
    after = next;
  }
  return found;
};

describe("timetable of a monitor", () => {
  it("converts a phrase to cron and derives its open parts from the monitor's id", () => {
    const [one, other] = [
      build({ text: "every 15 minutes" }),
      build({ text: "every 15 minutes" }, OTHER),
    ];
    expect(one.cron).toMatch(/^\d+,\d+,\d+,\d+ \* \* \* \*$/);
    expect(one.cron).not.toBe(other.cron);
    expect(build({ text: "every 15 minutes starting at :07" }).cron).toBe("7,22,37,52 * * * *");
    expect(build({ text: "daily at 9:30" }).cron).toBe("30 9 * * *");
    expect(build({ text: "daily at 5:30 PM" }).cron).toBe("30 17 * * *");
    expect(build({ text: "daily at 12am" }).cron).toBe("0 0 * * *");
    expect(build({ text: "weekdays at 8:30" }).cron).toBe("30 8 * * 1-5");
    expect(build({ text: "weekly" }).cron).toMatch(/^\d+ \d+ \* \* [0-6]$/);
    expect(build({ text: "every 2 hours" }).cron.split(" ")[1]?.split(",")).toHaveLength(12);
    expect(build({ cron: "  0  9 * * 1-5 " }).cron).toBe("0 9 * * 1-5");
  });

  it("spreads 1000 monitors with the same phrase over all minutes", () => {
    const counts = new Map<string, number>();
    for (let number = 0; number < 1_000; number++) {
      const { cron } = build({ text: "hourly" }, `monitor ${number}`);
      counts.set(cron, (counts.get(cron) ?? 0) + 1);
    }
    expect(counts.size).toBe(60);
    expect(Math.max(...counts.values())).toBeLessThan(45);
  });

  it("keeps the local hour when daylight saving time begins and ends", () => {
    const berlin = { text: "daily at 9:30", timezone: "Europe/Berlin" };
    expect(runs(berlin, "2026-03-27T12:00:00Z", 3)).toEqual([
      "2026-03-28T08:30:00.000Z",
      "2026-03-29T07:30:00.000Z",
      "2026-03-30T07:30:00.000Z",
    ]);
    expect(runs(berlin, "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T08:30:00.000Z",
      "2026-10-26T08:30:00.000Z",
    ]);
  });

  it("runs once on the day whose hour is skipped, and once on the day whose hour is repeated", () => {
    const night = { cron: "30 2 * * *", timezone: "Europe/Berlin" };
    expect(runs(night, "2026-03-28T12:00:00Z", 2).map((text) => text.slice(0, 10))).toEqual([
      "2026-03-29",
      "2026-03-30",
    ]);
    expect(runs(night, "2026-10-24T12:00:00Z", 2).map((text) => text.slice(0, 10))).toEqual([
      "2026-10-25",
      "2026-10-26",
    ]);
  });

  it("runs inside its window only, also when the window crosses midnight", () => {
    const office = {
      cron: "0 * * * *",
      window: { days: ["mon", "fri"], from: "08:00", to: "10:00" },
    };
    expect(runs(office, "2026-11-25T00:00:00Z", 3)).toEqual([
      "2026-11-27T08:00:00.000Z",
      "2026-11-27T09:00:00.000Z",
      "2026-11-30T08:00:00.000Z",
    ]);
    const night = { cron: "0 * * * *", window: { days: ["fri"], from: "23:00", to: "01:00" } };
    expect(runs(night, "2026-11-25T00:00:00Z", 3)).toEqual([
      "2026-11-27T23:00:00.000Z",
      "2026-11-28T00:00:00.000Z",
      "2026-12-04T23:00:00.000Z",
    ]);
  });

  it("rejects a schedule that never runs", () => {
    expect(() => build({ cron: "0 0 31 2 *" })).toThrow("never runs");
    expect(() => build({ text: "daily at 9:00", window: { from: "10:00", to: "11:00" } })).toThrow(
      "inside schedule.window",
    );
  });

  it("does not run before the end of a pause", () => {
    const timetable = { ...build({ cron: "0 9 * * *" }), pauseUntil: at("2026-12-01T09:00:00Z") };
    expect(computeNextRun(timetable, at("2026-11-25T00:00:00Z"))).toBe(at("2026-12-01T09:00:00Z"));
  });

  it("counts the runs in 30 days", () => {
    const now = at("2026-11-25T00:00:30Z");
    expect(countRuns(build({ text: "every 15 minutes" }), now)).toBe(2_880);
    expect(countRuns(build({ text: "daily at 9:00" }), now)).toBe(30);
  });

  it("spreads monitors of one cron expression over the seconds of its minute", () => {
    const timetable = build({ cron: "30 9 * * *" });
    const minute = at("2026-11-25T09:30:00Z");
    const seconds = new Set<number>();
    for (let index = 0; index < 500; index++) {
      const id = `0199f0c0-0000-7000-8000-${String(index).padStart(12, "0")}`;
      const next = computeNextRun(timetable, minute - 1, id) ?? 0;
      expect(next).toBeGreaterThanOrEqual(minute);
      expect(next).toBeLessThan(minute + 60_000);
      expect(computeNextRun(timetable, next, id)).toBe(next + 24 * 3_600_000);
      seconds.add((next - minute) / 1_000);
    }
    expect(seconds.size).toBe(60);
  });

  it("keeps the seconds of a monitor inside its window and behind its pause", () => {
    const schedule = { cron: "*/30 * * * *", window: { from: "09:00", to: "10:00" } };
    const pauseUntil = at("2026-11-25T09:00:00Z");
    const timetable = { ...build(schedule), pauseUntil };
    const first = computeNextRun(timetable, 0, ID) ?? 0;
    expect(new Date(first).toISOString()).toMatch(/^2026-11-25T09:00:\d\d\.000Z$/);
    const second = computeNextRun(timetable, first, ID) ?? 0;
    expect(second - first).toBe(30 * 60_000);
    expect(computeNextRun(timetable, second, ID)).toBe(first + 24 * 3_600_000);
  });
});
