// kill -9 of a working process at random moments: no page is lost or duplicated, every counter is
// right, every event is stored once. QUARRY_TEST_KILLS=100 sets the number of kills.
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openStore } from "../../src/store/store.ts";
import { selectGrants } from "../../src/jobs/caller.ts";
import { CALLER, WEBHOOK } from "../counting-kind.ts";
import { describeDatabases } from "../databases.ts";
import { buildFound, buildJob, buildUrl } from "../jobs.ts";

const log = createLogger("silent");
const KILLS = Number(process.env["QUARRY_TEST_KILLS"] ?? 5);
/** Enough pages that the job still runs at the last kill. */
const PAGES = 150 * KILLS;
const FAILURES = Array.from({ length: PAGES }, (_, index) => index).filter(
  (index) => index % 10 === 7,
).length;

/** Each kill opens the database again: about a second on an idle machine. */
const TIMEOUT_MS = 120_000 + KILLS * 20_000;

type Run = { readonly acknowledged: number; readonly ended: boolean };

/**
 * Lets a child work until it has acknowledged `commits` more commits and `delayMs` have passed;
 * then kills it.
 */
async function work(
  program: "crawl-child.ts" | "counting-child.ts",
  args: readonly string[],
  commits: number,
  delayMs: number,
): Promise<Run> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, program), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = Promise.withResolvers<void>();
  child.once("close", () => closed.resolve());
  let acknowledged = 0;
  let ended = false;
  let left = commits;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "ended") ended = true;
    else if (line !== "open") {
      acknowledged = Number(line);
      left -= 1;
      if (left === 0) setTimeout(() => child.kill("SIGKILL"), delayMs);
    }
  }
  await closed.promise;
  return { acknowledged, ended };
}

describeDatabases("kills", (configure) => {
  it(`${KILLS} kills lose nothing and duplicate nothing`, { timeout: TIMEOUT_MS }, async () => {
    const config = await configure();
    const job = buildJob({
      limit: PAGES,
      webhook: {
        url: "http://a.example",
        headers: {},
        metadata: {},
        events: ["page", "completed"],
      },
    });
    const setup = await openStore(config, log);
    await setup.jobs.create(job, [buildFound(0, { depth: 0, source: "start" })]);
    await setup.close();
    const url = config.databaseUrl?.reveal();
    const args = [config.dataDir, job.id, String(PAGES), ...(url === undefined ? [] : [url])];
    let newest = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const run = await work(
        "crawl-child.ts",
        args,
        1 + Math.floor(Math.random() * 12),
        Math.random() * 30,
      );
      expect(run.ended).toBe(false);
      expect(run.acknowledged).toBeGreaterThan(newest);
      newest = run.acknowledged;
    }
    const last = await work("crawl-child.ts", args, -1, 0);
    expect(last.ended).toBe(true);

    const store = await openStore(config, log);
    try {
      const record = await store.jobs.load(job.id);
      expect(record).toMatchObject({
        state: "completed",
        pending: 0,
        completed: PAGES - FAILURES,
        failed: FAILURES,
        discovered: PAGES,
        creditsUsed: PAGES,
      });
      expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({
        fetched: PAGES - FAILURES,
        error: FAILURES,
      });
      const urls: string[] = [];
      for await (const rows of store.results.iterateResults(job.id))
        for (const row of rows) {
          urls.push(row.requestedUrl);
          expect(row.document).toMatchObject({ metadata: { scrapeId: row.scrapeId } });
        }
      const expected = Array.from({ length: PAGES }, (_, index) => index).filter(
        (index) => index % 10 !== 7,
      );
      expect(urls.toSorted()).toEqual(expected.map(buildUrl).toSorted());
      const events = await store.deliveries.log(job.id, { skip: 0, limit: 10 * PAGES });
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type === "crawl.page")).toHaveLength(PAGES);
      expect(types.filter((type) => type === "crawl.completed")).toHaveLength(1);
      expect(types.at(-1)).toBe("crawl.completed");
    } finally {
      await store.close();
    }
  });

  it(
    `${KILLS} kills of a counting run lose no event and repeat none`,
    { timeout: TIMEOUT_MS },
    async () => {
      const config = await configure();
      const to = 400 * KILLS;
      const options = { to, ...selectGrants(CALLER.identity) };
      const job = buildJob({
        kind: "count",
        url: null,
        options,
        webhook: WEBHOOK,
        seeding: true,
        run: { dueAt: 0 },
      });
      const setup = await openStore(config, log);
      await setup.jobs.create(job);
      await setup.close();
      const url = config.databaseUrl?.reveal();
      const args = [config.dataDir, job.id, ...(url === undefined ? [] : [url])];
      let newest = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const commits = 1 + Math.floor(Math.random() * 50);
        const run = await work("counting-child.ts", args, commits, Math.random() * 10);
        expect(run.ended).toBe(false);
        expect(run.acknowledged).toBeGreaterThanOrEqual(newest);
        newest = run.acknowledged;
      }
      expect((await work("counting-child.ts", args, -1, 0)).ended).toBe(true);

      const store = await openStore(config, log);
      try {
        expect(await store.jobs.load(job.id)).toMatchObject({ state: "completed", completed: to });
        const events = await store.deliveries.log(job.id, { skip: 0, limit: to + 10 });
        const counted = events.filter(({ type }) => String(type) === "count.counted");
        expect(counted).toHaveLength(to);
      } finally {
        await store.close();
      }
    },
  );
});
