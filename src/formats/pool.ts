// Threads that derive formats. A page that is too hostile costs a thread, which is replaced, and nothing else:
// the deadline ends the work by ending the thread, and each thread has its own memory limit. Large pages have threads of
// their own, made when one comes: the others neither wait behind them nor keep the memory they needed.
import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Deadline } from "../deadline.ts";
import { InternalError, QuarryError, TargetError } from "../errors.ts";
import type { DeriveInput, Derived } from "./derivation.ts";

export type FormatPool = {
  /** Computes the formats of one capture in a thread. Rejects with SCRAPE_TIMEOUT when the deadline passes. */
  derive(input: DeriveInput, deadline: Deadline): Promise<Derived>;
  /** Starts the threads, so that the first page does not pay for it. */
  warm(): Promise<void>;
  close(): Promise<void>;
};

export type FormatPoolOptions = {
  /** Threads for ordinary pages. 0 takes one per CPU the container may use, less one, which is left for all the rest. */
  readonly threads: number;
  /** Old-generation heap of one thread in MiB. */
  readonly memoryMiB: number;
};

/**
 * Bodies above this many bytes go to a thread for large pages. Its code is cold: a page of 2.5 MB costs it 2.4 s of CPU, a
 * warm thread a fifth of that, so only what would hold the others up for long is worth it.
 */
const LARGE_BYTES = 4 * 1024 * 1024;
/** How long a thread for large pages waits for another one. */
const LARGE_IDLE_MS = 10_000;
/**
 * MiB of a thread that hold what was made a moment ago. The default of V8 needs 100 MB more and saves no time; with
 * half of this, a tree lives longer than its share and is moved about.
 */
const YOUNG_MIB = 64;

export function createFormatPool(options: FormatPoolOptions): FormatPool {
  const { memoryMiB } = options;
  const threads = options.threads === 0 ? Math.max(1, availableParallelism() - 1) : options.threads;
  let ordinary: Pool | undefined;
  let large: Pool | undefined;
  const poolFor = (bytes: number): Pool =>
    bytes > LARGE_BYTES
      ? (large ??= startThreads({ min: 0, max: threads, memoryMiB }))
      : (ordinary ??= startThreads({ min: threads, max: threads, memoryMiB }));
  return {
    async derive(input, deadline) {
      try {
        return await poolFor(input.body.byteLength).run(input, { signal: deadline.signal });
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
      const pool = poolFor(IDLE.body.byteLength);
      await Promise.all(Array.from({ length: threads }, () => pool.run(IDLE)));
    },
    async close() {
      await Promise.all([ordinary?.destroy(), large?.destroy()]);
    },
  };
}

type Pool = Piscina<DeriveInput, Derived>;

function startThreads(size: { min: number; max: number; memoryMiB: number }): Pool {
  return new Piscina<DeriveInput, Derived>({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: size.min,
    maxThreads: size.max,
    idleTimeout: LARGE_IDLE_MS,
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
