// How many pages at once, and when a browser has served long enough.
import { availableParallelism } from "node:os";
import { containerMemoryBytes } from "../runtime/container-memory.ts";

export type PoolLimits = {
  /** Contexts one browser process serves before the next takes over. */
  readonly maxContexts: number;
  readonly maxAgeMs: number;
  /** Private memory of all its processes, in bytes. */
  readonly maxMemoryBytes: number;
  /** Private memory of one renderer, in bytes: a script can fill that of the whole machine within seconds. */
  readonly maxPageBytes: number;
  /** Private memory of the renderers of all browsers together, in bytes: above it the largest is ended. */
  readonly maxTotalBytes: number;
  /** After this long without a page the browser ends. */
  readonly idleMs: number;
};

/** What the service itself and an idle browser take, and a page on top of them. */
const BASE_BYTES = 700 * 2 ** 20;
const PAGE_BYTES = 250 * 2 ** 20;
const PAGES_PER_CPU = 2;
// A page of 30 MB of plain text takes 2 GiB while it is laid out.
const MAX_PAGE_BYTES = 2_304 * 2 ** 20;

/** For so many pages at once. */
export const limitsOfPool = (pages: number): PoolLimits => ({
  maxContexts: 400,
  maxAgeMs: 30 * 60_000,
  maxMemoryBytes: 1_536 * 2 ** 20,
  maxPageBytes: Math.min(MAX_PAGE_BYTES, containerMemoryBytes() / 2),
  // One page of that size and the usual others; the rest of the container is for the service.
  maxTotalBytes: Math.min(MAX_PAGE_BYTES + (pages - 1) * PAGE_BYTES, containerMemoryBytes() / 2),
  idleMs: 3 * 60_000,
});

/** Pages at once that CPUs and memory of this container carry (Node reads both from its cgroup); at least one. */
export function countSlots(
  cpus = availableParallelism(),
  memoryBytes = containerMemoryBytes(),
): number {
  const byMemory = Math.floor((memoryBytes - BASE_BYTES) / PAGE_BYTES);
  return Math.max(1, Math.min(cpus * PAGES_PER_CPU, byMemory));
}
