import { expect, it } from "vitest";
import { buildRecord } from "../../../test/crawl-work.ts";
import { ANONYMOUS_IDENTITY } from "../../account/identity.ts";
import { scrapeOptionsSchema } from "../../contract/page/scrape.ts";
import type { LedgerEntry } from "../../contract/jobs/ledger.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import type { Call } from "../route.ts";
import { createJobRequestHandlers } from "./job-request.ts";

async function readBatch(record: Partial<JobRecord>): Promise<unknown> {
  const options = { batch: {}, page: scrapeOptionsSchema.parse({}) };
  const job = buildRecord({ kind: "batch_scrape", options, ...record });
  const handlers = createJobRequestHandlers({
    jobs: async () => ({ find: async () => job }),
    batches: async () => ({
      async *iterateLedger() {
        yield [{ url: "https://a.example/" } as LedgerEntry];
      },
    }),
    agents: { findTurn: async () => 1 },
  });
  const read = handlers["GET /v2/batch/scrape/:id/request"];
  return await read?.({ params: { id: job.id }, identity: ANONYMOUS_IDENTITY } as Call<
    unknown,
    unknown,
    unknown
  >);
}

it("answers 409 while the URLs of a batch are still being stored", async () => {
  await expect(readBatch({ state: "scraping", seeding: true })).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("ask again in a few seconds"),
  });
});

it("returns the stored URLs of a batch once all of them are stored", async () => {
  for (const record of [
    { state: "scraping", seeding: false },
    { state: "completed", seeding: false },
    { state: "cancelled", seeding: true },
  ] as const)
    expect(await readBatch(record)).toMatchObject({ request: { urls: ["https://a.example/"] } });
});
