// Latency of POST /v2/scrape over a bare fetch of the same page, and CPU milliseconds a page of the server's process: the
// first pages of a server that has just started ("cold"), then, warmed up, each concurrency. At the end its memory, highest
// and once it has settled, and what turndown takes on this machine in this run.
//   node bench/scrape.ts --pages=DIR [--n=300] [--concurrency=1,10,50] [--cold=300] [--warm=700] [--settle=15]
import { setTimeout as sleep } from "node:timers/promises";
import { readArgument, listPages, print, computeQuantile } from "./pages.ts";
import { measureCpuMs, measureTreeMemory } from "./process-tree.ts";
import { BENCH_KEY, serveFolder, startService, createTemporaryFolder } from "./service.ts";
import { measureTurndown } from "./yardstick.ts";

const { folder, files } = listPages();
const count = Number(readArgument("n", "300"));
const levels = readArgument("concurrency", "1,10,50").split(",").map(Number);
const site = await serveFolder(folder, files);
const data = createTemporaryFolder();
const service = await startService(Number(readArgument("port", "3902")), data.folder);

async function scrape(url: string): Promise<boolean> {
  const response = await fetch(`${service.base}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${BENCH_KEY}` },
    body: JSON.stringify({ url, maxAge: 0 }),
  });
  const answer = (await response.json()) as { success: boolean };
  return answer.success;
}

async function bare(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.text();
  return response.ok;
}

async function load(
  work: (url: string) => Promise<boolean>,
  concurrency: number,
  pages: number,
): Promise<{ ms: number[]; wallMs: number; failures: number }> {
  const ms: number[] = [];
  let failures = 0;
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < pages) {
        const index = next;
        next += 1;
        const from = performance.now();
        if (!(await work(`${site.url}/${files[(index * 7) % files.length] ?? ""}`))) failures += 1;
        ms.push(performance.now() - from);
      }
    }),
  );
  return { ms, wallMs: performance.now() - started, failures };
}

/** Scrapes `pages` pages and says what that took of the server. */
async function measure(concurrency: number, pages: number): Promise<Record<string, number>> {
  const before = measureCpuMs(service.pid);
  const run = await load(scrape, concurrency, pages);
  const cpuMs = measureCpuMs(service.pid) - before;
  return {
    concurrency,
    n: pages,
    failures: run.failures,
    p50Ms: round(computeQuantile(run.ms, 0.5)),
    p95Ms: round(computeQuantile(run.ms, 0.95)),
    pagesPerSecond: round((1000 * pages) / run.wallMs),
    cpuMsPerPage: round(cpuMs / pages),
    memoryMiB: measureTreeMemory(service.pid).mib,
  };
}

const round = (value: number): number => Number(value.toFixed(1));

// Waits until the new database is open: the process that makes it is gone before memory is looked at.
await scrape(`${site.url}/${files[0] ?? ""}`);
const idleMiB = measureTreeMemory(service.pid).mib;
let peakMiB = idleMiB;
const sampler = setInterval(() => {
  peakMiB = Math.max(peakMiB, measureTreeMemory(service.pid).mib);
}, 500);
try {
  print({
    bench: "scrape",
    phase: "cold",
    ...(await measure(4, Number(readArgument("cold", "300")))),
  });
  await load(scrape, 4, Number(readArgument("warm", "700")));
  for (const concurrency of levels) {
    const floor = await load(bare, concurrency, count);
    print({
      bench: "scrape",
      phase: "warm",
      ...(await measure(concurrency, count)),
      fetchP50Ms: round(computeQuantile(floor.ms, 0.5)),
      fetchP95Ms: round(computeQuantile(floor.ms, 0.95)),
    });
  }
  await sleep(Number(readArgument("settle", "15")) * 1000);
  print({ bench: "scrape", idleMiB, peakMiB, settledMiB: measureTreeMemory(service.pid).mib });
  print({ bench: "scrape", turndownCpuMsPerPage: round(measureTurndown(folder, files)) });
} finally {
  clearInterval(sampler);
  await service.stop();
  site.close();
  data.remove();
}
