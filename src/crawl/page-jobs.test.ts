import { expect, it } from "vitest";
import { warnOfMore } from "./page-jobs.ts";

it("warns when the list of errors is incomplete and where to find all of them", () => {
  const job = { id: "a", kind: "crawl" } as const;
  expect(warnOfMore({ ...job, failed: 10_000, robotsBlocked: 10_000 })).toBeUndefined();
  expect(warnOfMore({ ...job, failed: 10_001, robotsBlocked: 3 })).toContain(
    "10000 of 10001 errors",
  );
  expect(warnOfMore({ id: "a", kind: "batch_scrape", failed: 0, robotsBlocked: 20_000 })).toContain(
    "/v2/batch/scrape/a/ledger",
  );
});
