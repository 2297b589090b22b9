// Memory of very large pages and results: the embedded database never returns memory to the system,
// so one oversized statement costs for the life of the server.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { temporaryDataFolder } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome } from "../jobs.ts";

const MB = 1_000_000;

describe("memory on PGlite", () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(
      createTestConfig({ dataDir: await temporaryDataFolder() }),
      createLogger("silent"),
    );
  });
  afterAll(() => store.close());

  const claim = (jobId: string, max: number) =>
    store.frontier.claim({ worker: "w", max, leaseMs: 3_600_000, jobs: [jobId] });

  it("memory grows little with a page of 60,000 new or known links", async () => {
    const job = buildJob({ limit: 3 });
    await store.jobs.create(job, [buildFound(1), buildFound(2)]);
    const [first, second] = await claim(job.id, 2);
    if (first === undefined || second === undefined) throw new Error("nothing to fetch");
    const text = "a-rather-long-path-segment/".repeat(4);
    const refused = { fate: "depth", reason: "too deep" } as const;
    const links = Array.from({ length: 60_000 }, (_, index) =>
      buildFound(index + 10, { url: `http://site.example/${text}${index}`, depth: 9, refused }),
    );
    const before = process.memoryUsage().external;
    const { counters } = await store.finish(job.id, "w", [buildFinished(first, links)]);
    expect(counters).toMatchObject({ discovered: 60_002, held: 0 });
    const nearer = links.map(({ url }, index) => buildFound(index + 10, { url }));
    const again = await store.finish(job.id, "w", [buildFinished(second, nearer)]);
    expect(again.counters).toMatchObject({ discovered: 60_002, pending: 1, held: 59_999 });
    expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({
      fetched: 2,
      pending: 1,
      limit: 59_999,
    });
    expect(process.memoryUsage().external - before).toBeLessThan(90 * MB);
  }, 180_000);

  it("memory grows little while 100 MB of results are streamed", async () => {
    const job = buildJob();
    const count = 100;
    await store.jobs.create(
      job,
      Array.from({ length: count }, (_, index) => buildFound(index)),
    );
    for (let done = 0; done < count; done += 10) {
      const pages = await claim(job.id, 10);
      await store.finish(
        job.id,
        "w",
        pages.map((page) => {
          const markdown = `${page.url} `.repeat(Math.ceil(MB / (page.url.length + 1)));
          const document = { markdown, metadata: {} } as never;
          return buildFinished(page, [], buildOutcome(page, { document }));
        }),
      );
    }
    // Without garbage, whose amount varies.
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const held = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = held();
    let max = 0;
    let bytes = 0;
    for await (const rows of store.results.iterateResults(job.id)) {
      bytes += JSON.stringify(rows).length;
      max = Math.max(max, held() - before);
    }
    expect(bytes).toBeGreaterThan(count * MB);
    expect(max).toBeLessThan(60 * MB);
  }, 180_000);
});
