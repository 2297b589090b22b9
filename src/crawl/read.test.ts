import { expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobKind } from "./job.ts";
import { createJobReader, type ReadParts } from "./read.ts";

it("warns when the list of errors is incomplete and where to find all of them", async () => {
  const warningOf = async (kind: JobKind, failed: number, robotsBlocked: number) => {
    const { accountId } = ANONYMOUS_IDENTITY;
    const job = { id: "a", kind, accountId, failed, robotsBlocked } as JobRecord;
    const parts = {
      jobs: { load: async () => job },
      results: { failures: async () => [], robotsBlocked: async () => [] },
      now: () => 0,
    } as unknown as ReadParts;
    return (await createJobReader(kind, parts).failures("a", ANONYMOUS_IDENTITY)).warning;
  };
  expect(await warningOf("crawl", 10_000, 10_000)).toBeUndefined();
  expect(await warningOf("crawl", 10_001, 3)).toContain("10000 of 10001 errors");
  expect(await warningOf("batch_scrape", 0, 20_000)).toContain("/v2/batch/scrape/a/ledger");
});
