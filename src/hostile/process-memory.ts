// Samples the memory of a local process and its children from /proc (Linux).
import { readdirSync, readFileSync } from "node:fs";

const SAMPLE_MS = 250;

export type MemoryWatch = Disposable & {
  /** Highest sum in bytes since the last reset. */
  readonly getPeak: () => number;
  readonly reset: () => void;
};

/** Samples until disposed; undefined without /proc. */
export function watchMemory(pid: number): MemoryWatch | undefined {
  if (readMemory(pid) === undefined) return undefined;
  let peak = 0;
  const sample = (): void => {
    peak = Math.max(peak, readMemory(pid) ?? 0);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  timer.unref();
  return {
    getPeak() {
      sample();
      return peak;
    },
    reset: () => (peak = 0),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Proportional memory of the process and its descendants in bytes: shared pages count once. */
function readMemory(root: number): number | undefined {
  const children = new Map<number, number[]>();
  try {
    for (const name of readdirSync("/proc")) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      const stat = readText(`/proc/${pid}/stat`);
      const parent = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      if (stat !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
    }
  } catch {
    return undefined;
  }
  const own = readMemoryUse(root);
  if (own === undefined) return undefined;
  let sum = own;
  const pending = [...(children.get(root) ?? [])];
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    sum += readMemoryUse(pid) ?? 0;
    pending.push(...(children.get(pid) ?? []));
  }
  return sum;
}

function readMemoryUse(pid: number): number | undefined {
  const rollup = readText(`/proc/${pid}/smaps_rollup`);
  const match = /^Pss:\s+(\d+) kB$/m.exec(rollup ?? "");
  return match === null ? undefined : Number(match[1]) * 1024;
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
