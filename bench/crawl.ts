// Measures one crawl through the whole service, from POST /v2/crawl to the last result read: rate,
// CPU milliseconds per page and thread, memory, and whether every page came once. Serves a folder
// of pages, uses a served site (--url), or generates small pages. --workers uses an API process and
// workers on a PostgreSQL of its own. A crawl of more than 5,000 pages reports each quarter. node
// bench/crawl.ts --pages=DIR | --url=http://127.0.0.1:8080/index.html | --generated=20000
// [--workers=4] [--threads=1] [--runs=2] [--limit=100000] [--settle=15]
import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../test/postgres.ts";
import { readOutcome, type Outcome } from "./crawl-outcome.ts";
import { generatePage } from "./generated-site.ts";
import { readArgument, listPages, print } from "./pages.ts";
import { cpuMsByThread, measureCpuMs, measureTreeMemory } from "./process-tree.ts";
import {
  BENCH_KEY,
  serveFolder,
  servePages,
  startService,
  createTemporaryFolder,
  waitUntilReady,
  type RunningService,
} from "./service.ts";

const workers = Number(readArgument("workers", "0"));
/** QUARRY_WORKER_THREADS of a process. */
const threads = readArgument("threads", "0");
const generated = Number(readArgument("generated", "0"));
const settings = { headers: { authorization: `Bearer ${BENCH_KEY}` } };
const MIN_QUARTERED_PAGES = 5_000;

type Site = { start: string; close(): void };

async function openSite(): Promise<Site> {
  const url = readArgument("url");
  if (url !== "") return { start: url, close: () => undefined };
  if (generated > 0) {
    const site = await servePages((target) => generatePage(target, generated));
    return { start: `${site.url}/page/0`, close: () => site.close() };
  }
  const { folder, files } = listPages();
  const site = await serveFolder(folder, files);
  const first = files.includes("index.html") ? "index.html" : (files[0] ?? "");
  return { start: `${site.url}/${first}`, close: () => site.close() };
}

type Service = {
  api: RunningService;
  all: RunningService[];
  databasePid: number;
  stop(): Promise<void>;
};

async function openService(): Promise<Service> {
  const data = createTemporaryFolder();
  const port = Number(readArgument("port", "3904"));
  const all: RunningService[] = [];
  const database = workers > 0 ? await startPostgres() : undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((running) => running.stop()));
    await database?.stop();
    data.remove();
  };
  try {
    if (database === undefined) {
      all.push(await startService(port, data.folder, { QUARRY_WORKER_THREADS: threads }));
    } else {
      const shared = {
        QUARRY_WORKER_THREADS: threads,
        DATABASE_URL: await database.createDatabase(),
        QUARRY_BLOBS: `file:${data.folder}/blobs`,
      };
      for (let index = 0; index <= workers; index++) {
        const role = index === 0 ? "api" : "worker";
        const own = { ...shared, QUARRY_ROLE: role };
        all.push(await startService(port + index, `${data.folder}/${role}-${index}`, own));
      }
    }
    const [api] = all;
    if (api === undefined) throw new Error("no process was started");
    for (const running of all) await waitUntilReady(running);
    return { api, all, databasePid: database?.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const measureCpu = ({ all }: Service): number =>
  all.reduce((sum, { pid }) => sum + measureCpuMs(pid), 0);
const measureMemory = ({ all }: Service): number =>
  all.reduce((sum, { pid }) => sum + measureTreeMemory(pid).mib, 0);
const measureDatabaseCpu = ({ databasePid }: Service): number =>
  databasePid === 0 ? 0 : measureCpuMs(databasePid);

function measureThreads({ all }: Service): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { pid } of all)
    for (const [kind, ms] of Object.entries(cpuMsByThread(pid)))
      sums[kind] = (sums[kind] ?? 0) + ms;
  return sums;
}

type Status = { status: string; completed: number; total: number };

async function start(service: Service, url: string): Promise<string> {
  const response = await fetch(`${service.api.base}/v2/crawl`, {
    method: "POST",
    headers: { ...settings.headers, "content-type": "application/json" },
    body: JSON.stringify({
      url,
      limit: Number(readArgument("limit", "100000")),
      crawlEntireDomain: true,
      sitemap: "skip",
      scrapeOptions: { formats: ["markdown"], maxAge: 0 },
    }),
  });
  const answer = (await response.json()) as { id?: string };
  if (answer.id === undefined) throw new Error(`no crawl: ${JSON.stringify(answer)}`);
  return answer.id;
}

/** Follows the crawl to its end; `look` is called a few times per second. */
async function follow(service: Service, id: string, look: (at: Status) => void): Promise<Status> {
  for (;;) {
    const response = await fetch(`${service.api.base}/v2/crawl/${id}?limit=1`, settings);
    const status = (await response.json()) as Status;
    look(status);
    if (status.status !== "scraping") return status;
    await sleep(200);
  }
}

async function measure(service: Service, site: Site, label: Record<string, unknown>) {
  const idleMiB = measureMemory(service);
  let peakMiB = idleMiB;
  const sampler = setInterval(() => (peakMiB = Math.max(peakMiB, measureMemory(service))), 500);
  const before = {
    cpu: measureCpu(service),
    database: measureDatabaseCpu(service),
    ...measureThreads(service),
  };
  const started = performance.now();
  let quarter = { number: 0, completed: 0, cpu: before.cpu, at: started };
  const id = await start(service, site.start);
  const status = await follow(service, id, ({ completed }) => {
    if (generated < MIN_QUARTERED_PAGES || completed < ((quarter.number + 1) * generated) / 4)
      return;
    const next = {
      number: quarter.number + 1,
      completed,
      cpu: measureCpu(service),
      at: performance.now(),
    };
    const pages = completed - quarter.completed;
    print({
      ...label,
      quarter: next.number,
      completed,
      pagesPerSecond: round((1000 * pages) / (next.at - quarter.at)),
      cpuMsPerPage: round((next.cpu - quarter.cpu) / pages),
      memoryMiB: measureMemory(service),
    });
    quarter = next;
  });
  const wallMs = performance.now() - started;
  const cpu = measureCpu(service) - before.cpu;
  const database = measureDatabaseCpu(service) - before.database;
  const byThread = Object.entries(measureThreads(service)).map(([kind, ms]) => [
    kind,
    round((ms - (before[kind as "cpu"] ?? 0)) / status.completed),
  ]);
  const outcome: Outcome = await readOutcome(service.api.base, id, settings.headers);
  clearInterval(sampler);
  await sleep(Number(readArgument("settle", "15")) * 1000);
  print({
    ...label,
    ...outcome,
    seconds: round(wallMs / 1000),
    pagesPerSecond: round((1000 * status.completed) / wallMs),
    cpuMsPerPage: round((cpu + database) / status.completed),
    cpuMsPerPageByThread: Object.fromEntries(byThread),
    ...(workers > 0 ? { databaseCpuMsPerPage: round(database / status.completed) } : {}),
    pagesPerCpuSecond: round((1000 * status.completed) / (cpu + database)),
    memoryMiB: { idle: idleMiB, peak: peakMiB, settled: measureMemory(service) },
    load: round(os.loadavg()[0] ?? 0),
  });
}

const round = (value: number): number => Number(value.toFixed(2));

const site = await openSite();
const service = await openService();
try {
  const database = workers > 0 ? "PostgreSQL" : "PGlite";
  for (let run = 1; run <= Number(readArgument("runs", "2")); run++)
    await measure(service, site, { bench: "crawl", database, workers, threads, run });
} finally {
  await service.stop();
  site.close();
}
