// Order independence of the frontier on both databases: URL depth, duplicates, and that no host
// blocks others.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED, buildUrl } from "../jobs.ts";

describeDatabases("frontier", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  async function startJob(overrides: Partial<NewJob>, identities: number[]): Promise<NewJob> {
    const job = buildJob(overrides);
    await store.jobs.create(
      job,
      identities.map((identity) => buildFound(identity, { depth: 0, source: "start" })),
    );
    return job;
  }
  const claim = (job: NewJob, max = 20) =>
    store.frontier.claim({ worker: "w", max, leaseMs: 30_000, jobs: [job.id] });

  it("names a duplicate by its canonical URL whichever page came first", async () => {
    const reasons = async (order: readonly ("canonical" | "variant")[], atOnce: boolean) => {
      const job = await startJob({}, [1, 2, 3]);
      const pages = await claim(job);
      const target = 77n;
      const finished = order.map((kind, index) => {
        const page = pages[index];
        if (page === undefined) throw new Error("not claimed");
        const finalUrl = kind === "canonical" ? buildUrl(9) : `${buildUrl(9)}?from=${index}`;
        const by = kind === "canonical" ? ("redirect" as const) : ("canonical" as const);
        const same = { target: { identity: target, by }, content: page.identity };
        return buildFinished(page, [], buildOutcome(page, { finalUrl, same }));
      });
      if (atOnce) await store.finish(job.id, "w", finished);
      else for (const page of finished) await store.finish(job.id, "w", [page]);
      const query = { skip: 0, limit: 9, fate: "duplicate" } as const;
      return (await store.jobLedger.page(job.id, query)).map(({ reason }) => reason);
    };
    for (const atOnce of [true, false]) {
      expect(await reasons(["canonical", "variant"], atOnce)).toEqual([
        `same canonical URL as ${buildUrl(1)}`,
      ]);
      expect(await reasons(["variant", "canonical", "variant"], atOnce)).toEqual([
        `canonical URL of ${buildUrl(1)}`,
        `same canonical URL as ${buildUrl(1)}`,
      ]);
      expect(await reasons(["canonical", "canonical"], atOnce)).toEqual([
        `same final URL as ${buildUrl(1)}`,
      ]);
    }
  });

  it("reduces the depth of a waiting URL found again nearer, ready or held", async () => {
    const job = await startJob({ seeding: true, limit: 4 }, [0]);
    const [start] = await claim(job, 1);
    if (start === undefined) throw new Error("not claimed");
    const deep = { depth: 5, depthCounts: true };
    const found = [1, 2, 3, 4].map((identity) => buildFound(identity, deep));
    await store.frontier.add(job.id, found);
    await store.finish(job.id, "w", [
      buildFinished(
        start,
        [
          buildFound(2, { depth: 1, depthCounts: true }),
          buildFound(2, { depth: 3, depthCounts: true }),
          buildFound(3, { depth: 1 }),
          buildFound(1, { depth: 7, depthCounts: true }),
        ],
        FAILED,
      ),
    ]);
    const sitemap = buildFound(4, { depth: 0, source: "sitemap", depthCounts: true });
    expect(await store.frontier.add(job.id, [sitemap])).toMatchObject({ known: 1 });
    const claimed = await claim(job);
    expect(claimed.map(({ identity, depth }) => [Number(identity), depth])).toEqual([
      [4, 0],
      [2, 1],
      [1, 5],
      [3, 5],
    ]);
    // In progress and done it stays unchanged.
    expect(await store.frontier.add(job.id, [{ ...sitemap, identity: 1n }])).toMatchObject({
      known: 1,
    });
    await store.frontier.release("w", claimed);
    expect((await claim(job)).find(({ identity }) => identity === 1n)?.depth).toBe(5);
  });

  describe("claim with places for some hosts", () => {
    /**
     * A job of three hosts: `front` pages of a.test first, then two of b.test and one of c.test.
     */
    async function startHosts(front: number, overrides: Partial<NewJob> = {}): Promise<NewJob> {
      const job = buildJob({ limit: 5_000, ...overrides });
      const hosts = [...Array<string>(front).fill("a.test"), "b.test", "b.test", "c.test"];
      const found = hosts.map((host, index) =>
        buildFound(index + 1, { depth: 0, source: "batch", host }),
      );
      await store.jobs.create(job, found.slice(0, 1));
      await store.frontier.add(job.id, found.slice(1));
      return job;
    }
    const take = async (jobs: readonly NewJob[], hosts: Record<string, number>, max = 20) =>
      await store.frontier.claim({
        worker: "w",
        max,
        leaseMs: 30_000,
        jobs: jobs.map(({ id }) => id),
        hosts,
      });
    const hostsOf = (pages: readonly { readonly host: string }[]) => pages.map(({ host }) => host);

    it.each([3, 1_000])("skips %i pages of a host without places", async (front) => {
      const job = await startHosts(front);
      const places = { "a.test": 0, "b.test": 1, "elsewhere.test": 0 };
      expect(hostsOf(await take([job], places))).toEqual(["b.test", "c.test"]);
      expect(await take([job], { ...places, "b.test": 0 })).toEqual([]);
      const rest = await take([job], { "a.test": 2, "b.test": 5 });
      expect(hostsOf(rest)).toEqual(["a.test", "a.test", "b.test"]);
      expect(rest.map(({ sequence }) => sequence)).toEqual([1, 2, front + 2]);
      expect(await take([job], {})).toHaveLength(Math.min(20, front - 2));
    });

    it("never claims more than requested or the job's maxConcurrency", async () => {
      const job = await startHosts(1_000, { maxConcurrency: 2 });
      expect(await take([job], { "a.test": 0 }, 1)).toHaveLength(1);
      expect(await take([job], { "a.test": 0 })).toHaveLength(1);
      expect(await take([job], { "a.test": 0 })).toEqual([]);
    });

    it("counts places over all jobs and skips a job without any", async () => {
      const full = await startHosts(1);
      await take([full], { "a.test": 0 });
      const jobs = [full, await startHosts(1)];
      const first = await take(jobs, { "a.test": 1 });
      expect(hostsOf(first).filter((host) => host === "a.test")).toHaveLength(1);
      expect(hostsOf(first)).toContain("c.test");
    });
  });
});
