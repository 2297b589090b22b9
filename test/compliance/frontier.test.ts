// The frontier on both databases: claims, finishes, held and promoted URLs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { Claim, LeasedPage } from "../../src/store/jobs/frontier.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { MAX_ATTEMPTS } from "../../src/store/jobs/frontier-claims.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED, buildUrl } from "../jobs.ts";

const log = createLogger("silent");
const LEASE_MS = 30_000;

describeDatabases("frontier", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  async function startJob(overrides: Partial<NewJob> = {}, identities: number[] = [0]) {
    const job = buildJob(overrides);
    await store.jobs.create(
      job,
      identities.map((identity) => buildFound(identity, { depth: 0, source: "start" })),
    );
    return job;
  }
  const claim = (job: NewJob, more: Partial<Claim> = {}) =>
    store.frontier.claim({ worker: "w", max: 20, leaseMs: LEASE_MS, jobs: [job.id], ...more });
  async function claimOne(job: NewJob): Promise<LeasedPage> {
    const [page] = await claim(job, { max: 1 });
    if (page === undefined) throw new Error("nothing to claim");
    return page;
  }
  const fatesOf = async (job: NewJob) =>
    Object.fromEntries(
      (await store.jobLedger.page(job.id, { skip: 0, limit: 1_000 })).map((row) => [
        Number(row.url.split("/").at(-1)),
        row.fate,
      ]),
    );

  describe("claim", () => {
    it("claims breadth first in discovery order", async () => {
      const job = await startJob({ seeding: true });
      await store.frontier.add(job.id, [
        buildFound(5, { depth: 2 }),
        buildFound(9),
        buildFound(3, { marks: { chain: 4 } }),
        buildFound(7, { depth: 0 }),
      ]);
      const pages = await claim(job);
      expect(pages.map(({ identity }) => Number(identity))).toEqual([0, 7, 9, 3, 5]);
      expect(pages[3]).toMatchObject({
        url: buildUrl(3),
        depth: 1,
        marks: { chain: 4 },
        attempt: 1,
      });
      expect(await claim(job)).toEqual([]);
    });

    it("respects the job's maxConcurrency over all workers", async () => {
      const job = await startJob({ maxConcurrency: 3 }, [1, 2, 3, 4, 5]);
      expect(await claim(job, { worker: "a", max: 2 })).toHaveLength(2);
      const [page, ...others] = await claim(job, { worker: "b" });
      expect(others).toEqual([]);
      if (page === undefined) throw new Error("no page");
      expect(await claim(job, { worker: "c" })).toEqual([]);
      await store.finish(job.id, "b", [buildFinished(page)]);
      expect(await claim(job, { worker: "c" })).toHaveLength(1);
    });

    it("serves the least recently served job first and fills up from the next", async () => {
      const jobs = [await startJob({}, [1, 2, 3]), await startJob({}, [1, 2, 3])];
      const ids = jobs.map(({ id }) => id);
      const take = async (max: number, now: number) =>
        (await store.frontier.claim({ worker: "w", max, leaseMs: LEASE_MS, jobs: ids, now })).map(
          ({ jobId }) => ids.indexOf(jobId),
        );
      const now = Date.now();
      const [first] = await take(1, now);
      expect(await take(1, now + 1)).toEqual([first === 0 ? 1 : 0]);
      expect(await take(1, now + 2)).toEqual([first]);
      expect(await take(5, now + 3)).toHaveLength(3);
    });

    it("skips excluded jobs", async () => {
      const job = await startJob();
      const pages = await store.frontier.claim({
        worker: "w",
        max: 5,
        leaseMs: LEASE_MS,
        jobs: [job.id],
        except: [job.id],
      });
      expect(pages).toEqual([]);
    });

    it("claims expired leases but not renewed ones, and a released page at its first attempt", async () => {
      const job = await startJob({}, [1, 2]);
      const now = Date.now();
      const [kept] = await claim(job, { worker: `kept-${job.id}`, max: 1, now });
      const [dropped] = await claim(job, { worker: "dead", max: 1, now });
      if (kept === undefined) throw new Error("nothing was claimed");
      expect(await store.frontier.findNextExpiry()).toBeLessThanOrEqual(now + LEASE_MS);
      expect(await store.frontier.renew(`kept-${job.id}`, [kept], LEASE_MS, now + LEASE_MS)).toBe(
        1,
      );
      const later = await claim(job, { worker: "next", now: now + LEASE_MS });
      expect(later).toEqual([{ ...dropped, attempt: 2 }]);
      await store.frontier.release("next", later);
      expect(await claim(job, { worker: "third", now: now + LEASE_MS })).toEqual(later);
      expect(kept.attempt).toBe(1);
    });

    it("renews only the given pages, so that others get those of a lost claim", async () => {
      const job = await startJob({}, [1, 2]);
      const now = Date.now();
      const [held, ...lost] = await claim(job, { worker: "one", now });
      if (held === undefined) throw new Error("nothing was claimed");
      expect(lost).toHaveLength(1);
      expect(await store.frontier.renew("one", [held], LEASE_MS, now + LEASE_MS)).toBe(1);
      const taken = await claim(job, { worker: "other", now: now + LEASE_MS });
      expect(taken).toEqual(lost.map((page) => ({ ...page, attempt: 2 })));
      expect(await store.frontier.renew("one", lost, LEASE_MS, now + LEASE_MS)).toBe(0);
    });

    it("claims suspect pages only on request, and no others then", async () => {
      const job = await startJob({}, [1, 2]);
      const now = Date.now();
      for (const times of [0, 1, 2])
        expect(await claim(job, { max: 1, suspects: "none", now: now + times * LEASE_MS })).toEqual(
          [expect.objectContaining({ identity: 1n, attempt: times + 1 })],
        );
      const later = now + 3 * LEASE_MS;
      // Neither after the lease expired, nor when it was released at the start of a process.
      for (const hosts of [{}, { "site.example": 9 }]) {
        const [other, ...more] = await claim(job, { suspects: "none", now: later, hosts });
        if (other === undefined) throw new Error("no page");
        expect(other).toMatchObject({ identity: 2n, attempt: 1 });
        expect(more).toEqual([]);
        await store.frontier.release("w", [other]);
        await store.frontier.releaseAll();
      }
      const [suspect, ...none] = await claim(job, { suspects: "only", now: later });
      expect(suspect).toMatchObject({ identity: 1n, attempt: 4 });
      expect(none).toEqual([]);
    });

    it("gives suspect pages only to processes that have run long enough", async () => {
      const job = await startJob();
      let now = Date.now();
      const claimSuspects = (suspectTries: number) =>
        claim(job, { now, suspects: "only", suspectTries });
      for (let attempt = 1; attempt <= 3; attempt++, now += LEASE_MS)
        await claim(job, { now, suspects: "none" });
      for (let tries = 1; tries <= 4; tries++, now += LEASE_MS) {
        expect(await claimSuspects(tries - 1)).toEqual([]);
        expect(await claimSuspects(tries)).toMatchObject([{ attempt: 3 + tries }]);
      }
      expect(await claimSuspects(3)).toEqual([]);
      expect(await store.jobs.load(job.id)).toMatchObject({ state: "scraping" });
    });

    it("fails a page that killed too many workers while running alone, which can end the job", async () => {
      const job = await startJob();
      let now = Date.now();
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const suspects = attempt <= 3 ? "none" : "only";
        expect(await claim(job, { now, suspects })).toMatchObject([{ attempt }]);
        now += LEASE_MS;
      }
      expect(await claim(job, { now, suspects: "none" })).toEqual([]);
      expect(await store.jobs.load(job.id)).toMatchObject({ state: "scraping", failed: 0 });
      expect(await claim(job, { now, suspects: "only" })).toEqual([]);
      expect(await store.jobs.load(job.id)).toMatchObject({ state: "failed", failed: 1 });
      const [failure] = await store.results.listFailures(job.id, 10);
      expect(failure).toMatchObject({ url: buildUrl(0), error: { code: "UNKNOWN_ERROR" } });
    });
  });

  describe("finish", () => {
    it("writes document, links, fates and counters and reports the end of the job once", async () => {
      const job = await startJob();
      const page = await claimOne(job);
      const first = await store.finish(job.id, "w", [
        buildFinished(page, [
          buildFound(1),
          buildFound(1),
          buildFound(0),
          buildFound(2, { refused: { fate: "robots", reason: "line 3" } }),
        ]),
      ]);
      expect(first).toMatchObject({
        state: "scraping",
        ended: false,
        pages: ["fetched"],
        ready: 1,
      });
      const next = await claimOne(job);
      expect(next).toMatchObject({ url: buildUrl(1), depth: 1 });
      const last = await store.finish(job.id, "w", [buildFinished(next, [], FAILED)]);
      expect(last).toMatchObject({ state: "completed", ended: true, pages: ["failed"] });
      expect(last.counters).toEqual({
        pending: 0,
        completed: 1,
        failed: 1,
        held: 0,
        discovered: 3,
        robotsBlocked: 1,
        creditsUsed: 2,
      });
      expect(await fatesOf(job)).toEqual({ 0: "fetched", 1: "error", 2: "robots" });
      const rows = await store.jobLedger.page(job.id, { skip: 0, limit: 10 });
      expect(rows[2]).toEqual({
        sequence: 3,
        url: buildUrl(2),
        fate: "robots",
        reason: "line 3",
        parent: buildUrl(0),
        depth: 1,
      });
      expect(await store.results.listRobotsBlocked(job.id, 10)).toEqual([buildUrl(2)]);
    });

    it("ignores the second finish of a page", async () => {
      const job = await startJob({ seeding: true });
      const page = await claimOne(job);
      await store.finish(job.id, "w", [buildFinished(page), buildFinished(page)]);
      const again = await store.finish(job.id, "w", [buildFinished(page, [buildFound(8)])]);
      expect(again).toMatchObject({ pages: ["lost"], ended: false });
      expect(again.counters).toMatchObject({ completed: 1, discovered: 1, creditsUsed: 1 });
    });

    it("writes nothing for a page whose lease another worker has", async () => {
      const job = await startJob({}, [1, 2]);
      const now = Date.now();
      const slow = await claim(job, { worker: "slow", now });
      const [taken] = await claim(job, { worker: "quick", max: 1, now: now + LEASE_MS });
      if (taken === undefined) throw new Error("nothing taken over");
      const report = await store.finish(
        job.id,
        "slow",
        slow.map((page) => buildFinished(page, [buildFound(Number(page.identity) + 10)])),
      );
      expect(report.pages.toSorted()).toEqual(["fetched", "lost"]);
      expect(report.counters).toMatchObject({ completed: 1, discovered: 3 });
      const end = await store.finish(job.id, "quick", [buildFinished(taken)]);
      expect(end.counters.completed).toBe(2);
      const documents = await store.results.listPage(job.id, { skip: 0, limit: 9, maxBytes: 1e6 });
      expect(new Set(documents.map(({ requestedUrl }) => requestedUrl)).size).toBe(2);
    });

    it("writes nothing for an older lease of the same worker", async () => {
      const job = await startJob();
      const now = Date.now();
      const [older] = await claim(job, { now });
      const [newer] = await claim(job, { now: now + LEASE_MS });
      if (older === undefined || newer === undefined) throw new Error("no pages");
      expect((await store.finish(job.id, "w", [buildFinished(older)])).pages).toEqual(["lost"]);
      expect((await store.finish(job.id, "w", [buildFinished(newer)])).pages).toEqual(["fetched"]);
    });

    it("detects duplicates by target, canonical URL and content, within a group and across", async () => {
      const job = await startJob({}, [1, 2, 3, 4, 5]);
      const pages = await claim(job);
      const at = (index: number): LeasedPage => {
        const page = pages[index];
        if (page === undefined) throw new Error("no page");
        return page;
      };
      const finished = (
        index: number,
        target: bigint,
        content: bigint,
        by: "redirect" | "canonical" = "redirect",
      ) =>
        buildFinished(
          at(index),
          [],
          buildOutcome(at(index), { same: { target: { identity: target, by }, content } }),
        );
      const report = await store.finish(job.id, "w", [
        finished(0, 100n, 7n),
        finished(1, 100n, 8n),
        finished(2, 100n, 9n, "canonical"),
      ]);
      expect(report.pages).toEqual(["fetched", "duplicate", "duplicate"]);
      const last = await store.finish(job.id, "w", [
        finished(3, 104n, 7n),
        finished(4, -100n, -7n),
      ]);
      expect(last).toMatchObject({ pages: ["duplicate", "fetched"], ended: true });
      const rows = await store.jobLedger.page(job.id, { skip: 0, limit: 9, fate: "duplicate" });
      expect(rows.map(({ reason }) => reason)).toEqual([
        `same final URL as ${buildUrl(1)}`,
        `same canonical URL as ${buildUrl(1)}`,
        `same content as ${buildUrl(1)}`,
      ]);
    });

    it("keeps every document of a batch", async () => {
      const job = await startJob({ kind: "batch_scrape", limit: null }, [1, 2, 3]);
      const pages = await claim(job);
      const report = await store.finish(
        job.id,
        "w",
        pages.map((page) => buildFinished(page, [], buildOutcome(page, { same: {} }))),
      );
      expect(report).toMatchObject({ pages: ["fetched", "fetched", "fetched"], ended: true });
    });

    it("writes nothing for a cancelled job and reports its pages as cancelled", async () => {
      const job = await startJob({}, [1, 2, 3]);
      const [page] = await claim(job, { max: 1 });
      if (page === undefined) throw new Error("no page");
      expect(await store.runs.end(job.id, { state: "cancelled" }, Date.now())).toBe(true);
      expect(await store.runs.end(job.id, { state: "cancelled" }, Date.now())).toBe(false);
      const report = await store.finish(job.id, "w", [buildFinished(page)]);
      expect(report).toMatchObject({ state: "cancelled", pages: ["lost"], ended: false });
      expect(await claim(job)).toEqual([]);
      expect(await store.frontier.add(job.id, [buildFound(9)])).toMatchObject({ added: false });
      expect(await fatesOf(job)).toEqual({ 1: "cancelled", 2: "cancelled", 3: "cancelled" });
      expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({ cancelled: 3 });
    });
  });

  describe("page limit", () => {
    it("holds URLs beyond the limit and promotes them for pages without a document", async () => {
      const job = await startJob({ limit: 2, seeding: true });
      const start = await claimOne(job);
      const first = await store.finish(job.id, "w", [
        buildFinished(start, [buildFound(1), buildFound(2), buildFound(3, { depth: 1 })]),
      ]);
      expect(first).toMatchObject({ ready: 1, counters: { pending: 1, held: 2 } });
      expect(await fatesOf(job)).toEqual({ 0: "fetched", 1: "pending", 2: "limit", 3: "limit" });
      const failing = await claimOne(job);
      const second = await store.finish(job.id, "w", [buildFinished(failing, [], FAILED)]);
      expect(second).toMatchObject({ ready: 1, counters: { pending: 1, held: 1 } });
      const promoted = await claimOne(job);
      expect(promoted.url).toBe(buildUrl(2));
      await store.finish(job.id, "w", [buildFinished(promoted)]);
      expect(await store.jobs.endSeeding(job.id, Date.now())).toMatchObject({ ended: true });
      expect(await fatesOf(job)).toEqual({ 0: "fetched", 1: "error", 2: "fetched", 3: "limit" });
    });

    it("counts a URL once when one change both refuses it for depth and accepts it", async () => {
      const job = await startJob({ seeding: true }, []);
      const far = buildFound(1, { depth: 2, refused: { fate: "depth", reason: undefined } });
      await store.frontier.add(job.id, [far, buildFound(1)]);
      const record = await store.jobs.load(job.id);
      expect(record?.pending).toBe((await claim(job)).length);
      expect(await store.frontier.add(job.id, [buildFound(1)])).toMatchObject({ accepted: 1 });
      expect(await claim(job)).toHaveLength(1);
    });

    it("retries a URL refused for its depth when it is found nearer", async () => {
      const job = await startJob({ seeding: true });
      const start = await claimOne(job);
      await store.finish(job.id, "w", [
        buildFinished(start, [
          buildFound(1, { depth: 2, refused: { fate: "depth", reason: "maxDiscoveryDepth 1" } }),
        ]),
      ]);
      const nearer = buildFound(1, { depth: 0 });
      expect(await store.frontier.add(job.id, [nearer, nearer])).toMatchObject({
        accepted: 1,
        known: 1,
      });
      expect(await store.jobs.load(job.id)).toMatchObject({ pending: 1, discovered: 2 });
      expect(await claimOne(job)).toMatchObject({ url: buildUrl(1), depth: 0 });
      expect(await store.frontier.add(job.id, [buildFound(1, { depth: 0 })])).toMatchObject({
        known: 1,
      });
      expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({ fetched: 1, working: 1 });
    });

    it("fetches an out-of-scope URL that is found again in scope, unless already fetched", async () => {
      const job = await startJob({ seeding: true });
      const start = await claimOne(job);
      const refused = { fate: "scope", reason: "another site" } as const;
      await store.finish(job.id, "w", [buildFinished(start, [buildFound(1, { refused })])]);
      expect(await store.frontier.add(job.id, [buildFound(1, { refused })])).toMatchObject({
        known: 1,
      });
      expect(await store.frontier.add(job.id, [buildFound(1)])).toMatchObject({ accepted: 1 });
      const page = await claimOne(job);
      const away = { type: "refused", refusal: refused, credits: 0 } as const;
      await store.finish(job.id, "w", [{ page, outcome: away, links: [] }]);
      expect(await store.frontier.add(job.id, [buildFound(1)])).toMatchObject({ known: 1 });
      expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({ fetched: 1, scope: 1 });
    });
  });
});
