import { expect, it } from "vitest";
import { createLogger } from "../logger.ts";
import { createMetrics } from "../metrics.ts";
import type { NewLoadSample, StoredLoadSample } from "../store/load-samples.ts";
import { computeNextDelay, createLoadSampler } from "./load-sampler.ts";

const MINUTE = 60_000;

function samplerInto(samples: NewLoadSample[]) {
  const state = {
    now: 0,
    fails: false,
    reply: {} as Partial<StoredLoadSample>,
    size: undefined as { bytes: number; measuredAt: number } | undefined,
    listings: 0,
  };
  const metrics = createMetrics();
  const record = async (sample: NewLoadSample): Promise<StoredLoadSample> => {
    if (state.fails) throw new Error("the database is gone");
    samples.push(sample);
    return { isStored: true, isShared: true, blobsMeasuredAt: undefined, ...state.reply };
  };
  const sampler = createLoadSampler({
    store: async () => ({ loadSamples: { record } }),
    metrics,
    browserUse: async () => ({ active: 2, waiting: 1 }),
    storage: () => ({
      measureBlobs: () => void (state.listings += 1),
      blobSize: () => state.size,
    }),
    role: "worker",
    log: createLogger("silent"),
    now: () => state.now,
    readMemory: () => 123,
    random: () => 0,
  });
  return { sampler, metrics, state };
}

it("samples the load of the process and what ended since the last sample", async () => {
  const samples: NewLoadSample[] = [];
  const { sampler, metrics, state } = samplerInto(samples);
  metrics.scrapes.inc({ outcome: "ok", engine: "http" }, 3);
  metrics.scrapes.inc({ outcome: "ok", engine: "cache" });
  state.now = MINUTE;
  await sampler.sample("host:1");
  metrics.jobPages.inc({ fate: "page" }, 5);
  state.now = 3 * MINUTE;
  await sampler.sample("host:1");
  const load = { memoryBytes: 123, browserPages: 2, browserWaiting: 1 };
  expect(samples).toEqual([
    {
      at: MINUTE,
      process: "host:1",
      role: "worker",
      load: { ...load, scrapes: 4, jobPages: 0, coveredMs: MINUTE },
      blobs: undefined,
    },
    {
      at: 3 * MINUTE,
      process: "host:1",
      role: "worker",
      load: { ...load, scrapes: 0, jobPages: 5, coveredMs: 2 * MINUTE },
      blobs: undefined,
    },
  ]);
});

it("keeps the counts for the next sample when one is not stored", async () => {
  const samples: NewLoadSample[] = [];
  const { sampler, metrics, state } = samplerInto(samples);
  metrics.scrapes.inc({ outcome: "ok", engine: "http" });
  state.fails = true;
  state.now = MINUTE;
  await sampler.sample("host:1");
  // The former process of this name has a sample of the minute.
  state.fails = false;
  state.reply = { isStored: false };
  await sampler.sample("host:1");
  state.reply = {};
  state.now = 2 * MINUTE;
  await sampler.sample("host:1");
  expect(samples.map(({ load }) => load)).toMatchObject([
    { scrapes: 1 },
    { scrapes: 1, coveredMs: 2 * MINUTE },
  ]);
});

it("reports each measured size of the blobs once", async () => {
  const samples: NewLoadSample[] = [];
  const { sampler, state } = samplerInto(samples);
  state.size = { bytes: 9, measuredAt: 5 };
  await sampler.sample("host:1");
  await sampler.sample("host:1");
  state.size = { bytes: 9, measuredAt: 6 };
  await sampler.sample("host:1");
  expect(samples.map(({ blobs }) => blobs?.measuredAt)).toEqual([5, undefined, 6]);
});

it("lists the blobs once an hour, not at the start, and only in the process that stored the shared sample", async () => {
  const { sampler, state } = samplerInto([]);
  state.now = 100 * MINUTE;
  await sampler.sample("host:1", { isFirst: true });
  expect(state.listings).toBe(0);
  state.reply = { isShared: false };
  await sampler.sample("host:1");
  state.reply = { blobsMeasuredAt: 41 * MINUTE };
  await sampler.sample("host:1");
  expect(state.listings).toBe(0);
  state.reply = { blobsMeasuredAt: 40 * MINUTE };
  await sampler.sample("host:1");
  state.reply = { blobsMeasuredAt: undefined };
  await sampler.sample("host:1");
  expect(state.listings).toBe(2);
});

it("takes the next sample after the next full minute", () => {
  expect(computeNextDelay(10 * MINUTE, 50)).toBe(50);
  expect(computeNextDelay(10 * MINUTE + 49, 50)).toBe(1);
  expect(computeNextDelay(10 * MINUTE + 50, 50)).toBe(MINUTE);
  expect(computeNextDelay(10 * MINUTE + 59_000, 50)).toBe(1_050);
});

it("takes no sample after it is closed", async () => {
  const samples: NewLoadSample[] = [];
  const { sampler } = samplerInto(samples);
  sampler.start("host:1");
  await sampler.close();
  expect(samples).toEqual([]);
});
