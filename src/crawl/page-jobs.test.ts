import { expect, it } from "vitest";
import { warnOfMoreErrors } from "./page-jobs.ts";

it("warns when the list of errors is incomplete and where to find all of them", () => {
  const job = { id: "a" };
  expect(
    warnOfMoreErrors("crawl", { ...job, failed: 10_000, robotsBlocked: 10_000 }),
  ).toBeUndefined();
  expect(warnOfMoreErrors("crawl", { ...job, failed: 10_001, robotsBlocked: 3 })).toContain(
    "10000 of 10001 errors",
  );
  expect(warnOfMoreErrors("batch_scrape", { ...job, failed: 0, robotsBlocked: 20_000 })).toContain(
    "/v2/batch/scrape/a/ledger",
  );
});
