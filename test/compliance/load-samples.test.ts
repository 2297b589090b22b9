// Samples of the load of several processes, on both databases.
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import type { NewLoadSample, ProcessLoad } from "../../src/store/load-samples.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFound, buildJob } from "../jobs.ts";

const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A full hour. */
const START = Date.UTC(2026, 5, 1, 12);

const buildLoad = (load: Partial<ProcessLoad> = {}): ProcessLoad => ({
  memoryBytes: 1,
  browserPages: 0,
  browserWaiting: 0,
  scrapes: 0,
  jobPages: 0,
  coveredMs: MINUTE,
  ...load,
});

describeDatabases("load samples", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  const record = (sample: Partial<NewLoadSample> & { at: number }) =>
    store.loadSamples.record({
      process: "a:1",
      role: "all",
      load: buildLoad(),
      blobs: undefined,
      ...sample,
    });
  const read = (from: number, to: number, of: "short" | "long" = "short", stepMs?: number) =>
    store.loadSamples.read({ from, to, of, stepMs: stepMs ?? (of === "short" ? MINUTE : QUARTER) });

  it("load samples of several processes at once have one row each and one for what they share", async () => {
    const at = START + 5_000;
    const stored = await Promise.all(
      ["a:1", "b:1", "c:1"].map((process, index) =>
        record({ at, process, role: "worker", load: buildLoad({ memoryBytes: 2 ** 40 + index }) }),
      ),
    );
    expect(stored.map(({ isStored }) => isStored)).toEqual([true, true, true]);
    expect(stored.filter(({ isShared }) => isShared)).toHaveLength(1);
    const { processes, service } = await read(START, START + MINUTE);
    expect(processes).toMatchObject([
      { name: "a:1", role: "worker", samples: [{ at: START, memoryBytes: 2 ** 40 }] },
      { name: "b:1", samples: [{ memoryBytes: 2 ** 40 + 1 }] },
      { name: "c:1", samples: [{ memoryBytes: 2 ** 40 + 2 }] },
    ]);
    expect(service).toEqual([
      {
        at: START,
        databaseBytes: expect.any(Number),
        blobBytes: null,
        crawlQueueAgeMs: 0,
        batchQueueAgeMs: 0,
      },
    ]);
    expect(service[0]?.databaseBytes).toBeGreaterThan(100_000);
    // A restart within the minute takes a second sample, which is left out.
    expect(await record({ at: at + 1_000, load: buildLoad({ memoryBytes: 9 }) })).toMatchObject({
      isStored: false,
      isShared: false,
    });
    expect((await read(START, START + MINUTE)).processes).toHaveLength(3);
  });

  it("load samples of a longer period keep the highest gauge and the sum of the counts", async () => {
    const from = START + DAY;
    for (const [minute, memoryBytes] of [5, 9, 7, 3].entries())
      await record({
        at: from + minute * 5 * MINUTE,
        load: buildLoad({ memoryBytes, browserPages: minute, scrapes: 2, jobPages: 1 }),
      });
    const sum = { scrapes: 6, jobPages: 3, coveredMs: 3 * MINUTE };
    const quarters = [
      { at: from, memoryBytes: 9, browserPages: 2, browserWaiting: 0, ...sum },
      {
        at: from + QUARTER,
        memoryBytes: 3,
        browserPages: 3,
        browserWaiting: 0,
        scrapes: 2,
        jobPages: 1,
        coveredMs: MINUTE,
      },
    ];
    // Both the stored quarters and those combined from minutes.
    for (const stored of ["short", "long"] as const) {
      const { processes, service } = await read(from + MINUTE, from + HOUR, stored, QUARTER);
      expect(processes[0]?.samples).toEqual(quarters);
      expect(service.map(({ at }) => at)).toEqual([from, from + QUARTER]);
    }
    const { processes } = await read(from, from + HOUR, "long", HOUR);
    expect(processes[0]?.samples).toMatchObject([{ at: from, memoryBytes: 9, scrapes: 8 }]);
  });

  it("load samples repeat the size of the blobs until it is measured again, at most for two hours", async () => {
    const from = START + 2 * DAY;
    await record({ at: from, process: "b:1" });
    // Another process measured it after the shared sample of the minute was stored.
    const measured = { bytes: 7_000_000_000, measuredAt: from };
    await record({ at: from + 1, blobs: measured });
    expect(await record({ at: from + MINUTE, process: "b:1" })).toMatchObject({
      isShared: true,
      blobsMeasuredAt: from,
    });
    expect(await record({ at: from + 3 * HOUR })).toMatchObject({ blobsMeasuredAt: undefined });
    const { service } = await read(from, from + 4 * HOUR);
    expect(service.map(({ blobBytes }) => blobBytes)).toEqual([
      measured.bytes,
      measured.bytes,
      null,
    ]);
  });

  it("load samples have the age of the queue of each kind", async () => {
    const before = Date.now();
    await store.jobs.create(buildJob(), [buildFound(1, { depth: 0 })]);
    const at = before + 5 * MINUTE;
    await record({ at });
    const { service } = await read(at - MINUTE, at + MINUTE);
    expect(service[0]?.crawlQueueAgeMs).toBeGreaterThan(4 * MINUTE);
    expect(service[0]?.crawlQueueAgeMs).toBeLessThanOrEqual(5 * MINUTE);
    expect(service[0]?.batchQueueAgeMs).toBe(0);
  });

  it("load samples of minutes are kept for a day and those of quarters of an hour for 30 days", async () => {
    const from = START + 100 * DAY;
    await record({ at: from });
    await record({ at: from + 2 * HOUR });
    const count = async (of: "short" | "long") => {
      const { processes, service } = await read(from, from + DAY, of);
      return [processes[0]?.samples.length ?? 0, service.length];
    };
    await store.retention.cleanUp({ now: from + DAY + HOUR });
    expect(await count("short")).toEqual([1, 1]);
    expect(await count("long")).toEqual([2, 2]);
    await store.retention.cleanUp({ now: from + 30 * DAY + HOUR });
    expect(await count("short")).toEqual([0, 0]);
    expect(await count("long")).toEqual([1, 1]);
  });
});
