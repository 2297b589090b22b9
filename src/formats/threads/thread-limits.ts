import { readContainerMemoryBytes } from "../../runtime/container-memory.ts";

export type ThreadLimits = {
  /** Heap of a thread for ordinary pages, MiB. */
  readonly ordinaryMiB: number;
  /** Heap of a thread for large pages, MiB. */
  readonly largeMiB: number;
  /** Maximum concurrent threads for large pages. */
  readonly largeThreads: number;
  /** Larger bodies are refused: their bytes are held twice beside the heap of the thread. */
  readonly maxBodyBytes: number;
};

export type ThreadRequest = {
  readonly threads: number;
  /** As configured, MiB. */
  readonly ordinaryMiB: number;
  readonly largeMiB: number;
  readonly largeThreads: number;
  /** MiB of a thread's young generation, beside its heap. */
  readonly youngMiB: number;
};

/** Shares of the container. The rest is for the main thread, page bodies and the database. */
const MAX_LARGE_SHARE = 0.3;
const MAX_ALL_LARGE_SHARE = 0.5;
const MAX_ORDINARY_SHARE = 0.4;
/**
 * MiB of the service with its embedded database and an idle browser, and the share of the rest for
 * one large page.
 */
const BASE_MIB = 420;
const REST_SHARE = 0.6;
/** Smaller heaps cannot convert a typical page. */
const MIN_LARGE_MIB = 128;
const MIN_ORDINARY_MIB = 96;
const MIN_BODY_MIB = 8;

/**
 * Reduces the configured limits to what the container can hold. A page that needs more is refused,
 * and the process survives.
 */
export function limitThreads(
  request: ThreadRequest,
  containerBytes = readContainerMemoryBytes(),
): ThreadLimits {
  const containerMiB = containerBytes / 2 ** 20;
  const restMiB = containerMiB - BASE_MIB;
  const max = (share: number, min: number): number =>
    Math.max(min, Math.floor(containerMiB * share));
  const largeMiB = Math.min(
    request.largeMiB,
    max(MAX_LARGE_SHARE, MIN_LARGE_MIB),
    Math.max(MIN_LARGE_MIB, Math.floor(restMiB * REST_SHARE)),
  );
  const ordinaryMiB = Math.min(
    request.ordinaryMiB,
    largeMiB,
    max(MAX_ORDINARY_SHARE / request.threads, MIN_ORDINARY_MIB),
  );
  const carried = Math.max(
    1,
    Math.floor(Math.min(containerMiB * MAX_ALL_LARGE_SHARE, restMiB) / largeMiB),
  );
  const bodyMiB = Math.max(MIN_BODY_MIB, (restMiB - largeMiB - request.youngMiB) / 2);
  return {
    ordinaryMiB,
    largeMiB,
    largeThreads: Math.min(request.largeThreads, carried),
    maxBodyBytes: Math.floor(bodyMiB) * 2 ** 20,
  };
}
