// Site statistics that workers share on both databases: added up, bounded, and removed with the
// job.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { FinishReport } from "../../src/store/jobs/finish.ts";
import type { LeasedPage } from "../../src/store/jobs/frontier.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED } from "../jobs.ts";

const log = createLogger("silent");
const PITCH = 77;

describeDatabases("site tallies", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  async function startJob(pages: number): Promise<NewJob> {
    const job = buildJob();
    await store.jobs.create(
      job,
      Array.from({ length: pages }, (_, identity) => buildFound(identity, { depth: 0 })),
    );
    return job;
  }
  const claim = (job: NewJob, worker: string, max: number) =>
    store.frontier.claim({ worker, max, leaseMs: 30_000, jobs: [job.id] });
  const finish = (
    job: NewJob,
    worker: string,
    pages: readonly LeasedPage[],
    {
      host = "site.example",
      outcome = buildOutcome as typeof buildOutcome | (() => typeof FAILED),
    } = {},
  ): Promise<FinishReport> =>
    store.finish(
      job.id,
      worker,
      pages.map((page) => ({
        ...buildFinished(page, [], outcome(page)),
        texts: { host, texts: Int32Array.of(PITCH, Number(page.identity) + 1_000) },
      })),
    );
  const rowsOf = async (job: NewJob): Promise<number> => {
    const found = await sql<{ count: number }>`
      select count(*)::integer as count from site_tallies where job_id = ${job.id}::uuid`.execute(
      store.database.kysely,
    );
    return found.rows[0]?.count ?? 0;
  };
  const repeated = (report: FinishReport, host = "site.example"): number[] => [
    ...(report.tallies.get(host)?.listRepeated() ?? []),
  ];

  describe("tallies of one job", () => {
    it("tallies add up pages finished by several workers", async () => {
      const job = await startJob(10);
      const mine = await claim(job, "mine", 2);
      const theirs = await claim(job, "theirs", 2);
      expect(repeated(await finish(job, "mine", mine))).toEqual([]);
      expect(repeated(await finish(job, "theirs", theirs))).toEqual([PITCH]);
      const [one] = await claim(job, "mine", 1);
      expect(repeated(await finish(job, "mine", one === undefined ? [] : [one]))).toEqual([PITCH]);
    });

    it("tallies count only pages in the results", async () => {
      const job = await startJob(10);
      const failed = await finish(job, "w", await claim(job, "w", 5), { outcome: () => FAILED });
      expect(failed.tallies.size).toBe(0);
      const pages = await claim(job, "w", 3);
      expect(repeated(await finish(job, "w", pages))).toEqual([]);
      // A page whose lease another worker took does not count either.
      expect((await finish(job, "w", pages)).tallies.size).toBe(0);
    });

    it("tallies are kept per host for at most a hundred hosts", async () => {
      const job = await startJob(120);
      for (let index = 0; index < 105; index++) {
        const pages = await claim(job, "w", 1);
        await finish(job, "w", pages, { host: `h${index}.example` });
      }
      expect(await rowsOf(job)).toBe(100);
    });

    it("tallies are removed when the job has ended", async () => {
      const job = await startJob(3);
      await finish(job, "w", await claim(job, "w", 2));
      expect(await rowsOf(job)).toBe(1);
      const last = await finish(job, "w", await claim(job, "w", 1));
      expect(last.ended).toBe(true);
      expect(await rowsOf(job)).toBe(0);
      const cancelled = await startJob(3);
      await finish(cancelled, "w", await claim(cancelled, "w", 2));
      await store.runs.end(cancelled.id, { state: "cancelled" }, Date.now());
      expect(await rowsOf(cancelled)).toBe(0);
    });
  });
});
