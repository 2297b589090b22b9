// Runs of jobs on both databases: leases, attempts, outages of the storage and schedules, with a
// kind that counts.
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { StorageError } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";
import { createJobRunStore } from "../../src/store/jobs/job-runs.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CALLER, countTo, openCounting, WEBHOOK } from "../counting-kind.ts";
import { describeDatabases, runText } from "../databases.ts";
import { buildJob } from "../jobs.ts";

const MINUTE = 60_000;

describeDatabases("job runs", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  async function open(parts: Parameters<typeof openCounting>[1] = {}) {
    const service = openCounting(store, parts);
    onTestFinished(() => service.close());
    await service.start();
    return service;
  }
  /** A separate kind, which no service of these tests works on. */
  async function makeJob(kind: string, dueAt: number): Promise<string> {
    const job = buildJob({ kind, url: null, webhook: WEBHOOK, seeding: true, run: { dueAt } });
    expect(await store.jobs.create(job)).toBe(true);
    return job.id;
  }
  const typesOf = async (id: string): Promise<string[]> =>
    (await store.deliveries.log(id, { skip: 0, limit: 100 })).map(({ type }) => type);

  it("a run is claimed once, and again after its lease; later writes of the first worker are rejected", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const { runs } = store;
    const id = await makeJob(kind, now);
    const later = await makeJob(kind, now + MINUTE);
    const wanted = { kind, max: 5 };
    expect(await runs.listDue([kind, "other"], now)).toEqual([kind]);
    const first = await runs.claim(wanted, { worker: "one", leaseMs: 1_000 }, now);
    expect(first.map((job) => [job.id, job.work?.attempts])).toEqual([[id, 1]]);
    expect(await runs.claim(wanted, { worker: "two", leaseMs: 1_000 }, now + 999)).toEqual([]);
    expect(await runs.listDue([kind], now + 999)).toEqual([]);
    expect(
      await runs.save(id, "one", { progress: { at: 1 }, counters: { completed: 1 } }, now),
    ).toBe(true);
    expect(await runs.renew([id, later], { worker: "one", leaseMs: 1_000 }, now + 500)).toEqual([
      id,
    ]);
    expect(await runs.claim(wanted, { worker: "two", leaseMs: 1_000 }, now + 1_000)).toEqual([]);
    const second = await runs.claim(wanted, { worker: "two", leaseMs: 1_000 }, now + 1_500);
    expect(second).toMatchObject([
      { id, completed: 1, work: { attempts: 2, progress: { at: 1 } } },
    ]);
    expect(await runs.renew([id], { worker: "one", leaseMs: 1_000 }, now)).toEqual([]);
    expect(
      await runs.save(id, "one", { progress: { at: 9 }, event: { event: "counted" } }, now),
    ).toBe(false);
    expect(await runs.end(id, { state: "completed" }, now, "one")).toBe(false);
    expect(await runs.end(id, { state: "completed", result: [1] }, now, "two")).toBe(true);
    expect(await runs.end(id, { state: "failed" }, now, "two")).toBe(false);
    expect(await store.jobs.load(id)).toMatchObject({
      state: "completed",
      work: { progress: { at: 1 }, result: [1] },
    });
    expect(await typesOf(id)).toEqual([`${kind}.started`, `${kind}.completed`]);
    await runs.releaseAll(now);
    expect(await runs.listDue([kind], now)).toEqual([]);
  });

  it("a save whose event cannot be stored changes neither progress nor counters", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const id = await makeJob(kind, now);
    await store.runs.claim({ kind, max: 1 }, { worker: "one", leaseMs: MINUTE }, now);
    await runText(
      store.database,
      `create function refuse_event() returns trigger language plpgsql as $$ begin
         raise exception 'disk full' using errcode = '53100'; end $$`,
    );
    await runText(
      store.database,
      `create trigger refuse_event before insert on webhook_deliveries for each row
       when (new.type = '${kind}.counted') execute function refuse_event()`,
    );
    const save = () =>
      store.runs.save(
        id,
        "one",
        { progress: { at: 1 }, counters: { completed: 1 }, event: { event: "counted" } },
        now,
      );
    await expect(save()).rejects.toThrow();
    expect(await store.jobs.load(id)).toMatchObject({ completed: 0, work: { progress: null } });
    await runText(store.database, "drop trigger refuse_event on webhook_deliveries");
    expect(await save()).toBe(true);
    expect(await store.jobs.load(id)).toMatchObject({
      completed: 1,
      work: { progress: { at: 1 } },
    });
    expect(await typesOf(id)).toEqual([`${kind}.started`, `${kind}.counted`]);
  });

  it("a cancelled job leaves nothing to claim", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const id = await makeJob(kind, now);
    await store.runs.claim({ kind, max: 1 }, { worker: "one", leaseMs: 1_000 }, now);
    expect(await store.runs.end(id, { state: "cancelled" }, now)).toBe(true);
    expect(
      await store.runs.claim({ kind, max: 1 }, { worker: "two", leaseMs: 1 }, now + MINUTE),
    ).toEqual([]);
    expect(await store.runs.save(id, "one", { progress: {} }, now)).toBe(false);
  });

  it("makes a run due for a job that an older version left waiting in a queue of its own", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const runs = async () =>
      (await store.runs.claim({ kind, max: 9 }, { worker: "w", leaseMs: MINUTE }, now)).map(
        ({ id }) => id,
      );
    const wait = { kind, seeding: true };
    const old = buildJob({ ...wait, createdAt: now - MINUTE });
    const young = buildJob({ ...wait, createdAt: now });
    const planned = buildJob({ ...wait, createdAt: now - MINUTE, run: { dueAt: now + 1 } });
    const ended = buildJob({ ...wait, createdAt: now - MINUTE });
    for (const job of [old, young, planned, ended]) await store.jobs.create(job);
    await store.runs.end(ended.id, { state: "cancelled" }, now);
    await store.runs.adoptOldJobs(now, now);
    expect(await runs()).toEqual([old.id]);
    // One that is worked on is not made due again.
    await store.runs.adoptOldJobs(now, now);
    expect(await runs()).toEqual([]);
    expect(await store.runs.finish(old.id, "w", now)).toEqual({ state: "completed", ended: true });
    expect(await store.runs.finish(old.id, "w", now)).toBeUndefined();
  });

  it("a failed attempt continues from the saved progress, and the job fails after the last attempt", async () => {
    const tried: number[] = [];
    const { jobs } = await open({
      before(number) {
        if (number < 3) return;
        tried.push(number);
        throw new Error("broken");
      },
    });
    const { id } = await jobs.start("count", countTo(5), CALLER);
    const find = () => jobs.find("count", id, CALLER.identity);
    await expect.poll(async () => (await find()).state).toBe("failed");
    expect(tried).toEqual([3, 3, 3]);
    expect(await find()).toMatchObject({
      completed: 2,
      error: { code: "UNKNOWN_ERROR", message: "The job failed repeatedly." },
    });
    expect((await typesOf(id)).at(-1)).toBe("count.failed");
  });

  it("a job waits with a warning while the storage fails, and continues without counting an attempt", async () => {
    let failures = 0;
    const { jobs } = await open({
      before(number) {
        if (number === 2 && failures++ < 2) throw new StorageError("blob store", "disk full");
      },
    });
    const { id } = await jobs.start("count", countTo(2), CALLER);
    const find = () => jobs.find("count", id, CALLER.identity);
    await expect
      .poll(async () => (await find()).warnings.join(" "))
      .toContain("blob store has failed");
    await expect.poll(async () => (await find()).state, { timeout: 60_000 }).toBe("completed");
    expect(await find()).toMatchObject({ warnings: [], work: { attempts: 1 } });
  });

  it("a stopping process releases its runs at once, and another one continues them", async () => {
    const reached = Promise.withResolvers<void>();
    const service = await open({
      async before(number, { signal }) {
        if (number < 3) return;
        reached.resolve();
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        signal.throwIfAborted();
      },
    });
    const { id } = await service.jobs.start("count", countTo(4), CALLER);
    await reached.promise;
    await service.close();
    expect(await store.jobs.load(id)).toMatchObject({ state: "scraping", work: { attempts: 0 } });
    const next = await open();
    await expect.poll(async () => (await store.jobs.load(id))?.state).toBe("completed");
    expect(await next.jobs.find("count", id, CALLER.identity)).toMatchObject({
      work: { result: [3, 4] },
    });
  });

  it("a schedule is claimed by one process and creates one job per time, even after a kill", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const schedule = { id: v7(), accountId: v7(), keyId: v7(), kind, options: {}, createdAt: now };
    await store.schedules.save({ ...schedule, nextAt: now - 5 });
    const { schedules } = store;
    const claim = (worker: string, at: number) =>
      schedules.claim(1_000, { worker, leaseMs: 1_000 }, at);
    const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
    expect(idsOf(await claim("one", now))).toContain(schedule.id);
    expect(idsOf(await claim("two", now))).not.toContain(schedule.id);
    const run = { dueAt: now, schedule: { id: schedule.id, at: now - 5 } };
    const make = () => store.jobs.create(buildJob({ kind, url: null, seeding: true, run }));
    expect(await make()).toBe(true);
    // Killed before it planned the next time: the other one finds the job made.
    const again = await claim("two", now + 1_000);
    expect(again.find(({ id }) => id === schedule.id)).toMatchObject({
      isRunning: true,
      nextAt: now - 5,
    });
    expect(await make()).toBe(false);
    await schedules.plan(schedule.id, "one", now - 5, now + 1);
    expect(await schedules.load(schedule.id)).toMatchObject({ nextAt: now - 5 });
    await schedules.plan(schedule.id, "two", now - 5, now + MINUTE);
    expect(await schedules.load(schedule.id)).toEqual({ ...schedule, nextAt: now + MINUTE });
    await schedules.remove(schedule.id);
    expect(await schedules.load(schedule.id)).toBeUndefined();
  });

  it("two stores on one database never claim the same run", async () => {
    const kind = `kind-${v7()}`;
    const now = Date.now();
    const made = await Promise.all(Array.from({ length: 20 }, () => makeJob(kind, now)));
    const other = createJobRunStore(store.database.kysely);
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? store.runs : other).claim(
          { kind, max: 3 },
          { worker: `worker ${index}`, leaseMs: MINUTE },
          now,
        ),
      ),
    );
    const ids = claims.flat().map(({ id }) => id);
    expect(ids.toSorted()).toEqual(made.toSorted());
  });
});
