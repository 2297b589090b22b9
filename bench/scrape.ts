// Latency of POST /v2/scrape over a bare fetch of the same page, and CPU milliseconds a page of the server's process.
//   node bench/scrape.ts --pages=DIR [--n=300] [--concurrency=1,10,50]
import { argument, listPages, print, quantile } from "./pages.ts";
import { cpuMsOf, memoryOf } from "./process-tree.ts";
import { BENCH_KEY, serveFolder, startService, temporaryFolder } from "./service.ts";

const { folder, files } = listPages();
const count = Number(argument("n", "300"));
const levels = argument("concurrency", "1,10,50").split(",").map(Number);
const site = await serveFolder(folder, files);
const data = temporaryFolder();
const service = await startService(Number(argument("port", "3902")), data.folder);

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
): Promise<{ ms: number[]; wallMs: number; failures: number }> {
  const ms: number[] = [];
  let failures = 0;
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < count) {
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

try {
  for (let index = 0; index < 20; index += 1)
    await scrape(`${site.url}/${files[index % files.length] ?? ""}`);
  for (const concurrency of levels) {
    const floor = await load(bare, concurrency);
    const before = cpuMsOf(service.pid);
    const run = await load(scrape, concurrency);
    const cpuMs = cpuMsOf(service.pid) - before;
    print({
      bench: "scrape",
      concurrency,
      n: count,
      failures: run.failures,
      p50Ms: Number(quantile(run.ms, 0.5).toFixed(1)),
      p95Ms: Number(quantile(run.ms, 0.95).toFixed(1)),
      fetchP50Ms: Number(quantile(floor.ms, 0.5).toFixed(1)),
      fetchP95Ms: Number(quantile(floor.ms, 0.95).toFixed(1)),
      pagesPerSecond: Number(((1000 * count) / run.wallMs).toFixed(1)),
      cpuMsPerPage: Number((cpuMs / count).toFixed(2)),
      memoryMiB: memoryOf(service.pid).mib,
    });
  }
} finally {
  await service.stop();
  site.close();
  data.remove();
}
