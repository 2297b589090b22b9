// When the oldest waiting URL was queued, on both databases.
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob } from "../jobs.ts";

describeDatabases("queue age", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  const readOldest = async (kind = "crawl") =>
    (await store.backlog()).jobs.find((found) => found.kind === kind)?.oldestAt ?? null;
  const setQueuedAt = (jobId: string, identity: number, at: number | null) =>
    sql`update frontier set queued_at = ${at}::bigint where job_id = ${jobId}::uuid and identity = ${identity}::bigint`.execute(
      store.database.kysely,
    );

  it("queue age is that of the oldest URL of a kind at any depth, without URLs that are fetched, held or done", async () => {
    expect(await readOldest()).toBe(null);
    const before = Date.now();
    const [shallow, deep] = [buildJob({ limit: 3 }), buildJob()];
    const batch = buildJob({ kind: "batch_scrape" });
    await store.jobs.create(shallow, [buildFound(1, { depth: 0 }), buildFound(2)]);
    await store.jobs.create(deep, [buildFound(1, { depth: 0 }), buildFound(2, { depth: 4 })]);
    await store.jobs.create(batch, [buildFound(1, { source: "batch" })]);
    expect(await readOldest()).toBeGreaterThanOrEqual(before);
    expect(await readOldest()).toBeLessThanOrEqual(Date.now());

    // A deep URL that was found early waits behind nearer ones that are found later.
    await setQueuedAt(deep.id, 2, 1_000);
    expect(await readOldest()).toBe(1_000);
    expect(await readOldest("batch_scrape")).toBeGreaterThanOrEqual(before);

    const claim = (jobs: string[], max: number) =>
      store.frontier.claim({ worker: "w", max, leaseMs: 30_000, jobs });
    const pages = await claim([deep.id], 2);
    expect(pages).toHaveLength(2);
    expect(await readOldest()).toBeGreaterThanOrEqual(before);
    await store.frontier.release("w", pages.slice(1));
    expect(await readOldest()).toBe(1_000);
    await claim([deep.id], 1);

    // A page beyond the limit waits from when there is room for it.
    await setQueuedAt(shallow.id, 2, 2_000);
    const [first] = await claim([shallow.id], 1);
    if (first === undefined) throw new Error("not claimed");
    await store.finish(shallow.id, "w", [
      buildFinished(first, [buildFound(3), buildFound(4, { depth: 2 })]),
    ]);
    expect(await readOldest()).toBe(2_000);
    await claim([shallow.id], 2);
    expect(await readOldest()).toBe(null);
  });

  it("queue age counts from the start of the job for URLs that an older version queued", async () => {
    const job = buildJob({ createdAt: 500_000 });
    await store.jobs.create(job, [buildFound(1, { depth: 0 })]);
    await setQueuedAt(job.id, 1, null);
    expect(await readOldest()).toBe(500_000);
  });
});
