// What tracing costs: two servers side by side, one with a collector, get the same pages at the same time. Prints the CPU of each
// per page, and the difference as a share of one core and of the CPU of the pages, per round and over all rounds.
//   node bench/tracing.ts [--pages=600] [--rounds=4] [--concurrency=4] [--port=8110]
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generatePage } from "./generated-site.ts";
import { print, readArgument } from "./pages.ts";
import { measureCpuMs } from "./process-tree.ts";
import {
  BENCH_KEY,
  createTemporaryFolder,
  servePages,
  startService,
  waitUntilReady,
  type RunningService,
} from "./service.ts";

const PAGES = Number(readArgument("pages", "600"));
const ROUNDS = Number(readArgument("rounds", "4"));
const CONCURRENCY = Number(readArgument("concurrency", "4"));
const port = Number(readArgument("port", "8110"));

let spans = 0;
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    spans += Buffer.concat(chunks).toString("utf8").split('"spanId"').length - 1;
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
await new Promise<void>((resolve) => void collector.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const site = await servePages((target) => generatePage(target, 1_000));
const folders = [createTemporaryFolder(), createTemporaryFolder()] as const;
const settings = { QUARRY_RATE_LIMIT: "0" };
const off = await startService(port, folders[0].folder, settings);
const on = await startService(port + 1, folders[1].folder, {
  ...settings,
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
});

/** Scrapes the pages of a round; the server's CPU milliseconds for it. */
async function load(service: RunningService, round: number): Promise<number> {
  const before = measureCpuMs(service.pid);
  let next = 0;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (next < PAGES) {
        const page = `${site.url}/${round}/${next}`;
        next += 1;
        const response = await fetch(`${service.base}/v2/scrape`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${BENCH_KEY}` },
          body: JSON.stringify({ url: page, maxAge: 0 }),
        });
        if (response.status !== 200) throw new Error(await response.text());
        await response.arrayBuffer();
      }
    }),
  );
  return measureCpuMs(service.pid) - before;
}

const sums = { without: 0, traced: 0, wallMs: 0 };
try {
  await Promise.all([off, on].map(waitUntilReady));
  await Promise.all([load(off, 0), load(on, 0)]);
  for (let round = 1; round <= ROUNDS; round++) {
    spans = 0;
    const from = performance.now();
    const [without, traced] = await Promise.all([load(off, round), load(on, round)]);
    const wallMs = performance.now() - from;
    print({
      bench: "tracing",
      pages: PAGES,
      pagesPerSecond: Math.round((PAGES * 1_000) / wallMs),
      cpuMsPerPage: [without / PAGES, traced / PAGES],
      shareOfCore: (traced - without) / wallMs,
      shareOfPages: (traced - without) / without,
      spans,
    });
    sums.without += without;
    sums.traced += traced;
    sums.wallMs += wallMs;
  }
  const extraMs = sums.traced - sums.without;
  print({
    bench: "tracing",
    rounds: ROUNDS,
    shareOfCore: extraMs / sums.wallMs,
    shareOfPages: extraMs / sums.without,
  });
} finally {
  await Promise.all([off.stop(), on.stop()]);
  site.close();
  collector.close();
  for (const folder of folders) folder.remove();
}
