// Processes that parse documents. A hostile file costs at most its process, which is replaced:
// memory and time are bounded, and it has neither the settings nor the keys of the service.
import { type ChildProcess, fork } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ParsedFile } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import { InternalError, TargetError } from "../errors.ts";
import {
  type FromProcess,
  OUT_OF_MEMORY_EXIT_CODE,
  type ParseProgress,
  type ParseWork,
  type ToProcess,
} from "./protocol.ts";
import { makeScratchFolder } from "../store/database/scratch-folders.ts";
import { buildCompileCacheEnvironment } from "../runtime/compile-cache.ts";
import { Semaphore } from "../semaphore.ts";

export type DocumentPool = {
  /**
   * Parses one file in a process. Rejects with the file's error, with SCRAPE_TIMEOUT at the
   * deadline, and with SCRAPE_UNSUPPORTED_FILE_ERROR for a file that needs too much memory or
   * crashes its process.
   */
  parse(
    work: ParseWork,
    deadline: Deadline,
    onProgress?: (progress: ParseProgress) => void,
  ): Promise<ParsedFile>;
  close(): Promise<void>;
};

export type DocumentPoolOptions = {
  readonly processes: number;
  /** Memory limit of one process, including code. */
  readonly memoryMiB: number;
  /** Idle time before a process ends, in ms. */
  readonly idleMs?: number;
};

const ENTRY = fileURLToPath(new URL("./process.ts", import.meta.url));
const IDLE_MS = 30_000;
/** JavaScript heap as a share of the limit. */
const HEAP_SHARE = 0.6;

type Worker = {
  readonly child: ChildProcess;
  /**
   * Scratch folder of the libraries. It is removed with the process, even if that is killed during
   * a file.
   */
  readonly scratch: string;
  idle: NodeJS.Timeout | undefined;
  retired: boolean;
};

type Task = {
  readonly work: ParseWork;
  readonly askedAt: number;
  readonly deadline: Deadline;
  readonly onProgress: ((progress: ParseProgress) => void) | undefined;
};

export function createDocumentPool(options: DocumentPoolOptions): DocumentPool {
  return new Pool(options);
}

class Pool implements DocumentPool {
  readonly #options: DocumentPoolOptions;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  /** As many concurrent files as processes, FIFO. */
  readonly #semaphore: Semaphore;
  #closed = false;

  constructor(options: DocumentPoolOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.processes);
  }

  async parse(
    work: ParseWork,
    deadline: Deadline,
    onProgress?: (progress: ParseProgress) => void,
  ): Promise<ParsedFile> {
    const askedAt = Date.now();
    return await this.#semaphore.run(async () => {
      deadline.check();
      if (this.#closed) throw new InternalError("The service is closing.");
      return await this.#run(this.#take(), { work, askedAt, deadline, onProgress });
    }, deadline);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const ends = [...this.#all].map(
      ({ child }) => new Promise<void>((resolve) => void child.once("exit", () => resolve())),
    );
    for (const worker of this.#all) end(worker);
    await Promise.all(ends);
  }

  #take(): Worker {
    const worker = this.#idle.pop() ?? this.#start();
    clearTimeout(worker.idle);
    return worker;
  }

  #start(): Worker {
    const scratch = makeScratchFolder("document");
    const child = fork(ENTRY, [], {
      env: { TMPDIR: scratch, TEMP: scratch, TMP: scratch, ...buildCompileCacheEnvironment() },
      execArgv: [
        `--max-old-space-size=${Math.round(this.#options.memoryMiB * HEAP_SHARE)}`,
        "--disable-warning=ExperimentalWarning",
      ],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const worker: Worker = { child, scratch, idle: undefined, retired: false };
    this.#all.add(worker);
    child.once("exit", () => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      clearTimeout(worker.idle);
      rmSync(worker.scratch, { recursive: true, force: true });
    });
    return worker;
  }

  async #run(worker: Worker, { work, askedAt, deadline, onProgress }: Task): Promise<ParsedFile> {
    const { memoryMiB } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<ParsedFile>();
    const { child } = worker;
    const onMessage = (message: FromProcess): void => {
      if (message.kind === "ready") return;
      if (message.kind === "progress") return onProgress?.(message);
      if (message.kind === "failed") return reject(restoreError(message.error));
      if (message.isSpent) worker.retired = true;
      resolve(message.file);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
      reject(describeExit(code, signal, memoryMiB));
    const onAbort = (): void => {
      end(worker);
      reject(deadline.signal.reason);
    };
    child.on("message", onMessage);
    child.once("exit", onExit);
    child.once("error", onExit.bind(undefined, null, null));
    deadline.signal.addEventListener("abort", onAbort, { once: true });
    try {
      child.send({ work, askedAt, memoryMiB } satisfies ToProcess, (error) => {
        // A process that accepts no messages is about to report the reason by its exit code.
        if (error !== null) child.kill("SIGKILL");
      });
      return await promise;
    } finally {
      child.off("message", onMessage);
      child.off("exit", onExit);
      child.removeAllListeners("error");
      child.on("error", () => undefined);
      deadline.signal.removeEventListener("abort", onAbort);
      this.#release(worker);
    }
  }

  #release(worker: Worker): void {
    if (worker.retired || this.#closed || !this.#all.has(worker)) return end(worker);
    this.#idle.push(worker);
    worker.idle = setTimeout(() => end(worker), this.#options.idleMs ?? IDLE_MS);
    worker.idle.unref();
  }
}

function end(worker: Worker): void {
  worker.retired = true;
  clearTimeout(worker.idle);
  worker.child.kill("SIGKILL");
}

/** V8 ends a process with a full heap by one of these signals. */
const HEAP_FULL: ReadonlySet<string | null> = new Set(["SIGABRT", "SIGTRAP"]);

function describeExit(
  code: number | null,
  signal: NodeJS.Signals | null,
  memoryMiB: number,
): TargetError {
  const why =
    code === OUT_OF_MEMORY_EXIT_CODE || HEAP_FULL.has(signal)
      ? `parsing exceeds the memory limit of ${memoryMiB} MiB`
      : "it crashed its parser process";
  return new TargetError("SCRAPE_UNSUPPORTED_FILE_ERROR", `The document cannot be read: ${why}.`);
}

function restoreError(error: { code: TargetError["code"]; message: string }): Error {
  if (error.code === "UNKNOWN_ERROR")
    return new InternalError("A document could not be parsed.", {
      cause: new Error(error.message),
    });
  return new TargetError(error.code, error.message);
}
