// Measures parsing of files: `node bench/documents.ts FILE…`. Each file is parsed in a child
// process like in the service; prints pages, CPU and wall milliseconds per page, and peak memory
// (Linux).
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createOcrData } from "../src/documents/ocr-data.ts";
import { findOfficeKindByName } from "../src/documents/office/kinds.ts";
import type { FromProcess, ParseWork, ToProcess } from "../src/documents/protocol.ts";
import { measureCpuMs } from "./process-tree.ts";

const ENTRY = fileURLToPath(new URL("../src/documents/process.ts", import.meta.url));
const MAX_MEMORY_MIB = 4_096;
const { ocr } = await createOcrData(join(tmpdir(), "quarry-ocr"), ["en"]).prepare([]);

function toWork(path: string): ParseWork {
  const plain = { bytes: readFileSync(path), url: `http://localhost/${basename(path)}` };
  const format = findOfficeKindByName(path);
  if (format !== undefined) return { ...plain, budgetMs: 600_000, kind: "office", format };
  const how = { mode: "auto", maxPages: 10_000, ocr } as const;
  return { ...plain, budgetMs: 600_000, kind: "pdf", ...how };
}

/** Peak mebibytes of the process. */
const readPeakMiB = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

async function measure(path: string): Promise<string> {
  const child = fork(ENTRY, [], {
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const pid = child.pid ?? 0;
  let [started, before] = [0, 0];
  child.once("exit", () => reject(new Error(`${path} ended its process`)));
  child.on("message", (message: FromProcess) => {
    if (message.kind === "ready") {
      [started, before] = [performance.now(), measureCpuMs(pid)];
      child.send({
        work: toWork(path),
        askedAt: Date.now(),
        memoryMiB: MAX_MEMORY_MIB,
      } satisfies ToProcess);
    } else if (message.kind === "failed") resolve(`${basename(path)}: ${message.error.message}`);
    else if (message.kind === "parsed") {
      const pages = Math.max(1, message.file.pages.length);
      const each = (ms: number): string => (ms / pages).toFixed(1).padStart(8);
      const [wall, cpu] = [performance.now() - started, measureCpuMs(pid) - before];
      resolve(
        `${basename(path).padEnd(28)} ${String(pages).padStart(4)} pages ${each(cpu)} CPU ms ${each(wall)} ms a page, peak ${readPeakMiB(pid).toFixed(0)} MiB`,
      );
    }
  });
  try {
    return await promise;
  } finally {
    child.kill("SIGKILL");
  }
}

for (const path of process.argv.slice(2))
  process.stdout.write(`${await measure(path).catch((error: unknown) => String(error))}\n`);
