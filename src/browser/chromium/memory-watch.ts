// Watches the memory of renderers while pages are open, more often when it grows fast, because a
// script can allocate gigabytes within a second.
import type { BrowserProcess, MeasuredProcess } from "./browser-process.ts";
import type { PoolLimits } from "../pool-limits.ts";

type MemoryLimits = Pick<PoolLimits, "maxPageBytes" | "maxTotalBytes">;

/** A renderer or browser to end, and the exceeded limit. */
export type MemoryVerdict = { readonly pid: number; readonly limit: "page" | "total" };

const MAX_POLL_MS = 500;
const MIN_POLL_MS = 30;

/**
 * Returns the processes to end: each that is too large alone, then the largest until the rest fits.
 */
export function selectProcessesToEnd(
  processes: readonly MeasuredProcess[],
  { maxPageBytes, maxTotalBytes }: MemoryLimits,
): MemoryVerdict[] {
  const limited = processes.filter(({ type }) => type === "renderer" || type === "browser");
  const ended: MemoryVerdict[] = [];
  let total = 0;
  const rest: MeasuredProcess[] = [];
  for (const each of limited) {
    if (each.bytes > maxPageBytes) ended.push({ pid: each.id, limit: "page" });
    else {
      total += each.bytes;
      if (each.type === "renderer") rest.push(each);
    }
  }
  rest.sort((a, b) => a.bytes - b.bytes);
  while (total > maxTotalBytes) {
    const largest = rest.pop();
    if (largest === undefined) break;
    ended.push({ pid: largest.id, limit: "total" });
    total -= largest.bytes;
  }
  return ended;
}

/** Assumed growth of a stable page, in bytes per millisecond. */
const MAX_GROWTH_BYTES_PER_MS = 2_000_000;

/**
 * Returns milliseconds until the next check: half the time until a limit is reached at current or
 * sudden growth.
 */
export function computeNextCheckMs(growthPerMs: number, headroomBytes: number): number {
  const growth = Math.max(growthPerMs, MAX_GROWTH_BYTES_PER_MS);
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, headroomBytes / growth / 2));
}

export class MemoryWatch {
  readonly #processes: () => Iterable<BrowserProcess>;
  readonly #limits: MemoryLimits;
  readonly #onEnded: (ended: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOn = false;
  #last = { at: 0, total: 0, largest: 0 };

  constructor(parts: {
    readonly processes: () => Iterable<BrowserProcess>;
    readonly limits: MemoryLimits;
    readonly onEnded: (ended: number) => void;
  }) {
    this.#processes = parts.processes;
    this.#limits = parts.limits;
    this.#onEnded = parts.onEnded;
  }

  /** Starts watching; call it for each page that opens, because a new page is checked soon. */
  start(): void {
    this.#isOn = true;
    this.#schedule(MIN_POLL_MS);
  }

  stop(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isOn) return;
    this.#timer = setTimeout(() => {
      void this.#check().then((nextMs) => this.#schedule(nextMs));
    }, ms);
    this.#timer.unref();
  }

  /** Resolves to the milliseconds until the next check. */
  async #check(): Promise<number> {
    const browsers = [...this.#processes()];
    const measured = await Promise.all(browsers.map((running) => running.measure()));
    const all = measured.flat();
    const verdicts = selectProcessesToEnd(all, this.#limits);
    for (const [at, running] of browsers.entries()) {
      const own = new Set(measured[at]?.map(({ id }) => id));
      for (const { pid, limit } of verdicts) if (own.has(pid)) running.endForMemory(pid, limit);
    }
    if (verdicts.length > 0) this.#onEnded(verdicts.length);
    const sizes = all.map(({ bytes }) => bytes);
    const now = {
      at: performance.now(),
      total: sizes.reduce((sum, bytes) => sum + bytes, 0),
      largest: Math.max(0, ...sizes),
    };
    const last = this.#last;
    this.#last = now;
    const ms = Math.max(1, now.at - last.at);
    const { maxPageBytes, maxTotalBytes } = this.#limits;
    return Math.min(
      computeNextCheckMs((now.total - last.total) / ms, Math.max(0, maxTotalBytes - now.total)),
      computeNextCheckMs(
        (now.largest - last.largest) / ms,
        Math.max(0, maxPageBytes - now.largest),
      ),
    );
  }
}
