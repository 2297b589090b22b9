// Compares the browser engine with bare Playwright on the same Chromium, alternating in one run:
// pages per second, CPU milliseconds per page (browser and this process), and memory. Bare means:
// new context, goto until load, content, close. node bench/browser.ts --pages=DIR [--n=40]
// [--concurrency=1,4,8] [--rounds=2] [--life=0] --life=N loads N pages through the engine and
// prints memory and processes along the way; with node --expose-gc after a garbage collection.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium, type Browser } from "playwright-core";
import { buildBrowserEngine } from "../test/browser/engine.ts";
import { testBrowserExecutable } from "../test/browser/launch.ts";
import { readArgument, listPages, print } from "./pages.ts";
import { measureCpuMs, memoryByKind, measureTreeMemory } from "./process-tree.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** Serves the site in a child process, so that its work is not counted. */
async function serveSite(folder: string): Promise<void> {
  const server = createServer((request, response) => {
    const file = path.join(folder, decodeURIComponent((request.url ?? "/").split("?")[0] ?? "/"));
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type }).end(readFileSync(file));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : undefined);
}

type Load = (url: string) => Promise<number>;

async function measure(load: Load, urls: readonly string[], concurrency: number, sitePid: number) {
  const cpu = (): number => measureCpuMs(process.pid) - measureCpuMs(sitePid);
  const before = cpu();
  const from = performance.now();
  let next = 0;
  let failures = 0;
  let bytes = 0;
  let peakMib = 0;
  const timer = setInterval(
    () => (peakMib = Math.max(peakMib, measureTreeMemory(process.pid).mib)),
    1_000,
  );
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < urls.length) {
        const url = urls[next++] ?? "";
        try {
          const size = await load(url);
          bytes += size;
        } catch (error) {
          failures += 1;
          if (failures === 1) process.stderr.write(`${String(error)}\n`);
        }
      }
    }),
  );
  clearInterval(timer);
  const wallMs = performance.now() - from;
  return { cpuMs: (cpu() - before) / urls.length, wallMs, failures, bytes, peakMib };
}

const createBareLoad =
  (browser: Browser): Load =>
  async (url) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "load" });
    const { length } = await page.content();
    await context.close();
    return length;
  };

const round = (value: number): number => Math.round(value * 10) / 10;

async function run(folder: string, files: readonly string[]): Promise<void> {
  const child = fork(import.meta.filename, ["--serve", `--pages=${folder}`]);
  const [port] = (await once(child, "message")) as [number];
  const sitePid = child.pid ?? 0;
  const count = Number(readArgument("n", "40"));
  const urls = Array.from(
    { length: count },
    (_, index) => `http://127.0.0.1:${port}/${files[(index * 7) % files.length] ?? ""}`,
  );
  const longRunPages = Number(readArgument("life", "0"));
  const engine = buildBrowserEngine({ slots: 8 });
  const ours: Load = async (url) => (await engine.capture({ url, blockAds: true })).text.length;
  const browser = await chromium.launch({
    executablePath: await testBrowserExecutable(),
    args: ["--disable-gpu"],
    chromiumSandbox: false,
  });
  const bare = createBareLoad(browser);
  try {
    if (longRunPages > 0) {
      await browser.close();
      await measureLongRun(ours, urls, { pages: longRunPages, sitePid });
      return;
    }
    await bare(urls[0] ?? "");
    await ours(urls[0] ?? "");
    for (const concurrency of readArgument("concurrency", "1,4,8").split(",").map(Number))
      for (let turn = 0; turn < Number(readArgument("rounds", "2")); turn++) {
        const one = await measure(bare, urls, concurrency, sitePid);
        const other = await measure(ours, urls, concurrency, sitePid);
        for (const [name, result] of [
          ["bare", one],
          ["engine", other],
        ] as const)
          print({
            name,
            concurrency,
            pages: count,
            failures: result.failures,
            pagesPerSecond: round((count * 1000) / result.wallMs),
            cpuMsPerPage: round(result.cpuMs),
            peakMib: result.peakMib,
            megabytes: round(result.bytes / 1e6),
          });
        print({
          concurrency,
          cpuOverBare: round((other.cpuMs / one.cpuMs) * 100) / 100,
          wallOverBare: round((other.wallMs / one.wallMs) * 100) / 100,
        });
      }
  } finally {
    await browser.close();
    await engine.close();
    child.kill();
  }
}

async function measureLongRun(
  load: Load,
  urls: readonly string[],
  { pages, sitePid }: { readonly pages: number; readonly sitePid: number },
): Promise<void> {
  let next = 0;
  let failures = 0;
  const step = Math.max(1, Math.floor(pages / 20));
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (next < pages) {
        const index = next++;
        await load(urls[index % urls.length] ?? "").catch(() => (failures += 1));
        if (index % step === 0) print(sample({ pages: index, failures, sitePid }));
      }
    }),
  );
  print(sample({ pages, failures, sitePid }));
}

function sample(at: {
  readonly pages: number;
  readonly failures: number;
  readonly sitePid: number;
}) {
  const { sitePid, ...counts } = at;
  globalThis.gc?.();
  const { mib, processes } = measureTreeMemory(process.pid);
  const site = measureTreeMemory(sitePid);
  const kinds = memoryByKind(process.pid);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    ...counts,
    mib: mib - site.mib,
    processes: processes - site.processes,
    ...kinds,
    node: (kinds["node"] ?? 0) - site.mib,
    heapMib: round(heapUsed / 2 ** 20),
    buffersMib: round(arrayBuffers / 2 ** 20),
  };
}

const { folder, files } = listPages();
if (process.argv.includes("--serve")) await serveSite(path.resolve(folder));
else await run(folder, files);
