// What does not hang on the order in which pages come, on both databases: the depth of a URL, and what a duplicate is.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/log.ts";
import type { NewJob } from "../../src/store/jobs.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome, FAILED, urlOf } from "../jobs.ts";

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
  const claim = (job: NewJob, most = 20) =>
    store.frontier.claim({ worker: "w", most, leaseMs: 30_000, jobs: [job.id] });

  it("names a duplicate by its canonical URL whichever of the two came first", async () => {
    const reasons = async (order: readonly ("canonical" | "variant")[], atOnce: boolean) => {
      const job = await startJob({}, [1, 2, 3]);
      const pages = await claim(job);
      const target = 77n;
      const finished = order.map((kind, index) => {
        const page = pages[index];
        if (page === undefined) throw new Error("not claimed");
        const finalUrl = kind === "canonical" ? urlOf(9) : `${urlOf(9)}?from=${index}`;
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
        `same canonical URL as ${urlOf(1)}`,
      ]);
      expect(await reasons(["variant", "canonical", "variant"], atOnce)).toEqual([
        `canonical URL of ${urlOf(1)}`,
        `same canonical URL as ${urlOf(1)}`,
      ]);
      expect(await reasons(["canonical", "canonical"], atOnce)).toEqual([
        `same final URL as ${urlOf(1)}`,
      ]);
    }
  });

  it("lessens the depth of a URL that waits and is found again nearer, whether ready or held", async () => {
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
    // In work and done it stays as it is.
    expect(await store.frontier.add(job.id, [{ ...sitemap, identity: 1n }])).toMatchObject({
      known: 1,
    });
    await store.frontier.release("w", claimed);
    expect((await claim(job)).find(({ identity }) => identity === 1n)?.depth).toBe(5);
  });
});
