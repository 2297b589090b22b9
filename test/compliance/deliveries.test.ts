// Deliveries on both databases: each event once in its job's order, claimed by one worker, retried,
// and logged.
import { sql } from "kysely";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { WebhookDelivery } from "../../src/store/jobs/webhook-deliveries.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, FAILED } from "../jobs.ts";

const log = createLogger("silent");
const webhook = {
  url: "http://a.example/hook",
  headers: { a: "b" },
  metadata: { mine: 1 },
  events: ["started", "page", "completed", "failed", "cancelled"],
};

describeDatabases("webhook deliveries", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  async function runJob(overrides: Partial<NewJob> = {}): Promise<NewJob> {
    const job = buildJob({ webhook, ...overrides });
    await store.jobs.create(job, [buildFound(1), buildFound(2), buildFound(3)]);
    const pages = await store.frontier.claim({
      worker: "w",
      max: 3,
      leaseMs: 9_999,
      jobs: [job.id],
    });
    await store.finish(
      job.id,
      "w",
      pages.map((page, index) =>
        index === 1 ? buildFinished(page, [], FAILED) : buildFinished(page),
      ),
    );
    return job;
  }
  const claim = async (worker = "w", now = Date.now() + 10): Promise<WebhookDelivery[]> =>
    store.deliveries.claim({ worker, max: 50, leaseMs: 1_000, now });
  const typesOf = (deliveries: readonly WebhookDelivery[]) => deliveries.map(({ type }) => type);
  const deliver = async (deliveries: readonly WebhookDelivery[]): Promise<void> => {
    for (const delivery of deliveries)
      await store.deliveries.finish("w", delivery, { type: "delivered", statusCode: 200 });
  };

  it("deliveries are claimed as started, pages, completed in this order", async () => {
    const job = await runJob();
    const [started, ...none] = await claim();
    expect(none).toEqual([]);
    if (started === undefined) throw new Error("nothing to deliver");
    expect(started).toMatchObject({ type: "crawl.started", jobId: job.id, webhook, sequence: 1 });
    expect(await claim("rival")).toEqual([]);
    await deliver([started]);
    const pages = await claim();
    expect(typesOf(pages)).toEqual(["crawl.page", "crawl.page", "crawl.page"]);
    expect(pages.map(({ resultSequence }) => resultSequence)).toEqual([1, null, 2]);
    expect(pages[1]).toMatchObject({ error: "no such host" });
    await deliver(pages.slice(0, 2));
    expect(await claim()).toEqual([]);
    await deliver(pages.slice(2));
    const completed = await claim();
    expect(typesOf(completed)).toEqual(["crawl.completed"]);
    await deliver(completed);
    expect(await store.deliveries.findNextDue()).toBeUndefined();
    const entries = await store.deliveries.log(job.id, { skip: 0, limit: 9 });
    expect(entries.map(({ state, attempts }) => [state, attempts])).toEqual(
      Array(5).fill(["delivered", 1]),
    );
    expect(new Set(entries.map(({ id }) => id)).size).toBe(5);
  });

  it("deliveries include only events the caller subscribed to", async () => {
    const job = await runJob({ webhook: { ...webhook, events: ["completed"] } });
    const deliveries = await claim();
    expect(typesOf(deliveries)).toEqual(["crawl.completed"]);
    expect(deliveries[0]?.jobId).toBe(job.id);
    await deliver(deliveries);
    await runJob({ webhook: null });
    expect(await claim()).toEqual([]);
  });

  it("sends a failed event again from its first attempt, and leaves one that is being sent", async () => {
    const job = await runJob({ webhook: { ...webhook, events: ["completed"] } });
    const [sent] = await claim();
    if (sent === undefined) throw new Error("nothing to deliver");
    // The lease of the attempt in progress stays.
    expect(await store.deliveries.redeliver(job.id, sent.id, Date.now())).toBe(true);
    expect(await claim("rival", Date.now() + 10)).toEqual([]);
    const failed = { type: "failed", statusCode: 500, error: "no" } as const;
    await store.deliveries.finish("w", sent, failed);
    expect(await claim()).toEqual([]);
    expect(await store.deliveries.redeliver(job.id, sent.id)).toBe(true);
    const [again] = await claim();
    expect(again).toMatchObject({ id: sent.id, attempt: 1 });
    if (again !== undefined) await deliver([again]);
    expect(await store.deliveries.redeliver(job.id, v7())).toBe(false);
    expect(await store.deliveries.redeliver(v7(), sent.id)).toBe(false);
  });

  it("deliveries keep their attempt count when one is postponed", async () => {
    const job = await runJob({ webhook: { ...webhook, events: ["completed"] } });
    const [first] = await claim();
    if (first === undefined) throw new Error("nothing to deliver");
    const at = Date.now() + 60_000;
    await store.deliveries.finish("w", first, {
      type: "postponed",
      at,
      statusCode: null,
      error: "unreadable",
    });
    expect(await claim()).toEqual([]);
    const [again] = await claim("rival", at + 1);
    expect(again).toMatchObject({ id: first.id, attempt: 1 });
    if (again === undefined) throw new Error("nothing to deliver");
    await store.deliveries.finish("rival", again, { type: "delivered", statusCode: 200 });
    const entries = await store.deliveries.log(job.id, { skip: 0, limit: 9 });
    expect(entries).toMatchObject([{ state: "delivered", attempts: 1, error: null }]);
  });

  it("deliveries wait for their retry, let later events pass, and end as failed", async () => {
    const job = await runJob({ webhook: { ...webhook, events: ["started", "completed"] } });
    const [started] = await claim();
    if (started === undefined) throw new Error("nothing to deliver");
    const later = Date.now() + 60_000;
    await store.deliveries.finish("w", started, {
      type: "retry",
      at: later,
      statusCode: 503,
      error: "busy",
    });
    await deliver(await claim());
    expect(await store.deliveries.findNextDue()).toBe(later);
    expect(await claim()).toEqual([]);
    const [again] = await claim("w", later);
    if (again === undefined) throw new Error("nothing to deliver again");
    expect(again).toMatchObject({ id: started.id, attempt: 2 });
    await store.deliveries.finish("w", again, { type: "failed", statusCode: null, error: "gone" });
    expect(await store.deliveries.findNextDue()).toBeUndefined();
    expect(await store.deliveries.log(job.id, { skip: 0, limit: 1 })).toMatchObject([
      { state: "failed", attempts: 2, error: "gone" },
    ]);
  });

  it("deliveries of a dead worker are claimed by another, and the dead one's result is ignored", async () => {
    await runJob({ webhook: { ...webhook, events: ["completed"] } });
    const now = Date.now() + 10;
    const [first] = await claim("dead", now);
    const [second] = await claim("w", now + 1_000);
    if (first === undefined || second === undefined) throw new Error("nothing to deliver");
    expect(second).toEqual({ ...first, attempt: 2 });
    await store.deliveries.finish("dead", first, { type: "failed", statusCode: 1, error: "late" });
    expect(await store.deliveries.findNextDue()).toBe(now + 2_000);
    await deliver([second]);
    expect(await store.deliveries.findNextDue()).toBeUndefined();
  });

  it("deliveries let the end of a job wait at most half a minute for its pages", async () => {
    const job = await runJob();
    const ended = Date.now() + 10;
    await deliver(await claim("w", ended));
    // A receiver that hangs on four pages at a time, with more always waiting.
    const one = { worker: "w", max: 1, leaseMs: 60_000 };
    const [page] = await store.deliveries.claim({ ...one, now: ended });
    expect(page?.type).toBe("crawl.page");
    const rest = { worker: "w", max: 50, leaseMs: 1_000 };
    expect(typesOf(await store.deliveries.claim({ ...rest, now: ended + 20_000 }))).toEqual([
      "crawl.page",
      "crawl.page",
    ]);
    const late = ended + 31_000;
    const [first] = await store.deliveries.claim({ ...one, now: late });
    expect(first?.type).toBe("crawl.completed");
    if (first === undefined || page === undefined) throw new Error("nothing to deliver");
    await deliver([first]);
    await store.deliveries.releaseAll();
    const left = await store.deliveries.claim({ ...rest, now: late });
    expect(typesOf(left)).toEqual(["crawl.page", "crawl.page", "crawl.page"]);
    await deliver(left);
    const entries = await store.deliveries.log(job.id, { skip: 0, limit: 9 });
    expect(entries.map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  it("delivers agent events once each, in order, with their own data", async () => {
    const jobId = v7();
    const now = Date.now();
    const build = (type: "agent.started" | "agent.completed") => ({
      id: v7(),
      jobId,
      accountId: v7(),
      type,
      webhook,
      data: type === "agent.started" ? null : [{ creditsUsed: 3 }],
      error: null,
      createdAt: now,
    });
    const events = [build("agent.started"), build("agent.completed")];
    for (const event of [...events, ...events]) await store.deliveries.add(event);
    const [started] = await claim();
    expect(started).toMatchObject({ id: events[0]?.id, sequence: 1, webhook });
    await deliver(started === undefined ? [] : [started]);
    const [completed] = await claim();
    expect(completed).toMatchObject({ sequence: 2, data: [{ creditsUsed: 3 }] });
    await deliver(completed === undefined ? [] : [completed]);
  });

  it("finds due deliveries among ten thousand waiting ones, and the events of a job in order", async () => {
    const job = buildJob({ webhook });
    await store.jobs.create(job, [buildFound(1)]);
    const { kysely } = store.database;
    // The end of a job waits 30 seconds for its pages: less than this test takes on a busy machine.
    const now = Date.now();
    await sql`
        insert into webhook_deliveries (id, job_id, account_id, sequence, type, created_at, due_at)
        select gen_random_uuid(), ${job.id}::uuid, ${job.accountId}::uuid, 10 + number,
          case when number = 10000 then 'crawl.completed' else 'crawl.page' end, ${now}::bigint, 0
        from generate_series(1, 10000) as number`.execute(kysely);
    const taken: number[] = [];
    const mine = ({ jobId }: WebhookDelivery): boolean => jobId === job.id;
    for (;;) {
      const claimed = await store.deliveries.claim({
        worker: "w",
        max: 500,
        leaseMs: 600_000,
        now,
      });
      const found = claimed.filter(mine);
      if (found.length === 0) break;
      if (found.some(({ type }) => type === "crawl.completed")) expect(found).toHaveLength(1);
      taken.push(...found.map(({ sequence }) => sequence));
      await kysely
        .updateTable("webhook_deliveries")
        .set({ state: "delivered", tried: true })
        .where("job_id", "=", job.id)
        .where("leased_until", ">", 0)
        .execute();
    }
    expect(taken.at(-1)).toBe(10_010);
    expect(new Set(taken).size).toBe(10_001);
  });
});
