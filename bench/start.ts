// Measures the time until the server answers and until the first scrape is done, and its memory
// when idle; first on a fresh data folder, then on the same one again. node bench/start.ts
// --pages=DIR [--idle=10]
import { setTimeout as sleep } from "node:timers/promises";
import { readArgument, listPages, print } from "./pages.ts";
import { measureCpuMs, measureTreeMemory } from "./process-tree.ts";
import { BENCH_KEY, serveFolder, startService, createTemporaryFolder } from "./service.ts";

const { folder, files } = listPages();
const idleSeconds = Number(readArgument("idle", "10"));
const site = await serveFolder(folder, files.slice(0, 5));
const data = createTemporaryFolder();
try {
  for (const state of ["fresh", "existing", "existing"]) {
    const started = performance.now();
    const service = await startService(Number(readArgument("port", "3903")), data.folder);
    const response = await fetch(`${service.base}/v2/scrape`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${BENCH_KEY}` },
      body: JSON.stringify({ url: `${site.url}/${files[0] ?? ""}`, maxAge: 0 }),
    });
    await response.text();
    const firstScrapeMs = performance.now() - started;
    const cpuMs = measureCpuMs(service.pid);
    await sleep(idleSeconds * 1000);
    print({
      bench: "start",
      dataFolder: state,
      httpUpMs: Math.round(service.upMs),
      firstScrapeMs: Math.round(firstScrapeMs),
      firstScrapeStatus: response.status,
      cpuSeconds: Number((cpuMs / 1000).toFixed(2)),
      idle: measureTreeMemory(service.pid),
    });
    await service.stop();
  }
} finally {
  site.close();
  data.remove();
}
