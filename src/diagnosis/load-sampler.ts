// Samples the load of this process once a minute, for the history in the console and the API. One
// statement a minute: what all processes share is read by the one that stores it first.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { BlobSize, LoadSampleStore } from "../store/load-samples.ts";

const MINUTE_MS = 60_000;
/** Processes on one database sample at different times within these milliseconds. */
const SPREAD_MS = 5_000;
/** After the start of the minute, because timers may fire a millisecond early. */
const MIN_OFFSET_MS = 50;
/** The blobs are listed for the history if nothing else has done so for this long. */
const BLOB_PAUSE_MS = 60 * MINUTE_MS;

export type LoadSamplerParts = {
  readonly store: () => Promise<{ readonly loadSamples: Pick<LoadSampleStore, "record"> }>;
  readonly metrics: Pick<Metrics, "scrapes" | "jobPages">;
  readonly browserUse: () => Promise<{ readonly active: number; readonly waiting: number }>;
  readonly storage: () => { measureBlobs(): void; blobSize(): BlobSize | undefined } | undefined;
  readonly role: string;
  readonly log: Logger;
  readonly now?: () => number;
  readonly readMemory?: () => number;
  /** Between 0 and 1, for the spread over processes. */
  readonly random?: () => number;
};

export type LoadSampler = {
  /** Takes the first sample at once and one after each full minute. */
  start(processName: string): void;
  /** Takes a sample. A failure is logged; the counts are part of the next sample. */
  sample(processName: string, options?: { readonly isFirst?: boolean }): Promise<void>;
  /** Ends the sampling; settles when nothing is being written. */
  close(): Promise<void>;
};

/** Milliseconds until the next sample, `offsetMs` after a full minute. */
export const computeNextDelay = (now: number, offsetMs: number): number =>
  MINUTE_MS - ((now - offsetMs) % MINUTE_MS);

type Counter = { get(): Promise<{ readonly values: readonly { readonly value: number }[] }> };

const readTotal = async (counter: Counter): Promise<number> =>
  (await counter.get()).values.reduce((sum, { value }) => sum + value, 0);

/** The starter closes it before the store. */
export function createLoadSampler(parts: LoadSamplerParts): LoadSampler {
  const { store, metrics, browserUse, storage, role, log, now = Date.now } = parts;
  const { readMemory = () => process.memoryUsage.rss(), random = Math.random } = parts;
  const offsetMs = MIN_OFFSET_MS + Math.floor(random() * SPREAD_MS);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** The totals of the last stored sample. */
  let before = { at: now(), scrapes: 0, jobPages: 0 };
  let reportedAt: number | undefined;

  async function record(name: string, isFirst: boolean): Promise<void> {
    const totals = {
      at: now(),
      scrapes: await readTotal(metrics.scrapes),
      jobPages: await readTotal(metrics.jobPages),
    };
    const { active, waiting } = await browserUse();
    const size = storage()?.blobSize();
    const isNew = size !== undefined && size.measuredAt !== reportedAt;
    const { isStored, isShared, blobsMeasuredAt } = await (
      await store()
    ).loadSamples.record({
      at: totals.at,
      process: name,
      role,
      load: {
        memoryBytes: readMemory(),
        browserPages: active,
        browserWaiting: waiting,
        scrapes: totals.scrapes - before.scrapes,
        jobPages: totals.jobPages - before.jobPages,
        coveredMs: Math.max(0, totals.at - before.at),
      },
      blobs: isNew ? size : undefined,
    });
    if (isNew) reportedAt = size.measuredAt;
    if (isStored) before = totals;
    const isOld = totals.at - (blobsMeasuredAt ?? 0) >= BLOB_PAUSE_MS;
    // A start is not the time to list a large store.
    if (isShared && isOld && !isFirst) storage()?.measureBlobs();
  }

  async function sample(name: string, { isFirst = false } = {}): Promise<void> {
    try {
      await record(name, isFirst);
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, "load sample not stored");
    }
  }

  function schedule(name: string): void {
    if (isClosed) return;
    timer = setTimeout(
      () => {
        running = sample(name).finally(() => schedule(name));
      },
      computeNextDelay(now(), offsetMs),
    ).unref();
  }

  return {
    start(name) {
      // Behind the start: the first requests do not wait for it.
      running = nextTurn()
        .then(() => (isClosed ? undefined : sample(name, { isFirst: true })))
        .finally(() => schedule(name));
    },
    sample,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
