// Threads that derive formats. A page that is too hostile costs a thread, which is replaced, and nothing else:
// the deadline ends the work by ending the thread, and each thread has its own memory limit. Large pages have threads of
// their own, made when one comes: the others neither wait behind them nor keep the memory they needed. An ordinary page that
// turns out to need much memory is done again there. Small ones need no thread at all.
import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Deadline } from "../deadline.ts";
import { InternalError, QuarryError, TargetError } from "../errors.ts";
import type { DeriveInput, Derived } from "./derivation.ts";
import { SmallPages } from "./small-pages.ts";
import { limitThreads } from "./thread-limits.ts";
import { Turns } from "./turns.ts";

export type FormatPool = {
  /**
   * Computes the formats of one capture, in a thread unless it is small. Rejects with SCRAPE_TIMEOUT when the deadline
   * passes. Lines take turns: one for each job, say.
   */
  derive(input: DeriveInput, deadline: Deadline, line?: string): Promise<Derived>;
  /**
   * Starts the threads, so that the first page does not pay for it. Resolves at once after they have started: busy threads
   * are load, not a fault, so readiness must not wait for one of them to be free.
   */
  warm(): Promise<void>;
  close(): Promise<void>;
};

export type FormatPoolOptions = {
  /**
   * Threads for ordinary pages. 0 leaves one of the CPUs that the container may use to the main thread, and takes one where
   * there is no other. There is one more while a page takes long.
   */
  readonly threads: number;
  /** Milliseconds after which a page takes long. */
  readonly longMs?: number;
  /** Old-generation heap that one page may need, in MiB; less in a small container. */
  readonly memoryMiB: number;
  /** Heap of a thread for ordinary pages in MiB. The more a thread may use, the later V8 cleans up and the more it keeps. */
  readonly ordinaryMiB?: number;
};

/**
 * Bodies above this many bytes go to a thread for large pages. Its code is cold: a page of 2.5 MB costs it 2.4 s of CPU, a
 * warm thread a fifth of that, so only what would hold the others up for long is worth it.
 */
const LARGE_BYTES = 4 * 1024 * 1024;
/**
 * A page that takes so long has its thread for itself: one more takes what follows. With few threads the code of each is warm
 * sooner and fewer heaps are kept (docs/performance.md); with none to spare one page would hold up all others. Starting one
 * costs half a second of CPU, so that what a page takes in code that is not warm yet is no reason.
 */
const LONG_MS = 1_000;
/** How long a thread beyond those that are always there waits for another page. */
const IDLE_MS = 10_000;
/**
 * MiB of a thread that hold what was made a moment ago, three times what V8 calls a semi-space. With half of it the tree of a
 * page lives longer than its share and is moved about. Twice as much saves a tenth of the CPU, but what is moved at once may
 * then be more than V8 grants a thread beyond its limit, and the whole process ends instead of the thread.
 */
const YOUNG_MIB = 48;
const ORDINARY_MIB = 384;

export function createFormatPool(options: FormatPoolOptions): FormatPool {
  const threads = options.threads === 0 ? Math.max(1, availableParallelism() - 1) : options.threads;
  const aside = { places: 1, afterMs: options.longMs ?? LONG_MS };
  const max = threads + aside.places;
  const limits = limitThreads({
    threads,
    ordinaryMiB: options.ordinaryMiB ?? ORDINARY_MIB,
    largeMiB: options.memoryMiB,
    largeThreads: max,
  });
  const { ordinaryMiB, largeMiB: memoryMiB } = limits;
  let startedOrdinary: Pool | undefined;
  let startedLarge: Pool | undefined;
  const large = (): Pool =>
    (startedLarge ??= startThreads({ min: 0, max: limits.largeThreads, memoryMiB }));
  const ordinary = (): Pool =>
    (startedOrdinary ??= startThreads({
      min: threads,
      max,
      memoryMiB: ordinaryMiB,
    }));

  let isWarm = false;
  const smallPages = new SmallPages();
  const turns = { ordinary: new Turns(threads, aside), large: new Turns(threads, aside) };
  const runLarge = (input: DeriveInput, signal: AbortSignal, line?: string): Promise<Derived> =>
    turns.large.run(signal, () => handOver(large(), input, signal), line);

  async function run(input: DeriveInput, signal: AbortSignal, line?: string): Promise<Derived> {
    signal.throwIfAborted();
    const small = smallPages.convert(input);
    if (small !== undefined) return small;
    if (input.body.byteLength > LARGE_BYTES) return await runLarge(input, signal, line);
    try {
      return await turns.ordinary.run(signal, () => handOver(ordinary(), input, signal), line);
    } catch (cause) {
      if (!isOutOfMemory(cause) || memoryMiB <= ordinaryMiB) throw cause;
      return await runLarge(input, signal, line);
    }
  }

  return {
    async derive(input, deadline, line) {
      try {
        return await run(input, deadline.signal, line);
      } catch (cause) {
        deadline.check();
        if (cause instanceof QuarryError) throw cause;
        if (isOutOfMemory(cause)) {
          throw new TargetError(
            "SCRAPE_RESPONSE_TOO_LARGE",
            `The page needs more memory to convert than the ${memoryMiB} MiB a page may use.`,
            { cause },
          );
        }
        throw new InternalError("The page could not be converted.", { cause });
      }
    },
    async warm() {
      if (isWarm) return;
      await Promise.all(Array.from({ length: threads }, () => ordinary().run(IDLE)));
      isWarm = true;
    },
    async close() {
      await Promise.all([startedOrdinary?.destroy(), startedLarge?.destroy()]);
    },
  };
}

type Pool = Piscina<DeriveInput, Derived>;

function startThreads(size: { min: number; max: number; memoryMiB: number }): Pool {
  return new Piscina<DeriveInput, Derived>({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: size.min,
    maxThreads: size.max,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    // A thread that waits in its event loop gives memory back; one that waits in Atomics.wait cannot.
    atomics: "disabled",
    resourceLimits: {
      maxOldGenerationSizeMb: size.memoryMiB,
      maxYoungGenerationSizeMb: YOUNG_MIB,
    },
    recordTiming: false,
  });
}

/**
 * The thread gets a copy of the body as its own: in a message it would be copied twice. The caller still has its bytes, for the
 * cache or for another thread.
 */
function handOver(pool: Pool, input: DeriveInput, signal: AbortSignal): Promise<Derived> {
  const body = new Uint8Array(input.body);
  return pool.run({ ...input, body }, { signal, transferList: [body.buffer] });
}

/** A page that costs nothing. */
const IDLE: DeriveInput = {
  body: new TextEncoder().encode("<title>warm</title><p>warm</p>"),
  text: true,
  contentType: "text/html; charset=utf-8",
  mimeType: "text/html",
  url: "http://localhost/",
  formats: [{ type: "markdown" }],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  explain: false,
  discover: false,
  linkHeader: "",
};

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
}
