import { expect, it } from "vitest";
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { mergeJobs } from "./merge-jobs.ts";

const buildJob = (id: string, more: Partial<ListedJobBody> = {}): ListedJobBody => ({
  id,
  kind: "crawl",
  state: "completed",
  path: `/v2/crawl/${id}`,
  url: `https://example.com/${id}`,
  prompt: null,
  apiKey: { id: "key", name: "first" },
  total: 1,
  completed: 1,
  failed: 0,
  creditsUsed: 1,
  error: null,
  code: null,
  createdAt: `2026-01-01T00:00:0${id}.000Z`,
  completedAt: null,
  expiresAt: null,
  ...more,
});

const ALL = { kind: "", state: "", text: "" };
const merge = (
  loaded: readonly ListedJobBody[],
  live: readonly ListedJobBody[],
  filters = ALL,
  isWhole = false,
): string[] =>
  mergeJobs(loaded, new Map(live.map((job) => [job.id, job])), filters, isWhole).map(
    ({ id, state }) => `${id} ${state}`,
  );

it("puts running jobs first and keeps the age order of both parts", () => {
  expect(
    merge(
      [buildJob("5"), buildJob("3", { state: "running" }), buildJob("2")],
      [buildJob("6"), buildJob("4", { state: "running" })],
    ),
  ).toEqual(["4 running", "3 running", "6 completed", "5 completed", "2 completed"]);
});

it("takes the newest state of a loaded job from the stream", () => {
  expect(
    merge([buildJob("2", { state: "running" })], [buildJob("2", { state: "failed" })]),
  ).toEqual(["2 failed"]);
  expect(
    merge([buildJob("2", { state: "running" })], [buildJob("2")], { ...ALL, state: "running" }),
  ).toEqual([]);
});

it("adds jobs of the stream that fit the filters, older ones only to a whole list", () => {
  const live = [buildJob("9", { kind: "batch" }), buildJob("1")];
  expect(merge([buildJob("5")], live)).toEqual(["9 completed", "5 completed"]);
  expect(merge([buildJob("5")], live, ALL, true)).toEqual([
    "9 completed",
    "5 completed",
    "1 completed",
  ]);
  expect(merge([buildJob("5")], live, { ...ALL, kind: "crawl" })).toEqual(["5 completed"]);
  expect(merge([buildJob("5")], live, { ...ALL, text: "/9" })).toEqual([
    "9 completed",
    "5 completed",
  ]);
});
