import { describe, expect, it } from "vitest";
import type { JobState } from "../../../client/wire.ts";
import type { Paint } from "./progress.ts";
import { renderErrors, renderState, renderSums, renderWarnings } from "./summary.ts";

const hint = (words: string): string => `quarry ${words}`;

const plain: Paint = (_style, text) => text;
const buildState = (fields: Partial<JobState> = {}): JobState => ({
  success: true,
  status: "completed",
  total: 528,
  completed: 528,
  creditsUsed: 528,
  createdAt: "2026-11-21T10:00:00.000Z",
  expiresAt: "2026-11-22T10:00:00.000Z",
  duration: 19.25,
  ...fields,
});

it("the sums of the ledger add up in columns", () => {
  expect(renderSums({ fetched: 528, scope: 4_142, robots: 2 })).toEqual([
    "  fetched      528  in the results",
    "  scope      4,142  out of scope",
    "  robots         2  forbidden by robots.txt",
    "  URLs seen  4,672",
  ]);
});

describe("job state in one sentence", () => {
  it.each<[Partial<JobState>, string]>([
    [{}, "Done: 528 pages in 19 s (27.4 pages/s), 528 credits."],
    [{ completed: 0, total: 0, creditsUsed: 0, duration: 0.1 }, "Done: 0 pages, 0 credits."],
    [
      { status: "cancelled", completed: 1, total: 1, creditsUsed: 1, duration: 3 },
      "Cancelled: 1 page finished in 3 s (0.3 pages/s) and kept, 1 credit.",
    ],
    [
      { status: "failed", error: "The store is full.", completed: 2, duration: 10 },
      "Failed: The store is full. 2 pages in 10 s (0.2 pages/s), 528 credits.",
    ],
    [{ status: "scraping", completed: 7 }, "Running: 7 of 528 pages known so far, 528 credits."],
  ])("describes the job state %j", (fields, text) => {
    const { duration, ...running } = buildState(fields);
    const state = fields.status === "scraping" ? running : { ...running, duration };
    expect(renderState(state as JobState, plain)).toBe(text);
  });
});

it("the first failures are listed with reasons and where to find the rest", () => {
  const errors = [1, 2, 3, 4, 5].map((number) => ({
    id: `${number}`,
    url: `http://a.test/${number}`,
    error: "It timed\u001b[31m out.",
  }));
  expect(renderErrors({ errors, robotsBlocked: [] }, "crawl", "ID", hint)).toEqual([
    "failed: http://a.test/1: It timed[31m out.",
    "failed: http://a.test/2: It timed[31m out.",
    "failed: http://a.test/3: It timed[31m out.",
    "and 2 more: quarry crawl errors ID",
  ]);
  expect(renderErrors({ errors: [], robotsBlocked: [] }, "crawl", "ID", hint)).toEqual([]);
});

it("rewrites API advice in warnings as commands and options", () => {
  expect(renderWarnings(buildState({ warning: "Mind the gap." }), plain, "crawl", hint)).toEqual([
    "warning: Mind the gap.",
  ]);
  const warning =
    "1 URL was not fetched; GET /v2/crawl/0199-a/errors lists them as robotsBlocked, and ignoreRobotsTxt turns the check off.";
  expect(renderWarnings(buildState({ warning }), plain, "crawl", hint)).toEqual([
    "warning: 1 URL was not fetched; quarry crawl errors 0199-a lists them as robotsBlocked, and --ignore-robots turns the check off.",
  ]);
  expect(renderWarnings(buildState(), plain, "crawl", hint)).toEqual([]);
});
