// Measures the console: first paint and transferred bytes of cold loads, and the memory that the server keeps after the first one
// (heapUsed + external after gc). With --against, another checkout is measured in turns, under the same load of the machine. Prints JSON
// lines.  node bench/console.ts [--loads=5] [--against=FOLDER]
import { fork } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import type { Browser } from "playwright-core";
import { createApp } from "../src/app.ts";
import { createTestConfig } from "../src/config.ts";
import { launchTestBrowser } from "../test/browser/launch.ts";
import { endWithParent } from "./end-with-parent.ts";
import { computeQuantile, print, readArgument } from "./pages.ts";
import { createTemporaryFolder } from "./service.ts";

/** Kept memory in MB. Collected twice: the first run only queues the release of external memory. */
async function measureMemory(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    (globalThis as { gc?: () => void }).gc?.();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** The server in a process of its own, which answers each message with its memory. */
async function serve(dataDir: string): Promise<void> {
  const app = await createApp(createTestConfig({ auth: false, port: 0, dataDir }));
  const url = await app.listen();
  await app.open();
  await app.warm();
  process.on("message", (word) => {
    if (word === "end") void app.close().then(() => process.exit(0));
    else void measureMemory().then((memory) => process.send?.(memory));
  });
  process.send?.(url);
}

/** A server of one checkout in a process of its own. */
async function startServer(name: string, script: string) {
  const data = createTemporaryFolder();
  const child = fork(script, [`--serve=${data.folder}`], { execArgv: ["--expose-gc"] });
  endWithParent(child);
  const receive = async <Value>(): Promise<Value> => (await once(child, "message"))[0] as Value;
  const url = await receive<string>();
  return {
    name,
    url,
    paints: [] as number[],
    async measureMemory(): Promise<number> {
      child.send("memory");
      return await receive<number>();
    },
    async close(): Promise<void> {
      child.send("end");
      await once(child, "exit");
      data.remove();
    },
  };
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** Loads the first screen in a new context of the browser, without its cache. */
async function loadOnce(browser: Browser, server: Server, load: number): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  const entries = JSON.parse(
    await page.evaluate(() => JSON.stringify(performance.getEntries())),
  ) as readonly { name: string; startTime: number; transferSize?: number }[];
  const readMs = (name: string): number =>
    Math.round(entries.find((one) => one.name === name)?.startTime ?? Number.NaN);
  const bytes = entries.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
  server.paints.push(readMs("first-contentful-paint"));
  print({
    bench: "console-load",
    checkout: server.name,
    load,
    firstPaintMs: readMs("first-paint"),
    firstContentfulPaintMs: readMs("first-contentful-paint"),
    transferredKb: Math.round(bytes / 1_024),
    systemLoad: os.loadavg()[0]?.toFixed(1),
  });
  await context.close();
}

async function measure(): Promise<void> {
  const other = readArgument("against");
  const scripts = [
    ["this", import.meta.filename],
    ...(other === "" ? [] : [["other", path.resolve(other, "bench/console.ts")]]),
  ] as const;
  const servers: (readonly [Server, number])[] = [];
  for (const [name = "", script = ""] of scripts) {
    const server = await startServer(name, script);
    // An answered request before the console, so that only the console is new.
    await fetch(`${server.url}/v2/capabilities`);
    servers.push([server, await server.measureMemory()]);
  }
  await using browser = await launchTestBrowser();
  for (let load = 1; load <= Number(readArgument("loads", "5")); load++)
    for (const [server] of servers) await loadOnce(browser, server, load);
  for (const [server, before] of servers) {
    const after = await server.measureMemory();
    print({
      bench: "console",
      checkout: server.name,
      firstContentfulPaintMedianMs: Math.round(computeQuantile(server.paints, 0.5)),
      memoryBeforeMb: Number(before.toFixed(1)),
      memoryAfterMb: Number(after.toFixed(1)),
      memoryGrowthMb: Number((after - before).toFixed(1)),
    });
    await server.close();
  }
}

const folder = readArgument("serve");
await (folder === "" ? measure() : serve(folder));
