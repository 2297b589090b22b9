// What a URL costs in a long queue: accepted, claimed and finished, and paged through; in one crawl and spread over many. Also how
// even the claims are over jobs of different sizes. Prints JSON lines: CPU of this process and the database server (`cpuUs`), the part of the
// server's background processes (`backgroundUs`), and per page the database's blocks and log, which other programs do not change.
//   node bench/queue.ts [--database=pglite|postgres|URL] [--urls=1000000] [--jobs=1,1000] [--pages=2000]
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { createTestConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";
import { Secret } from "../src/settings/secret.ts";
import { openStore, type Store } from "../src/store/store.ts";
import { buildFinished, buildFound, buildJob } from "../test/jobs.ts";
import { startPostgres } from "../test/postgres.ts";
import { print, readArgument } from "./pages.ts";
import { measureCommandCpuMs, measureCpuMs } from "./process-tree.ts";

const URLS = Number(readArgument("urls", "1000000"));
const PAGES = Number(readArgument("pages", "2000"));
const database = readArgument("database", "pglite");
const CHUNK = 5_000;
const CLAIM = 20;
const LEDGER_PAGE = 1_000;
const LEASE_MS = 600_000;

const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-queue-"));
const server = database === "postgres" ? await startPostgres() : undefined;

async function open(name: string): Promise<Store> {
  const url = database === "pglite" ? undefined : ((await server?.createDatabase()) ?? database);
  return await openStore(
    createTestConfig({
      dataDir: path.join(folder, name),
      ...(url === undefined ? {} : { databaseUrl: new Secret(url) }),
    }),
    createLogger("error"),
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;

type Cpu = { readonly totalMs: number; readonly backgroundMs: number };

/** CPU so far: this process with all of the server, and the part of the server's background processes that still run. */
function readCpu(): Cpu {
  const { user, system } = process.cpuUsage();
  const ownMs = (user + system) / 1_000;
  if (server === undefined) return { totalMs: ownMs, backgroundMs: 0 };
  return {
    totalMs: ownMs + measureCpuMs(server.pid),
    backgroundMs: measureCommandCpuMs(server.pid, /^postgres: (?!quarry )/),
  };
}

/** Runs `work`; its CPU and its time by the clock, microseconds for each of `count`. */
async function measure(count: number, work: () => Promise<unknown>) {
  const [cpu, from] = [readCpu(), performance.now()];
  await work();
  const wallMs = performance.now() - from;
  const { totalMs, backgroundMs } = readCpu();
  const perOne = (ms: number): number => Math.round((ms * 10_000) / count) / 10;
  return {
    cpuUs: perOne(totalMs - cpu.totalMs),
    ...(server === undefined ? {} : { backgroundUs: perOne(backgroundMs - cpu.backgroundMs) }),
    wallUs: perOne(wallMs),
  };
}

type DatabaseWork = {
  blocks: number;
  blocksRead: number;
  logBytes: number;
  fullBlocks: number;
  vacuumMs: number;
};

/** More than the pool has. */
const CONNECTIONS = 30;

/** Blocks and log of the database so far. */
async function readDatabaseWork(store: Store): Promise<DatabaseWork> {
  // Each connection reports its work once a second at most, unless it is told to.
  const flushes = Array.from({ length: server === undefined ? 1 : CONNECTIONS }, () =>
    sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(store.database.kysely),
  );
  await Promise.all(flushes);
  const { rows } = await sql<DatabaseWork>`
    select (blks_hit + blks_read)::float8 as blocks, blks_read::float8 as "blocksRead",
      (select wal_bytes from pg_stat_wal)::float8 as "logBytes",
      (select wal_fpi from pg_stat_wal)::float8 as "fullBlocks",
      (select sum(total_vacuum_time + total_autovacuum_time) from pg_stat_user_tables)::float8 as "vacuumMs"
    from pg_stat_database where datname = current_database()`.execute(store.database.kysely);
  if (rows[0] === undefined) throw new Error("the database has no statistics");
  return rows[0];
}

const toHost = (identity: number): string => `site-${identity % 1_000}.example`;
const buildFoundUrl = (identity: number) =>
  buildFound(identity, {
    host: toHost(identity),
    url: `https://${toHost(identity)}/section-${identity % 97}/page-${identity}.html`,
  });

async function addUrls(store: Store, ids: readonly string[], urls: number): Promise<void> {
  const each = urls / ids.length;
  const steps = 10;
  let next = 1;
  for (let step = 0; step < steps; step++) {
    // Each step fills a tenth of the queue: of one crawl, or whole crawls.
    const part = urls / steps;
    const cost = await measure(part, async () => {
      const end = next + part;
      while (next < end) {
        const id = ids[Math.floor((next - 1) / each)];
        const size = Math.min(CHUNK, each, end - next);
        const some = Array.from({ length: size }, (_, index) => buildFoundUrl(next + index));
        await store.frontier.add(id ?? "", some);
        next += size;
      }
    });
    if (step === 0 || step === steps - 1)
      print({
        ...describeRun(ids, urls),
        step: "accept",
        part: step === 0 ? "first tenth" : "last tenth",
        ...cost,
      });
  }
}

const describeRun = (ids: readonly string[], urls: number) => ({
  database: database.split(":")[0],
  urls,
  jobs: ids.length,
});

async function work(store: Store, ids: readonly string[], urls: number): Promise<void> {
  const claimed = new Map<string, number>();
  const before = await readDatabaseWork(store);
  const cost = await measure(PAGES, async () => {
    for (let done = 0; done < PAGES; done += CLAIM) {
      const pages = await store.frontier.claim({ worker: "w", max: CLAIM, leaseMs: LEASE_MS });
      for (const { jobId } of pages) claimed.set(jobId, (claimed.get(jobId) ?? 0) + 1);
      const byJob = Map.groupBy(pages, ({ jobId }) => jobId);
      for (const [jobId, some] of byJob)
        await store.finish(
          jobId,
          "w",
          some.map((page) => buildFinished(page)),
        );
    }
  });
  const counts = [...claimed.values()];
  const after = await readDatabaseWork(store);
  print({
    ...describeRun(ids, urls),
    step: "claim and finish",
    pages: PAGES,
    ...cost,
    blocks: round((after.blocks - before.blocks) / PAGES),
    blocksRead: round((after.blocksRead - before.blocksRead) / PAGES),
    logBytes: Math.round((after.logBytes - before.logBytes) / PAGES),
    fullBlocks: after.fullBlocks - before.fullBlocks,
    vacuumMs: Math.round(after.vacuumMs - before.vacuumMs),
    jobsServed: claimed.size,
    most: Math.max(...counts),
    fewest: Math.min(...counts),
  });
}

async function readThrough(store: Store, ids: readonly string[], urls: number): Promise<void> {
  const each = urls / ids.length;
  for (const part of ids.length === 1 ? ["first", "last"] : ["all"]) {
    const count = Math.min(20_000, each);
    const cost = await measure(count, async () => {
      const from = part === "last" ? each - count : 0;
      for (let skip = from; skip < from + count; skip += LEDGER_PAGE)
        await store.jobLedger.page(ids[0] ?? "", { skip, limit: LEDGER_PAGE });
    });
    print({ ...describeRun(ids, urls), step: "ledger", part: `${part} ${count} URLs`, ...cost });
  }
  const read = await measure(1, async () => await store.backlog());
  print({ ...describeRun(ids, urls), step: "metrics", ...read });
}

async function run(jobs: number, urls: number): Promise<void> {
  const name = `${jobs}-${urls}`;
  const store = await open(name);
  try {
    const made = Array.from({ length: jobs }, () => buildJob({ limit: urls, seeding: true }));
    for (const job of made) await store.jobs.create(job, []);
    const ids = made.map(({ id }) => id);
    await addUrls(store, ids, urls);
    await work(store, ids, urls);
    await readThrough(store, ids, urls);
  } finally {
    await store.close();
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

/** Ten jobs of very different sizes: the share of the claims that each gets. */
async function runTen(): Promise<void> {
  const store = await open("ten");
  try {
    const sizes = Array.from({ length: 10 }, (_, index) => (index === 0 ? 50_000 : 1_000));
    const made = sizes.map(() => buildJob({ limit: 100_000, seeding: true }));
    for (const [index, job] of made.entries()) {
      await store.jobs.create(job, []);
      const urls = Array.from({ length: sizes[index] ?? 0 }, (_, at) => buildFoundUrl(at + 1));
      for (let at = 0; at < urls.length; at += CHUNK)
        await store.frontier.add(job.id, urls.slice(at, at + CHUNK));
    }
    const claimed = new Map(made.map(({ id }) => [id, 0]));
    for (let round = 0; round < 200; round++)
      for (const { jobId } of await store.frontier.claim({
        worker: "w",
        max: CLAIM,
        leaseMs: LEASE_MS,
      }))
        claimed.set(jobId, (claimed.get(jobId) ?? 0) + 1);
    const counts = made.map(({ id }) => claimed.get(id) ?? 0);
    print({ database: database.split(":")[0], step: "fairness", sizes, claimed: counts });
  } finally {
    await store.close();
  }
}

try {
  await runTen();
  for (const jobs of readArgument("jobs", "1,1000").split(",").map(Number))
    for (const urls of [URLS / 10, URLS]) await run(jobs, urls);
} finally {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
}
