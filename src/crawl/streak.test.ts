import { describe, expect, it } from "vitest";
import { Streak, type StreakLimits } from "./streak.ts";

const LIMITS: StreakLimits = { patienceMs: 10_000, rests: 3, silent: 4, pages: 2 };
const build = (limits: Partial<StreakLimits> = {}): Streak => new Streak({ ...LIMITS, ...limits });

/** One refusal at each time, of alternating pages. */
function refuse(streak: Streak, ...times: number[]): Streak {
  for (const [index, at] of times.entries()) streak.refuse(`/${index % 3}`, 503, true, at);
  return streak;
}

describe("host that refuses requests", () => {
  it("blames the host after several refused pages in a row, not after one page refused repeatedly", () => {
    const streak = build();
    for (let at = 0; at < 9; at++) streak.refuse("/a", 503, true, at);
    expect(streak.isRefusing).toBe(false);
    streak.refuse("/b", 503, true, 10);
    expect(streak.isRefusing).toBe(true);
    streak.end();
    expect(streak.isRefusing).toBe(false);
  });

  it("gives up a host only after both the time and the number of pauses", () => {
    expect(refuse(build(), 1_000, 2_000, 10_999).lost(11_000)).toBeUndefined();
    expect(refuse(build(), 1_000, 11_000).lost(11_000)).toBeUndefined();
    const lost = refuse(build(), 1_000, 2_000, 11_000);
    expect(lost.lost(11_000)).toBe(
      "served none of 3 requests (last answer 503) within 10 s and was given up",
    );
    expect(lost.since).toBe(1_000);
  });

  it("reports all requests to the lost host, including several per page", () => {
    const streak = build();
    for (const at of [0, 5_000, 10_000]) streak.refuse("/", 429, true, at, 2);
    expect(streak.lost(10_000)).toContain("served none of 6 requests");
  });

  it("counts requests sent before a pause as one with it", () => {
    const streak = build();
    for (const isNews of [true, false, false, false]) streak.refuse("/", 503, isNews, 0);
    streak.refuse("/", 503, true, 20_000);
    expect(streak.isLost).toBe(false);
    streak.refuse("/", 503, true, 20_001);
    expect(streak.isLost).toBe(true);
  });

  it("never gives up a host when the patience is zero", () => {
    expect(refuse(build({ patienceMs: 0 }), 0, 1e6, 1e7, 1e8).isLost).toBe(false);
  });

  it("resets the streak of refused requests when the host has served a page", () => {
    const streak = refuse(build(), 0, 5_000);
    streak.end();
    expect(refuse(streak, 9_000, 15_000, 18_999).isLost).toBe(false);
    expect(refuse(streak, 19_000).isLost).toBe(true);
    streak.end();
    expect(streak.lost(19_000)).toBeUndefined();
  });
});

describe("host that does not answer", () => {
  it("gives up a silent host after the time and the number of requests", () => {
    const streak = build();
    for (const at of [0, 4_000, 8_000]) streak.miss(at);
    streak.miss(9_999);
    expect(streak.isLost).toBe(false);
    streak.miss(12_000);
    expect(streak.lost(12_000)).toBe("answered none of 5 requests within 12 s and was given up");
    expect(streak.isRefusing).toBe(false);
  });
});

describe("host that was given up", () => {
  it("probes a lost host with one page a minute and restores it when a probe succeeds", () => {
    const streak = refuse(build(), 0, 5_000, 10_000);
    expect(streak.lost(69_999)).toBeDefined();
    expect(streak.lost(70_000)).toBeUndefined();
    expect(streak.lost(70_001)).toBeDefined();
    streak.end();
    expect(streak.lost(70_002)).toBeUndefined();
  });
});
