import { describe, expect, it } from "vitest";
import {
  createRateMeter,
  formatDuration,
  renderLine,
  renderProgress,
  type Paint,
  type Progress,
} from "./progress.ts";

const plain: Paint = (_style, text) => text;
const buildProgress = (fields: Partial<Progress> = {}): Progress => ({
  title: "Crawling https://example.com/",
  status: "scraping",
  completed: 212,
  total: 527,
  sums: { fetched: 212, pending: 290, working: 25, scope: 3_076, robots: 2, error: 1 },
  creditsUsed: 212,
  pagesPerSecond: 21.04,
  elapsedMs: 9_400,
  current: "https://example.com/library/asyncio.html",
  written: { count: 212, where: "docs" },
  ...fields,
});

describe("renderProgress", () => {
  it("shows pages, rate, time left, outcomes, current URL, time, credits and output", () => {
    expect(renderProgress(buildProgress(), 100, plain)).toEqual([
      "Crawling https://example.com/",
      "█████████░░░░░░░░░░░░░░░  212 of 527 pages · 21.0 pages/s · about 15 s left",
      "25 in progress · 290 queued · 3,076 out of scope · 2 blocked by robots.txt · 1 failed",
      "https://example.com/library/asyncio.html",
      "9 s · 212 credits · 212 pages written to docs",
    ]);
  });

  it("keeps the counts consistent although fates are polled less often", () => {
    const older = buildProgress({ completed: 510, sums: { pending: 400, working: 25, scope: 9 } });
    expect(renderProgress(older, 100, plain)[2]).toBe("17 in progress · 9 out of scope");
    expect(renderLine({ ...older, completed: 400 })).toContain("25 in progress, 102 queued, 9 out");
    expect(renderLine({ ...older, status: "cancelled" })).toContain("25 in progress, 400 queued");
  });

  it("drops the bar and whole parts on a narrow terminal and clips the URL in the middle", () => {
    expect(renderProgress(buildProgress(), 30, plain)).toEqual([
      "Crawling https://example.com/",
      "212 of 527 pages",
      "25 in progress · 290 queued",
      "https://exampl…ry/asyncio.html",
      "9 s · 212 credits",
    ]);
  });

  it("omits unknown values", () => {
    const progress = buildProgress({
      completed: 0,
      total: 1,
      sums: {},
      creditsUsed: 0,
      pagesPerSecond: undefined,
      current: undefined,
      written: undefined,
      elapsedMs: 0,
    });
    expect(renderProgress(progress, 100, plain)).toEqual([
      "Crawling https://example.com/",
      `${"░".repeat(24)}  0 of 1 page`,
      "0 s · 0 credits",
    ]);
  });

  it("shows no remaining time for an idle job and a line for a problem", () => {
    const trouble = "The server does not answer; trying again.";
    const lines = renderProgress(buildProgress({ pagesPerSecond: 0, trouble }), 100, plain);
    expect(lines.join("\n")).not.toContain("left");
    expect(lines.at(-1)).toBe(trouble);
  });

  it("shows no escape sequences from URLs or titles", () => {
    const current = "https://example.com/\u001b[2J\u202efdp.exe";
    const lines = renderProgress(buildProgress({ current, title: "a\u0007b\nc" }), 100, plain);
    expect(lines[3]).toBe("https://example.com/[2Jfdp.exe");
    expect(lines[0]).toBe("ab c");
  });
});

it("renderLine shows the progress on one line", () => {
  expect(renderLine(buildProgress())).toBe(
    "212 of 527 pages, 25 in progress, 290 queued, 3,076 out of scope, 2 blocked by robots.txt, 1 failed, 21.0 pages/s, about 15 s left",
  );
});

it.each([
  [0, "0 s"],
  [268, "0.3 s"],
  [1, "0.1 s"],
  [59_400, "59 s"],
  [59_600, "1 min"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
  [90_000_000, "25 h"],
])("duration of %d ms is shown as %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

describe("page rate", () => {
  it("reports no page rate at first, then the average of the last seconds", () => {
    const meter = createRateMeter(10_000);
    meter.add(0, 500);
    expect(meter.computeRate()).toBeUndefined();
    meter.add(500, 600);
    expect(meter.computeRate()).toBeUndefined();
    for (let second = 1; second <= 30; second++) meter.add(second * 1_000, 500 + second * 20);
    expect(meter.computeRate()).toBeCloseTo(20);
    for (let second = 31; second <= 60; second++) meter.add(second * 1_000, 1_100);
    expect(meter.computeRate()).toBe(0);
  });
});
