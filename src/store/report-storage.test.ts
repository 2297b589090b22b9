import { expect, it } from "vitest";
import { createMetrics } from "../metrics.ts";
import { reportStorage } from "./report-storage.ts";

const entry = (storedBytes: number) => ({ ref: "r", storedBytes, putAt: 0 });

it("sums the blobs behind the request, and lists a large store less often", async () => {
  const metrics = createMetrics();
  let clock = 0;
  let lists = 0;
  const blobs = {
    async *list() {
      lists += 1;
      clock += 30_000;
      yield* [entry(5), entry(7 * lists)];
    },
  };
  const stop = new AbortController();
  const database = {} as never;
  const { read, blobSize } = reportStorage({ database, blobs }, metrics, {
    signal: stop.signal,
    now: () => clock,
  });
  const readSum = async (): Promise<(number | undefined)[]> => {
    // The database of this test fails, which must not stop the listing.
    await expect(read()).rejects.toThrow();
    await new Promise((resolve) => setImmediate(resolve));
    return await Promise.all(
      [metrics.blobs, metrics.blobBytes].map(async (gauge) => (await gauge.get()).values[0]?.value),
    );
  };
  expect(blobSize()).toBe(undefined);
  expect(await readSum()).toEqual([2, 12]);
  expect(blobSize()).toEqual({ bytes: 12, measuredAt: 30_000 });
  // 30 s of listing are 1 % of 50 minutes.
  clock += 3_000_000 - 30_001;
  expect(await readSum()).toEqual([2, 12]);
  clock += 60_000;
  expect(await readSum()).toEqual([2, 19]);
  stop.abort();
  clock += 1e9;
  await readSum();
  expect(lists).toBe(2);
});
