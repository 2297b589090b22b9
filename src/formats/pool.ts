// Threads that derive formats. A page that is too hostile costs a thread, which is replaced, and nothing else:
// the deadline ends the work by ending the thread, and each thread has its own memory limit.
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
  /** 0 takes one per CPU the container may use. */
  readonly threads: number;
  /** Old-generation heap of one thread in MiB. */
  readonly memoryMiB: number;
};

export function createFormatPool(options: FormatPoolOptions): FormatPool {
  let pool: Piscina<DeriveInput, Derived> | undefined;
  const threads = options.threads === 0 ? availableParallelism() : options.threads;
  const started = (): Piscina<DeriveInput, Derived> => {
    pool ??= new Piscina<DeriveInput, Derived>({
      filename: new URL("./worker.ts", import.meta.url).href,
      minThreads: threads,
      maxThreads: threads,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMiB },
      recordTiming: false,
    });
    return pool;
  };
  return {
    async derive(input, deadline) {
      try {
        return await started().run(input, { signal: deadline.signal });
      } catch (cause) {
        deadline.check();
        if (cause instanceof QuarryError) throw cause;
        if (isOutOfMemory(cause)) {
          throw new TargetError(
            "SCRAPE_RESPONSE_TOO_LARGE",
            `The page needs more memory to convert than the ${options.memoryMiB} MiB a page may use.`,
            { cause },
          );
        }
        throw new InternalError("The page could not be converted.", { cause });
      }
    },
    async warm() {
      const idle: DeriveInput = {
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
      const pool = started();
      await Promise.all(Array.from({ length: threads }, () => pool.run(idle)));
    },
    async close() {
      await pool?.destroy();
    },
  };
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY";
}
