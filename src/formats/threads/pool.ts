// Threads that derive formats. A hostile page costs at most its thread, which is replaced: the
// deadline terminates the thread, and each thread has its own memory limit. Large pages have
// separate threads, created on demand, so that others neither wait for them nor retain their
// memory. An ordinary page that needs more memory is retried there. Small pages need no thread.
import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { Deadline } from "../../deadline.ts";
import { InternalError, QuarryError, TargetError } from "../../errors.ts";
import type { DeriveInput, DerivedDocument } from "../derivation.ts";
import type { Notation } from "../../extractors/notation.ts";
import type {
  DescribeInput,
  LearnInput,
  LearnOutput,
  ReplayInput,
  ReplayOutput,
} from "./learn-extractor.ts";
import { SmallPages } from "./small-pages.ts";
import { limitThreads } from "./thread-limits.ts";
import { FairQueue } from "./fair-queue.ts";

export type FormatPool = {
  /**
   * Computes the formats of one capture, in a thread unless it is small. Rejects with
   * SCRAPE_TIMEOUT when the deadline passes. Queues are served in turn, for example one per job.
   */
  derive(input: DeriveInput, deadline: Deadline, line?: string): Promise<DerivedDocument>;
  /** Learns an extractor in a thread for large pages. Rejects like `derive`. */
  learn(input: LearnInput, deadline: Deadline): Promise<LearnOutput>;
  /** Replays the program whose template is closest to the page. Rejects like `derive`. */
  replay(input: ReplayInput, deadline: Deadline): Promise<ReplayOutput>;
  /** The page as a language model sees it, within a budget of tokens. Rejects like `derive`. */
  describe(input: DescribeInput, deadline: Deadline): Promise<Notation>;
  /** Starts the threads, so that the first page does not pay for it. Resolves once they have started. */
  warm(): Promise<void>;
  /**
   * Rejects if the threads failed to start; starts them again then. Threads that start or are busy
   * are no fault: pages wait for them.
   */
  check(): Promise<void>;
  close(): Promise<void>;
};

export type FormatPoolOptions = {
  /**
   * Threads for ordinary pages. 0 means all available CPUs but one, at least one. One more runs
   * while a page is slow.
   */
  readonly threads: number;
  /** Milliseconds after which a page counts as slow. */
  readonly longMs?: number;
  /** Old-generation heap per page, in MiB; less in a small container. */
  readonly memoryMiB: number;
  /**
   * Heap of an ordinary-page thread in MiB. With a higher limit V8 collects later and retains more.
   */
  readonly ordinaryMiB?: number;
  /**
   * True for a process that converts a few pages and ends: loading the code for a small page takes
   * less than starting a thread.
   */
  readonly isBrief?: boolean;
};

/**
 * Larger bodies, in bytes, go to a large-page thread. Its code is cold: a page of 2.5 MB costs it
 * 2.4 s of CPU, a fifth of that in a warm thread, so only pages that would block others for long
 * are worth it.
 */
const LARGE_BYTES = 4 * 1024 * 1024;
/**
 * After this time a page keeps its thread and another thread takes the next pages. With few threads
 * their code warms up sooner and fewer heaps are kept (docs/performance.md); without an extra
 * thread a single page would block all others. Starting a thread costs half a second of CPU, so the
 * threshold is above the cost of cold code.
 */
const SLOW_MS = 1_000;
/** Idle time before an extra thread ends. */
const IDLE_MS = 10_000;
/**
 * MiB of a thread's young generation, three times V8's semi-space. With half of it, the tree of a
 * page outlives it and is copied. Twice as much saves a tenth of the CPU, but a scavenge may then
 * exceed the thread's limit and end the whole process.
 */
const YOUNG_GENERATION_MIB = 48;
const ORDINARY_HEAP_MIB = 384;

export function createFormatPool(options: FormatPoolOptions): FormatPool {
  const threads = options.threads === 0 ? Math.max(1, availableParallelism() - 1) : options.threads;
  const overflow = { slots: 1, afterMs: options.longMs ?? SLOW_MS };
  const max = threads + overflow.slots;
  const limits = limitThreads({
    threads,
    ordinaryMiB: options.ordinaryMiB ?? ORDINARY_HEAP_MIB,
    largeMiB: options.memoryMiB,
    largeThreads: max,
    youngMiB: YOUNG_GENERATION_MIB,
  });
  const { ordinaryMiB, largeMiB: memoryMiB, maxBodyBytes } = limits;
  let startedOrdinary: Pool | undefined;
  let startedLarge: Pool | undefined;
  const getLargePool = (): Pool =>
    (startedLarge ??= startThreads({ min: 0, max: limits.largeThreads, memoryMiB }));
  const getOrdinaryPool = (): Pool =>
    (startedOrdinary ??= startThreads({
      min: threads,
      max,
      memoryMiB: ordinaryMiB,
    }));

  let warming: Promise<void> | undefined;
  let startFailure: unknown;
  const smallPages = new SmallPages();
  const queues = {
    ordinary: new FairQueue(threads, overflow),
    large: new FairQueue(threads, overflow),
  };
  const runLarge = (
    input: DeriveInput,
    signal: AbortSignal,
    line?: string,
  ): Promise<DerivedDocument> =>
    queues.large.run(signal, () => runInThread(getLargePool(), input, signal), line);

  async function run(
    input: DeriveInput,
    signal: AbortSignal,
    line?: string,
  ): Promise<DerivedDocument> {
    signal.throwIfAborted();
    if (options.isBrief === true) await smallPages.loadFor(input);
    const small = smallPages.convert(input);
    if (small !== undefined) return small;
    if (input.body.byteLength > maxBodyBytes)
      throw createTooLargeError(input.body.byteLength, maxBodyBytes);
    if (input.body.byteLength > LARGE_BYTES) return await runLarge(input, signal, line);
    try {
      return await queues.ordinary.run(
        signal,
        () => runInThread(getOrdinaryPool(), input, signal),
        line,
      );
    } catch (cause) {
      if (!isOutOfMemory(cause) || memoryMiB <= ordinaryMiB) throw cause;
      return await runLarge(input, signal, line);
    }
  }

  /** Runs another function of the worker, where large pages are converted. */
  const runNamed = async <T>(name: string, input: object, { signal }: Deadline): Promise<T> =>
    await queues.large.run(signal, async () => {
      const output: unknown = await getLargePool().run(input as never, { name, signal });
      return output as T;
    });

  async function translateErrors<T>(deadline: Deadline, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      deadline.check();
      if (cause instanceof QuarryError) throw cause;
      if (isOutOfMemory(cause)) {
        throw new TargetError(
          "SCRAPE_RESPONSE_TOO_LARGE",
          `Converting the page exceeds the memory limit of ${memoryMiB} MiB.`,
          { cause },
        );
      }
      throw new InternalError("The page could not be converted.", { cause });
    }
  }

  const startAll = async (): Promise<void> => {
    try {
      await Promise.all(Array.from({ length: threads }, () => getOrdinaryPool().run(IDLE)));
      startFailure = undefined;
    } catch (error) {
      startFailure = error;
      warming = undefined;
      throw error;
    }
  };
  const warm = (): Promise<void> => (warming ??= startAll());

  return {
    derive: (input, deadline, line) =>
      translateErrors(deadline, () => run(input, deadline.signal, line)),
    learn: (input, deadline) =>
      translateErrors(deadline, () => runNamed<LearnOutput>("learnExtractor", input, deadline)),
    replay: (input, deadline) =>
      translateErrors(deadline, () => runNamed<ReplayOutput>("replayPrograms", input, deadline)),
    describe: (input, deadline) =>
      translateErrors(deadline, () => runNamed<Notation>("describePage", input, deadline)),
    warm,
    async check() {
      const failure = startFailure;
      warm().catch(() => undefined);
      if (failure !== undefined) throw failure;
    },
    async close() {
      await Promise.all([startedOrdinary?.destroy(), startedLarge?.destroy()]);
    },
  };
}

const createTooLargeError = (bytes: number, maxBytes: number): TargetError =>
  new TargetError(
    "SCRAPE_RESPONSE_TOO_LARGE",
    `The page has ${Math.ceil(bytes / 2 ** 20)} MiB; the memory of this server holds pages of up to ${maxBytes / 2 ** 20} MiB.`,
  );

type Pool = Piscina<DeriveInput, DerivedDocument>;

function startThreads(size: { min: number; max: number; memoryMiB: number }): Pool {
  return new Piscina<DeriveInput, DerivedDocument>({
    filename: new URL("./worker.ts", import.meta.url).href,
    minThreads: size.min,
    maxThreads: size.max,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
    // A thread that waits in its event loop returns memory; one that waits in Atomics.wait cannot.
    atomics: "disabled",
    resourceLimits: {
      maxOldGenerationSizeMb: size.memoryMiB,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB,
    },
    recordTiming: false,
  });
}

/**
 * Copies the body once and transfers it to the thread, because a message would copy it twice. The
 * caller keeps its bytes for the cache or for another thread.
 */
function runInThread(
  pool: Pool,
  input: DeriveInput,
  signal: AbortSignal,
): Promise<DerivedDocument> {
  const body = new Uint8Array(input.body);
  return pool.run({ ...input, body }, { signal, transferList: [body.buffer] });
}

/** A page without any work. */
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
