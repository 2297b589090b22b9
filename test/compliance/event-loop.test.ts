// Large jobs on the embedded database, which runs in the process that answers requests, must let
// I/O run.
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { createTestConfig, type Config } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { getDatabaseFolder } from "../../src/store/database/data-folder.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { KnownUrls } from "../../src/store/jobs/known-urls.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { runText, temporaryDataFolder } from "../databases.ts";
import { buildFound, buildJob } from "../jobs.ts";

const log = createLogger("silent");
const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns how often the event loop handled I/O during the work. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const turn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isRunning = false;
  return turns;
}

describe("large jobs on the embedded database", () => {
  let config: Config;
  let store: Store;
  beforeAll(async () => {
    config = createTestConfig({ dataDir: await temporaryDataFolder() });
    store = await openStore(config, log);
  });
  afterAll(() => store.close());

  const URLS = 20_000;
  const buildUrls = (first: number) =>
    Array.from({ length: URLS }, (_, index) => buildFound(first + index, { source: "batch" }));

  it("adding, cancelling, settling and removing 20,000 URLs lets I/O run throughout", async () => {
    const job = buildJob({ kind: "batch_scrape", url: null, limit: null, seeding: true });
    await store.jobs.create(job, []);
    expect(await countTurns(() => store.frontier.add(job.id, buildUrls(0)))).toBeGreaterThan(5);
    await store.runs.end(job.id, { state: "cancelled" }, Date.now());
    await store.jobs.markSettled(job.id);
    const later = Date.now() + 3 * DAY_MS;
    const turns = await countTurns(async () => {
      expect(await store.retention.cleanUp({ now: later })).toMatchObject({ jobs: 1 });
    });
    expect(turns).toBeGreaterThan(5);
    expect(await store.jobLedger.sumOutcomes(job.id)).toEqual({});
    expect(await store.jobs.load(job.id)).toBeUndefined();
  });

  it("settling a batch removes passwords from all of its chunks", async () => {
    const job = buildJob({ kind: "batch_scrape", url: null, limit: null, seeding: true });
    await store.jobs.create(job, []);
    const urls = buildUrls(0)
      .slice(0, 4_500)
      .map((url) => ({ ...url, marks: { authorization: "Basic secret" } }));
    await store.frontier.add(job.id, urls);
    await store.runs.end(job.id, { state: "cancelled" }, Date.now());
    await store.jobs.markSettled(job.id);
    await store.close();
    const database = await openDatabase(config, log);
    const rows = await runText(
      database,
      "select count(*) as left from frontier where marks ? 'authorization'",
    );
    await database.close();
    store = await openStore(config, log);
    expect(rows).toEqual([{ left: 0 }]);
  });

  it("summing and paging the ledger of 30,000 URLs lets I/O run between parts", async () => {
    const job = buildJob({ limit: null, seeding: true });
    await store.jobs.create(job, []);
    const reasons = ["outside the path", "outside the host"];
    await store.frontier.add(
      job.id,
      Array.from({ length: 30_000 }, (_, index) =>
        buildFound(index, {
          ...(index % 3 > 0 && {
            refused: { fate: "scope", reason: reasons[index % 3 === 1 ? 0 : 1] },
          }),
        }),
      ),
    );
    const { jobLedger } = store;
    const turns = await countTurns(async () => {
      expect(await jobLedger.sumOutcomes(job.id)).toEqual({ pending: 10_000, scope: 20_000 });
    });
    expect(turns).toBeGreaterThan(1);
    const refusals = await jobLedger.listRefusals(job.id);
    expect(
      refusals.toSorted((one, other) => ((one.reason ?? "") < (other.reason ?? "") ? -1 : 1)),
    ).toEqual([
      { fate: "pending", reason: undefined, count: 10_000 },
      { fate: "scope", reason: reasons[1], count: 10_000 },
      { fate: "scope", reason: reasons[0], count: 10_000 },
    ]);
    const pageOf = async (skip: number, limit: number) =>
      (await jobLedger.page(job.id, { skip, limit, fate: "pending" })).map((row) => row.sequence);
    expect(await pageOf(0, 2)).toEqual([1, 4]);
    // The first part ends with sequence 25,000 and the 8,334th of them.
    expect(await pageOf(8_332, 4)).toEqual([24_997, 25_000, 25_003, 25_006]);
    expect(await pageOf(9_999, 4)).toEqual([29_998]);
    let seen = 0;
    for await (const rows of jobLedger.iterateUrls(job.id, "scope")) seen += rows.length;
    expect(seen).toBe(20_000);
  });

  it("a claim from a long queue reads the pages that it takes and not the whole queue", async () => {
    const job = buildJob({ limit: null, seeding: true });
    await store.jobs.create(job, []);
    const { kysely } = store.database;
    const countRead = async (): Promise<number> => {
      await runText(store.database, "select pg_stat_force_next_flush()");
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes as one
          where one.relid = whole.relid))::integer as read
        from pg_stat_user_tables as whole where relname = 'frontier'`.execute(kysely);
      return rows[0]?.read ?? 0;
    };
    await store.frontier.add(job.id, buildUrls(0));
    const claim = { worker: "worker", max: 10, leaseMs: 60_000 };
    const before = await countRead();
    expect(await store.frontier.claim({ ...claim, suspects: "none" })).toHaveLength(10);
    expect(await store.frontier.claim({ ...claim, suspects: "only" })).toEqual([]);
    const read = (await countRead()) - before;
    expect(read).toBeGreaterThanOrEqual(10);
    expect(read).toBeLessThan(1_000);
  });

  it("looking up which URLs a job knows reads only those URLs", async () => {
    const job = buildJob({ limit: null, seeding: true });
    await store.jobs.create(job, []);
    await store.frontier.add(
      job.id,
      Array.from({ length: URLS }, (_, index) => buildFound(index)),
    );
    await store.close();
    const database = await openDatabase(config, log);
    try {
      const asked = Array.from({ length: 500 }, (_, index) => BigInt(URLS - 100 + index));
      const [known, read] = await database.kysely.transaction().execute(async (transaction) => {
        const found = await new KnownUrls().find(transaction, job.id, asked);
        const { rows } = await sql<{ read: number }>`
          select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
          where relname = 'frontier'`.execute(transaction);
        return [found, rows[0]?.read] as const;
      });
      expect([...known.keys()]).toEqual(asked.slice(0, 100));
      expect(read).toBeGreaterThanOrEqual(100);
      expect(read).toBeLessThan(1_000);
    } finally {
      await database.close();
      store = await openStore(config, log);
    }
  });
});

describe("write-ahead log of the embedded database", () => {
  it("the write-ahead log stays small while the database is open", async () => {
    const config = createTestConfig({ dataDir: await temporaryDataFolder() });
    const database = await openDatabase(config, log);
    const walFolder = path.join(getDatabaseFolder(config), "pg_wal");
    const sizeBytes = async (): Promise<number> => {
      const names = (await readdir(walFolder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
      const sizes = await Promise.all(
        // A checkpoint may remove one meanwhile.
        names.map((name) =>
          stat(path.join(walFolder, name)).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    };
    try {
      await runText(database, "create table written (id serial, text text)");
      let max = 0;
      for (let round = 0; round < 20; round += 1) {
        // Each round writes about 10 MB of log.
        for (let statement = 0; statement < 50; statement += 1)
          await runText(
            database,
            "insert into written (text) select repeat(md5(n::text), 60) from generate_series(1, $1::integer) n",
            [100],
          );
        max = Math.max(max, await sizeBytes());
      }
      const rows = await runText(
        database,
        "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as written",
      );
      expect((rows[0] as { written: number }).written).toBeGreaterThan(150 * MEGABYTE);
      expect(max).toBeLessThan(70 * MEGABYTE);
    } finally {
      await database.close();
    }
  });
});

describe("tables of the embedded database", () => {
  it("tables of the embedded database are vacuumed and analyzed as they grow", async () => {
    const database = await openDatabase(
      createTestConfig({ dataDir: await temporaryDataFolder() }),
      log,
    );
    try {
      await runText(database, "create table written (id serial)");
      for (let statement = 0; statement < 250; statement += 1)
        await runText(
          database,
          "insert into written select generate_series(1, $1::integer)",
          [200],
        );
      await expect
        .poll(async () => {
          const rows = await runText(
            database,
            "select vacuum_count > 0 and analyze_count > 0 as done from pg_stat_user_tables where relname = 'written'",
          );
          // The counts reach the view with a delay of a second of writing.
          for (let statement = 0; statement < 100; statement += 1)
            await runText(database, "insert into written values ($1::integer)", [1]);
          return (rows[0] as { done: boolean } | undefined)?.done;
        })
        .toBe(true);
    } finally {
      await database.close();
    }
  });
});

describe("a full cache on the embedded database", () => {
  it("eviction of most of 30,000 captures reads each of them a few times and keeps the newest", async () => {
    const CAPTURES = 30_000;
    const SIZE_BYTES = 10_000;
    const kept = 12_345;
    const dataDir = await temporaryDataFolder();
    const store = await openStore(
      createTestConfig({ dataDir, cacheMaxBytes: kept * SIZE_BYTES }),
      log,
    );
    try {
      const { kysely } = store.database;
      const run = (text: string) => runText({ kysely }, text);
      await run(
        `insert into captures (id, cache_key, fetched_at, status_code, final_url, about, body_ref, body_inline, size_bytes)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'evict-' || number, number, 200,
         'https://a.example/', '{}', null, '', ${SIZE_BYTES}
       from generate_series(1, ${CAPTURES}) as number`,
      );
      await run("analyze captures");
      const countRead = async (): Promise<number> => {
        await run("select pg_stat_force_next_flush()");
        const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes as one
          where one.relid = whole.relid))::integer as read
        from pg_stat_user_tables as whole where relname = 'captures'`.execute(kysely);
        return rows[0]?.read ?? 0;
      };
      const before = await countRead();
      const turns = await countTurns(async () => {
        expect(await store.retention.cleanUp()).toMatchObject({ captures: CAPTURES - kept });
      });
      expect(turns).toBeGreaterThan(5);
      const { rows } = await sql<{ count: number; oldest: number }>`
      select count(*)::integer as count, min(fetched_at)::integer as oldest from captures`.execute(
        kysely,
      );
      expect(rows).toEqual([{ count: kept, oldest: CAPTURES - kept + 1 }]);
      const read = (await countRead()) - before;
      expect(read).toBeLessThan(CAPTURES * 5);
    } finally {
      await store.close();
    }
  });
});
