// Registers a kind of job that exists only here (test/counting-kind.ts), to test that a declaration
// suffices.
import { rm } from "node:fs/promises";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { CALLER, countTo, createCountingKind, openCounting } from "../../test/counting-kind.ts";
import { createDataFolder } from "../../test/data-folder.ts";
import { createTestConfig } from "../config.ts";
import { createLogger } from "../logger.ts";
import { openStore, type Store } from "../store/store.ts";

let store: Store;
let folder: string;
beforeAll(async () => {
  folder = await createDataFolder();
  store = await openStore(createTestConfig({ dataDir: folder }), createLogger("silent"));
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(parts: Parameters<typeof openCounting>[1] = {}) {
  const service = openCounting(store, parts);
  onTestFinished(() => service.close());
  await service.start();
  return service;
}

it("a new kind gets start, run, events, result, settlement and its place in the list from its declaration alone", async () => {
  const charged: unknown[] = [];
  const credits = {
    hold: async (_identity: unknown, amount: number) => ({
      amount,
      entry: null,
      settle: async () => undefined,
      release: async () => undefined,
    }),
    settleJob: async (job: { readonly id: string }, amount: number) =>
      void charged.push([job.id, amount]),
    getRemaining: async () => null,
  };
  const { jobs } = await open({ credits });
  const { id } = await jobs.start("count", countTo(3), CALLER);
  const find = () => jobs.find("count", id, CALLER.identity);
  await expect.poll(async () => (await find()).state).toBe("completed");
  expect(await find()).toMatchObject({ completed: 3, creditsUsed: 3, work: { result: [1, 2, 3] } });
  await expect.poll(() => charged).toEqual([[id, 3]]);
  const events = await store.deliveries.log(id, { skip: 0, limit: 10 });
  expect(events.map(({ type }) => type)).toEqual([
    "count.started",
    "count.counted",
    "count.counted",
    "count.counted",
    "count.completed",
  ]);
});

it("a running job of a new kind is cancelled, and its run stops", async () => {
  const reached = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const { jobs } = await open({
    async before(number, { signal }) {
      if (number < 2) return;
      signal.addEventListener("abort", () => stopped.resolve());
      reached.resolve();
      await stopped.promise;
    },
  });
  const { id } = await jobs.start("count", countTo(5), CALLER);
  await reached.promise;
  expect(await jobs.cancel("count", id, CALLER.identity)).toBe("cancelled");
  await stopped.promise;
  expect(await jobs.find("count", id, CALLER.identity)).toMatchObject({
    state: "cancelled",
    completed: 1,
  });
});

it("a job of another account, or of another kind, is not found", async () => {
  const other = { ...createCountingKind(), name: "other", title: "Other job" };
  const { jobs } = await open({ others: [other] });
  const { id } = await jobs.start("count", countTo(1), CALLER);
  const stranger = { ...CALLER.identity, accountId: v7() };
  await expect(jobs.find("count", id, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(jobs.find("other", id, CALLER.identity)).rejects.toThrow("Other job not found");
});

it("a schedule row starts jobs of a new kind at its times, one for what was missed", async () => {
  const clock = { now: Date.now() };
  const service = openCounting(store, { now: () => clock.now, everyMs: 60_000 });
  onTestFinished(() => service.close());
  const id = v7();
  const accountId = v7();
  const due = clock.now - 600_000;
  await store.schedules.save({
    id,
    accountId,
    keyId: CALLER.identity.keyId,
    kind: "count",
    options: { to: 1 },
    nextAt: due,
    createdAt: due,
  });
  await service.start();
  await expect.poll(async () => (await store.schedules.load(id))?.nextAt).toBe(clock.now + 60_000);
  const list = () => store.jobs.listUnsettled();
  await expect.poll(async () => (await list()).length).toBe(0);
});
