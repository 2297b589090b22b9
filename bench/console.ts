// Measures the console: first paint and transferred bytes of cold loads, and the memory that the server keeps after the first one
// (heapUsed + external after gc). Prints JSON lines.  node bench/console.ts [--loads=5]
import { fork } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import process from "node:process";
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

async function measure(): Promise<void> {
  const data = createTemporaryFolder();
  const child = fork(import.meta.filename, [`--serve=${data.folder}`], {
    execArgv: ["--expose-gc"],
  });
  endWithParent(child);
  const receive = async <Value>(): Promise<Value> => (await once(child, "message"))[0] as Value;
  const measureServer = async (): Promise<number> => {
    child.send("memory");
    return await receive<number>();
  };
  const url = await receive<string>();
  await using browser = await launchTestBrowser();
  const paints: number[] = [];
  // An answered request before the console, so that only the console is new.
  await fetch(`${url}/v2/capabilities`);
  const before = await measureServer();
  for (let load = 1; load <= Number(readArgument("loads", "5")); load++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("h1").first().waitFor();
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    const entries = JSON.parse(
      await page.evaluate(() => JSON.stringify(performance.getEntries())),
    ) as readonly { name: string; startTime: number; transferSize?: number }[];
    const readMs = (name: string): number =>
      Math.round(entries.find((one) => one.name === name)?.startTime ?? Number.NaN);
    const bytes = entries.reduce((sum, { transferSize = 0 }) => sum + transferSize, 0);
    paints.push(readMs("first-paint"));
    print({
      bench: "console-load",
      load,
      firstPaintMs: readMs("first-paint"),
      firstContentfulPaintMs: readMs("first-contentful-paint"),
      transferredKb: Math.round(bytes / 1_024),
      systemLoad: os.loadavg()[0]?.toFixed(1),
    });
    await context.close();
  }
  const after = await measureServer();
  print({
    bench: "console",
    firstPaintMedianMs: Math.round(computeQuantile(paints, 0.5)),
    memoryBeforeMb: Number(before.toFixed(1)),
    memoryAfterMb: Number(after.toFixed(1)),
    memoryGrowthMb: Number((after - before).toFixed(1)),
  });
  child.send("end");
  await once(child, "exit");
  data.remove();
}

const folder = readArgument("serve");
await (folder === "" ? measure() : serve(folder));
