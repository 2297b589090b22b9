// Limits for concurrent pages and browser lifetime.
import { availableParallelism } from "node:os";
import { readContainerMemoryBytes } from "../runtime/container-memory.ts";

export type PoolLimits = {
  /** Open pages, those that wait for the next URL of their job included. */
  readonly pages: number;
  /** Contexts that one browser process serves before it is replaced. */
  readonly maxContexts: number;
  /** URLs of one job and site that one context serves, one after the other. */
  readonly maxVisits: number;
  readonly maxAgeMs: number;
  /** Private memory of all its processes, in bytes. */
  readonly maxMemoryBytes: number;
  /**
   * Private memory of one renderer, in bytes: a script can fill the machine's memory within
   * seconds.
   */
  readonly maxPageBytes: number;
  /** Private memory of the renderers of all browsers, in bytes. Above it the largest is ended. */
  readonly maxTotalBytes: number;
  /** Idle time after which the browser ends. */
  readonly idleMs: number;
};

/** Memory of the service and an idle browser, and per page. */
const BASE_BYTES = 700 * 2 ** 20;
const PAGE_BYTES = 250 * 2 ** 20;
const PAGES_PER_CPU = 2;
// A page of 30 MB of plain text takes 2 GiB during layout.
const MAX_PAGE_BYTES = 2_304 * 2 ** 20;

/** Limits of a pool for this many concurrent pages. */
export const computePoolLimits = (pages: number): PoolLimits => ({
  pages,
  maxContexts: 400,
  maxVisits: 50,
  maxAgeMs: 30 * 60_000,
  maxMemoryBytes: 1_536 * 2 ** 20,
  maxPageBytes: Math.min(MAX_PAGE_BYTES, readContainerMemoryBytes() / 2),
  // One page of maximum size and others of typical size; the rest of the container is for the
  // service.
  maxTotalBytes: Math.min(
    MAX_PAGE_BYTES + (pages - 1) * PAGE_BYTES,
    readContainerMemoryBytes() / 2,
  ),
  idleMs: 3 * 60_000,
});

/**
 * Returns the concurrent pages that this container's CPUs and memory can hold (Node reads both from
 * its cgroup), at least one.
 */
export function countSlots(
  cpus = availableParallelism(),
  memoryBytes = readContainerMemoryBytes(),
): number {
  const byMemory = Math.floor((memoryBytes - BASE_BYTES) / PAGE_BYTES);
  return Math.max(1, Math.min(cpus * PAGES_PER_CPU, byMemory));
}
