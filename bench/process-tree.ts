// CPU time and memory of a process and its children, read from /proc (Linux only).
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";

const TICK_MS = 1000 / Number(execFileSync("getconf", ["CLK_TCK"]).toString());

type Row = {
  parent: number;
  /** With that of its ended children. */
  cpuMs: number;
  ownCpuMs: number;
  /** Distinguishes processes that had the same id. */
  startedAt: number;
};

function table(): Map<number, Row> {
  const rows = new Map<number, Row>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      rows.set(Number(name), {
        parent: Number(fields[1]),
        ownCpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
        startedAt: Number(fields[19]),
        cpuMs:
          (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) *
          TICK_MS,
      });
    } catch {
      continue; // it ended while we looked
    }
  }
  return rows;
}

function listTree(root: number): Array<[pid: number, row: Row]> {
  const rows = table();
  const found = new Set<number>([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const [pid, row] of rows) {
      if (found.has(row.parent) && !found.has(pid)) {
        found.add(pid);
        grew = true;
      }
    }
  }
  return [...rows].filter(([pid]) => found.has(pid));
}

/** Ids of the process and all its descendants. */
export const listPids = (root: number): number[] => listTree(root).map(([pid]) => pid);

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // it ended while we looked
  }
}

/** User and system CPU milliseconds so far of the living processes of the tree whose command matches. */
export const measureCommandCpuMs = (root: number, command: RegExp): number =>
  listTree(root)
    .filter(([pid]) => command.test(readCommand(pid)))
    .reduce((sum, [, row]) => sum + row.ownCpuMs, 0);

/** User and system CPU milliseconds of the tree so far. */
export function measureCpuMs(root: number): number {
  return listTree(root).reduce((sum, [, row]) => sum + row.cpuMs, 0);
}

/** CPU time of a tree whose processes come and go: Chromium does not collect its renderers' time. */
export class TreeCpu {
  readonly #seen = new Map<string, number>();

  /** Call it often; what a process used after the last call and before its end is lost. */
  sample(root: number, without: number): void {
    for (const [pid, { startedAt, ownCpuMs }] of listTree(root))
      if (pid !== without) this.#seen.set(`${pid} ${startedAt}`, ownCpuMs);
  }

  /** User and system CPU milliseconds so far. */
  sum(): number {
    return [...this.#seen.values()].reduce((sum, ms) => sum + ms, 0);
  }
}

/** CPU milliseconds of one process so far by what its threads do: the main one, those that convert pages, and Node's own (collecting garbage, compiling, reading files). */
export function cpuMsByThread(pid: number): Record<"main" | "conversion" | "node", number> {
  const sums = { main: 0, conversion: 0, node: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const isConversion = stat.includes("(WorkerThread)");
      const kind = thread === String(pid) ? "main" : isConversion ? "conversion" : "node";
      sums[kind] += (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      continue; // it ended while we looked
    }
  }
  return sums;
}

/** Proportional set size of the tree in MiB, and the number of processes. */
export function measureTreeMemory(root: number): { mib: number; processes: number } {
  const tree = listTree(root);
  const kib = tree.reduce((sum, [pid]) => sum + readSizeKib(pid), 0);
  return { mib: Math.round(kib / 1024), processes: tree.length };
}

/** The same by kind of process: this program, and Chromium's kinds as it names them ("browser", "renderer" …). */
export function memoryByKind(root: number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [pid] of listTree(root)) {
    const command = readText(`/proc/${pid}/cmdline`);
    const kind = command.includes("--headless")
      ? (/--type=([\w-]+)/.exec(command)?.[1] ?? "browser")
      : "node";
    sums[kind] = Math.round((sums[kind] ?? 0) + readSizeKib(pid) / 1024);
  }
  return sums;
}

/** In KiB; 0 for a process that ended while we looked. */
const readSizeKib = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

function readText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
