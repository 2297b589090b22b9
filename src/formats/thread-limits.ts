import { containerMemoryBytes } from "../runtime/container-memory.ts";

export type ThreadLimits = {
  /** Heap of a thread for ordinary pages, MiB. */
  readonly ordinaryMiB: number;
  /** Heap of a thread for large pages, MiB. */
  readonly largeMiB: number;
  /** Maximum concurrent threads for large pages. */
  readonly largeThreads: number;
};

export type ThreadRequest = {
  readonly threads: number;
  /** As configured, MiB. */
  readonly ordinaryMiB: number;
  readonly largeMiB: number;
  readonly largeThreads: number;
};

/** Shares of the container. The rest is for the main thread, page bodies and the database. */
const LARGE_SHARE = 0.3;
const ALL_LARGE_SHARE = 0.5;
const ORDINARY_SHARE = 0.4;
/** Smaller heaps cannot convert a typical page. */
const MIN_LARGE_MIB = 128;
const MIN_ORDINARY_MIB = 96;

/**
 * Reduces the configured limits to what the container can hold. A page that needs more is refused,
 * and the process survives.
 */
export function limitThreads(
  request: ThreadRequest,
  containerBytes = containerMemoryBytes(),
): ThreadLimits {
  const containerMiB = containerBytes / 2 ** 20;
  const most = (share: number, min: number): number =>
    Math.max(min, Math.floor(containerMiB * share));
  const largeMiB = Math.min(request.largeMiB, most(LARGE_SHARE, MIN_LARGE_MIB));
  const ordinaryMiB = Math.min(
    request.ordinaryMiB,
    largeMiB,
    most(ORDINARY_SHARE / request.threads, MIN_ORDINARY_MIB),
  );
  const carried = Math.max(1, Math.floor((containerMiB * ALL_LARGE_SHARE) / largeMiB));
  return { ordinaryMiB, largeMiB, largeThreads: Math.min(request.largeThreads, carried) };
}
