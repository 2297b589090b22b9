import { expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import type { JobKind } from "../jobs/kind.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { BATCH_KIND, createCrawlKind } from "./kinds.ts";
import { createPageJobs, type ReadParts } from "./page-jobs.ts";

it("warns when the list of errors is incomplete and where to find all of them", async () => {
  const CRAWL_KIND = createCrawlKind(() => Promise.reject(new Error("not needed")));
  const warningOf = async (kind: JobKind, failed: number, robotsBlocked: number) => {
    const { accountId } = ANONYMOUS_IDENTITY;
    const job = { id: "a", kind: kind.name, accountId, failed, robotsBlocked } as JobRecord;
    const parts = {
      lifecycle: { find: async () => job },
      results: { failures: async () => [], robotsBlocked: async () => [] },
    } as unknown as ReadParts;
    return (await createPageJobs(kind, parts).failures("a", ANONYMOUS_IDENTITY)).warning;
  };
  expect(await warningOf(CRAWL_KIND, 10_000, 10_000)).toBeUndefined();
  expect(await warningOf(CRAWL_KIND, 10_001, 3)).toContain("10000 of 10001 errors");
  expect(await warningOf(BATCH_KIND, 0, 20_000)).toContain("/v2/batch/scrape/a/ledger");
});
