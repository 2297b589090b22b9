// Jobs, results and ledger on both databases: reads return what was committed, once and in order.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import type { ResultRow } from "../../src/store/jobs/results.ts";
import { createHostStore, createLocalHosts, type HostStore } from "../../src/store/jobs/hosts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED, buildUrl } from "../jobs.ts";

const log = createLogger("silent");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ALL = { skip: 0, limit: 10_000, maxBytes: 1e9 };

describeDatabases("jobs", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  async function startJob(overrides: Partial<NewJob> = {}, count = 1): Promise<NewJob> {
    const job = buildJob(overrides);
    await store.jobs.create(
      job,
      Array.from({ length: count }, (_, index) => buildFound(index, { depth: 0 })),
    );
    return job;
  }
  async function fetchPages(job: NewJob, max: number, text = ""): Promise<void> {
    const pages = await store.frontier.claim({ worker: "w", max, leaseMs: HOUR, jobs: [job.id] });
    await store.finish(
      job.id,
      "w",
      pages.map((page) => {
        const outcome = buildOutcome(page, {});
        const document = { markdown: `${page.url}${text}`, metadata: {} } as never;
        return buildFinished(page, [], { ...outcome, document } as typeof outcome);
      }),
    );
  }

  describe("job records", () => {
    it("a job is loaded as it was stored", async () => {
      const job = await startJob({
        hold: {
          id: "0199f0c1-0000-7000-8000-000000000001",
          accountId: "0199f0c1-0000-7000-8000-000000000002",
          keyId: "0199f0c1-0000-7000-8000-000000000003",
          jobId: null,
          endpoint: "crawl",
          amount: 7,
          at: 1,
          expiresAt: 2,
        },
        webhook: { url: "http://a.example", headers: {}, metadata: { a: 1 }, events: ["page"] },
      });
      expect(await store.jobs.load(job.id)).toEqual({
        ...job,
        work: null,
        traceparent: null,
        state: "scraping",
        completedAt: null,
        error: null,
        warnings: [],
        settled: false,
        pending: 1,
        completed: 0,
        failed: 0,
        held: 0,
        discovered: 1,
        robotsBlocked: 0,
        creditsUsed: 0,
      });
      expect(await store.jobs.load("no id")).toBeUndefined();
      expect((await store.jobs.listActive(job.accountId, "crawl")).map(({ id }) => id)).toEqual([
        job.id,
      ]);
      expect(await store.jobs.listActive(job.accountId, "batch_scrape")).toEqual([]);
    });

    it("a job with nothing to fetch and no seeding ends at once", async () => {
      const job = await startJob({}, 0);
      expect(await store.jobs.load(job.id)).toMatchObject({ state: "completed" });
    });

    it("a job completes only after its seeding has ended", async () => {
      const job = await startJob({ seeding: true });
      await fetchPages(job, 1);
      expect(await store.jobs.load(job.id)).toMatchObject({ state: "scraping", pending: 0 });
      expect(await store.jobs.endSeeding(job.id, 99)).toEqual({ state: "completed", ended: true });
      expect(await store.jobs.endSeeding(job.id, 99)).toEqual({ state: "completed", ended: false });
      expect(await store.jobs.load(job.id)).toMatchObject({ completedAt: 99, seeding: false });
    });

    it("a failed job stays failed with its reason", async () => {
      const job = await startJob();
      const error = { code: "UNKNOWN_ERROR", message: "why" } as const;
      expect(await store.runs.end(job.id, { state: "failed", error }, 5)).toBe(true);
      expect(await store.runs.end(job.id, { state: "cancelled" }, 6)).toBe(false);
      expect(await store.jobs.load(job.id)).toMatchObject({
        state: "failed",
        error,
        completedAt: 5,
      });
    });

    it("a job is unsettled from its end until it is settled", async () => {
      const job = await startJob();
      const unsettled = async () => (await store.jobs.listUnsettled()).map(({ id }) => id);
      expect(await unsettled()).not.toContain(job.id);
      await store.runs.end(job.id, { state: "cancelled" }, Date.now());
      expect(await unsettled()).toContain(job.id);
      await store.jobs.markSettled(job.id);
      expect(await unsettled()).not.toContain(job.id);
    });

    it("a settled job deletes its caller's headers", async () => {
      const page = { headers: { Cookie: "a=1" }, mobile: false };
      const job = await startJob({ options: { page, keyConcurrency: null } });
      expect((await store.jobs.load(job.id))?.options).toMatchObject({ page });
      await store.runs.end(job.id, { state: "cancelled" }, Date.now());
      await store.jobs.markSettled(job.id);
      expect((await store.jobs.load(job.id))?.options).toEqual({
        page: { mobile: false },
        keyConcurrency: null,
      });
    });

    it("a job stores each warning once and adds extra charges", async () => {
      const job = await startJob();
      for (const warning of ["one", "two", "one"]) await store.jobs.warn(job.id, warning);
      await store.jobs.charge(job.id, 3);
      expect(await store.jobs.load(job.id)).toMatchObject({
        warnings: ["one", "two"],
        creditsUsed: 3,
      });
    });

    it("a job expires after its lifetime since end or last read, not while it runs", async () => {
      const long = Date.now() - 3 * DAY;
      const job = await startJob({ createdAt: long, expiresAt: long + DAY });
      expect(await store.jobs.load(job.id)).toBeDefined();
      await fetchPages(job, 1);
      const ended = await store.jobs.load(job.id);
      expect(ended?.expiresAt).toBeGreaterThan(Date.now() + DAY - HOUR);
      await store.jobs.refresh(job.id, (ended?.expiresAt ?? 0) + 30_000);
      expect((await store.jobs.load(job.id))?.expiresAt).toBe(ended?.expiresAt);
      await store.jobs.refresh(job.id, Date.now() + 2 * DAY);
      expect(await store.jobs.load(job.id, Date.now() + DAY + HOUR)).toBeDefined();
      expect(await store.jobs.load(job.id, Date.now() + 2 * DAY)).toBeUndefined();
      expect(await store.jobs.hasExpired(job.id, job, Date.now() + DAY)).toBe(false);
      expect(await store.jobs.hasExpired(job.id, job, Date.now() + 2 * DAY)).toBe(true);
    });

    it("a job with zero data retention is removed an hour after its end", async () => {
      const job = await startJob({ zeroDataRetention: true });
      await fetchPages(job, 1);
      await store.jobs.refresh(job.id, Date.now() + 2 * DAY);
      expect(await store.jobs.load(job.id, Date.now() + HOUR - 60_000)).toBeDefined();
      expect(await store.jobs.load(job.id, Date.now() + HOUR + 60_000)).toBeUndefined();
    });
  });

  describe("results", () => {
    it("results are paged by number and bytes, and a page has at least one document", async () => {
      const job = await startJob({}, 5);
      await fetchPages(job, 5, "x".repeat(900));
      const sequences = async (skip: number, limit: number, maxBytes: number) =>
        (await store.results.listPage(job.id, { skip, limit, maxBytes })).map(
          ({ sequence }) => sequence,
        );
      expect(await sequences(0, 2, 1e9)).toEqual([1, 2]);
      expect(await sequences(2, 100, 1e9)).toEqual([3, 4, 5]);
      expect(await sequences(0, 100, 2_000)).toEqual([1, 2]);
      expect(await sequences(1, 100, 10)).toEqual([2]);
      expect(await sequences(5, 100, 1e9)).toEqual([]);
      expect((await store.results.load(job.id, 3))?.document).toMatchObject({
        markdown: buildUrl(2) + "x".repeat(900),
      });
      expect(await store.results.load(job.id, 6)).toBeUndefined();
    });

    it("results read while pages are committed come once each in order", async () => {
      const job = await startJob({}, 120);
      const committing = (async () => {
        for (let index = 0; index < 40; index += 1) await fetchPages(job, 3);
      })();
      const read: ResultRow[] = [];
      for (;;) {
        const isOver = (await store.jobs.load(job.id))?.state === "completed";
        const rows = await store.results.listPage(job.id, {
          skip: read.length,
          limit: 7,
          maxBytes: 1e9,
        });
        read.push(...rows);
        if (isOver && rows.length === 0) break;
      }
      await committing;
      expect(read.map(({ sequence }) => sequence)).toEqual(
        Array.from({ length: 120 }, (_, index) => index + 1),
      );
      expect(new Set(read.map(({ requestedUrl }) => requestedUrl)).size).toBe(120);
    });

    it("results stream completely from any offset", async () => {
      const job = await startJob({}, 130);
      await fetchPages(job, 130);
      const numbers: number[] = [];
      for await (const rows of store.results.iterateResults(job.id, { after: 5 }))
        numbers.push(...rows.map(({ sequence }) => sequence));
      expect(numbers).toEqual(Array.from({ length: 125 }, (_, index) => index + 6));
    });

    it("documents of a job can be read as scrapes by id except with zero data retention", async () => {
      for (const zeroDataRetention of [false, true]) {
        const job = await startJob({ zeroDataRetention });
        await fetchPages(job, 1, "large ".repeat(10_000));
        const [row] = await store.results.listPage(job.id, ALL);
        const scrape = await store.scrapes.load(row?.scrapeId ?? "");
        if (zeroDataRetention) expect(scrape).toBeUndefined();
        else
          expect(scrape).toMatchObject({
            accountId: job.accountId,
            requestedUrl: buildUrl(0),
            status: "completed",
            options: { formats: [{ type: "markdown" }] },
            document: row?.document,
          });
      }
    });
  });

  describe("ledger", () => {
    it("the ledger returns every URL once in discovery order, by fate and as a stream", async () => {
      const job = await startJob({ seeding: true }, 0);
      const COUNT = 2_300;
      await store.frontier.add(
        job.id,
        Array.from({ length: COUNT }, (_, index) =>
          buildFound(index, index % 10 === 3 ? { refused: { fate: "scope", reason: "r" } } : {}),
        ),
      );
      const first = await store.jobLedger.page(job.id, { skip: 0, limit: 700 });
      const second = await store.jobLedger.page(job.id, { skip: 700, limit: 700 });
      expect([...first, ...second].map(({ url }) => url)).toEqual(
        Array.from({ length: 1_400 }, (_, index) => buildUrl(index)),
      );
      const refused = await store.jobLedger.page(job.id, { skip: 5, limit: 2, fate: "scope" });
      expect(refused.map(({ url }) => url)).toEqual([buildUrl(53), buildUrl(63)]);
      for (const [fate, count] of [
        [undefined, COUNT],
        ["scope", 230],
        ["limit", COUNT - 230 - 1_000],
        ["error", 0],
      ] as const) {
        let seen = 0;
        for await (const rows of store.jobLedger.iterateUrls(job.id, fate)) seen += rows.length;
        expect(seen, fate).toBe(count);
      }
      expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({
        pending: 1_000,
        scope: 230,
        limit: 1_070,
      });
    });
  });

  it("removes expired jobs with all their rows and nothing of others", async () => {
    const webhook = { url: "http://a.example", headers: {}, metadata: {}, events: ["page"] };
    const jobs = [
      await startJob({ webhook }, 1_200),
      await startJob({ webhook, expiresAt: Date.now() + 5 * DAY }, 2),
      await startJob({}, 2),
    ];
    const [gone, kept, running] = jobs as [NewJob, NewJob, NewJob];
    await fetchPages(gone, 1_200, "gone ".repeat(10_000));
    await fetchPages(kept, 2, "kept ".repeat(10_000));
    await store.retention.cleanUp({ now: Date.now() + 2 * DAY });
    const left = async (
      table: "frontier" | "results" | "webhook_deliveries" | "job_progress",
      id: string,
    ) =>
      (
        await store.database.kysely
          .selectFrom(table)
          .select("job_id")
          .where("job_id", "=", id)
          .execute()
      ).length;
    for (const table of ["frontier", "results", "webhook_deliveries", "job_progress"] as const)
      expect(await left(table, gone.id), table).toBe(0);
    expect(await store.jobs.load(gone.id)).toBeUndefined();
    expect(await store.jobs.hasExpired(gone.id, gone)).toBe(true);
    expect(await store.jobs.hasExpired(gone.id, kept)).toBe(false);
    expect(await store.jobs.hasExpired(kept.id, kept)).toBe(false);
    expect(await store.jobs.hasExpired(running.id, running)).toBe(false);
    expect(await left("frontier", kept.id)).toBe(2);
    expect(await left("frontier", running.id)).toBe(2);
    const documents = await store.results.listPage(kept.id, ALL);
    expect(documents.map(({ document }) => document)).toHaveLength(2);
    expect(documents[0]?.document).toMatchObject({
      markdown: expect.stringContaining("kept") as string,
    });
    // A week later nothing is known of it.
    await store.retention.cleanUp({ now: Date.now() + 2 * DAY + 8 * DAY });
    expect(await store.jobs.hasExpired(gone.id, gone)).toBe(false);
  });

  it("drops a batch's failures from its results and keeps them in the errors", async () => {
    const job = await startJob({ kind: "batch_scrape", limit: null }, 3);
    const pages = await store.frontier.claim({
      worker: "w",
      max: 3,
      leaseMs: HOUR,
      jobs: [job.id],
    });
    await store.finish(
      job.id,
      "w",
      pages.map((page, index) =>
        buildFinished(page, [], index === 1 ? FAILED : buildOutcome(page)),
      ),
      77,
    );
    expect(await store.results.listFailures(job.id, 10)).toEqual([
      {
        sequence: 2,
        url: buildUrl(1),
        at: 77,
        error: FAILED.type === "failed" ? FAILED.error : null,
      },
    ]);
    expect(await store.results.listPage(job.id, ALL)).toHaveLength(2);
  });

  describe.each(["local", "shared"] as const)("%s hosts", (which) => {
    let hosts: HostStore;
    let host: string;
    beforeAll(() => {
      hosts = which === "local" ? createLocalHosts() : createHostStore(store.database.kysely);
      host = `${which}.example`;
    });

    it("host stores share slots between workers up to the cap until they expire or are released", async () => {
      const share = async (worker: string, want: number, now: number) =>
        (await hosts.share({ host, worker, want, cap: 5, leaseMs: 1_000, now })).slots;
      const now = Date.now();
      expect(await share("a", 3, now)).toBe(3);
      expect(await share("b", 4, now)).toBe(2);
      expect(await share("c", 1, now)).toBe(0);
      expect(await share("a", 1, now + 500)).toBe(1);
      expect(await share("c", 9, now + 500)).toBe(2);
      expect(await share("c", 9, now + 1_001)).toBe(4);
      await hosts.release("a");
      expect(await share("c", 9, now + 1_001)).toBe(5);
    });

    it("host stores reserve start times apart from each other", async () => {
      const now = Date.now() + DAY;
      const turn = (at: number, count = 1) =>
        hosts.takeTurns({ host, count, delayMs: 200, now: at });
      expect(await turn(now)).toBe(now);
      expect(await turn(now + 50, 3)).toBe(now + 200);
      expect(await turn(now + 60)).toBe(now + 800);
      expect(await turn(now + 5_000)).toBe(now + 5_000);
    });

    it("host stores remember the latest pause and delay", async () => {
      await hosts.backOff(host, { until: 5_000, delayMs: 40 });
      await hosts.backOff(host, { until: 4_000 });
      const share = { host, worker: "z", want: 0, cap: 1, leaseMs: 1 };
      expect(await hosts.share(share)).toMatchObject({ backOffUntil: 5_000, delayMs: 40 });
      await hosts.backOff(host, { delayMs: 0 });
      expect(await hosts.share(share)).toMatchObject({ backOffUntil: 5_000, delayMs: 0 });
    });
  });
});
