// Runs untrusted code against one browser context: a WebAssembly interpreter in its own thread,
// with the bridge as its only exit. An endless loop is stopped by interrupting the interpreter,
// then by ending the thread.
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import type { BrowserContext, Page } from "playwright-core";
import { RequestError } from "../errors.ts";
import { buildCompileCacheEnvironment } from "../runtime/compile-cache.ts";
import { Bridge } from "./bridge.ts";
import { compileMachine } from "./machine.ts";
import type { ThreadStart, ToOwner, ToThread } from "./messages.ts";
import { BOUNDS, FAILED_EXIT_CODE, TIMED_OUT_EXIT_CODE, type Outcome } from "./outcome.ts";

type Thread = {
  readonly worker: Worker;
  /** Settles once it takes code, or has ended. */
  readonly ready: Promise<void>;
  readonly answers: MessagePort;
  readonly signal: Int32Array;
};

type FromCode = Exclude<ToOwner, { kind: "ready" }>;

type Run = {
  stdout: string;
  stderr: string;
  readonly timeoutMs: number;
  readonly end: (outcome: Outcome) => void;
};

/**
 * One session's interpreter. Names persist between runs. The caller closes it; context and page
 * stay open.
 */
export class Sandbox implements AsyncDisposable {
  readonly #bridge: Bridge;
  readonly #threadModule: URL;
  #thread: Thread | undefined;
  #run: Run | undefined;
  #closed = false;

  /**
   * Code answers requests for documents only where `mayVisit` allows it; undefined allows all.
   * `threadModule` is what the thread runs.
   */
  constructor(
    context: BrowserContext,
    page: Page,
    mayVisit?: (url: URL) => boolean,
    threadModule = new URL("./thread.ts", import.meta.url),
  ) {
    this.#threadModule = threadModule;
    const onEvent = (json: string): void => this.#postMessage({ kind: "event", json });
    this.#bridge = new Bridge(context, page, onEvent, mayVisit);
  }

  /**
   * Runs code for at most `timeoutMs` and returns the outcome; failing code is an outcome too. The
   * start of the thread does not count. One run at a time: throws if another is in progress or the
   * sandbox is closed, and BAD_REQUEST for code longer than BOUNDS.codeCharacters.
   */
  async run(code: string, timeoutMs: number): Promise<Outcome> {
    if (code.length > BOUNDS.codeCharacters)
      throw new RequestError(
        "BAD_REQUEST",
        `The code has ${code.length} characters; the limit is ${BOUNDS.codeCharacters}.`,
      );
    if (this.#closed || this.#run !== undefined) throw new Error("The sandbox is closed or busy.");
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#run = { stdout: "", stderr: "", timeoutMs, end: resolve };
    let guard: NodeJS.Timeout | undefined;
    try {
      this.#thread ??= this.#startThread();
      await settleWithin(this.#thread.ready, BOUNDS.startMs);
      guard = setTimeout(() => void this.#kill(true), timeoutMs + BOUNDS.graceMs);
      await settleWithin(this.#bridge.prepare(timeoutMs), timeoutMs);
      this.#postMessage({ kind: "run", code, timeoutMs });
      const outcome = await promise;
      if (outcome.killed && !this.#closed)
        await settleWithin(this.#bridge.interrupt(), BOUNDS.graceMs);
      return outcome;
    } finally {
      clearTimeout(guard);
      this.#bridge.resumeRequests();
      this.#run = undefined;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#kill(false);
    this.#bridge.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #startThread(): Thread {
    const { port1, port2 } = new MessageChannel();
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const start: ThreadStart & { answers: MessagePort } = {
      surface: Bridge.listSurface(),
      machine: compileMachine(),
      signal,
      answers: port2,
    };
    const worker = new Worker(this.#threadModule, {
      workerData: start,
      transferList: [port2],
      env: buildCompileCacheEnvironment(),
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: BOUNDS.threadStackMiB },
    });
    const ready = Promise.withResolvers<void>();
    const thread = { worker, ready: ready.promise, answers: port1, signal };
    port1.unref();
    worker.unref();
    worker.on("message", (message: ToOwner) => {
      if (message.kind === "ready") ready.resolve();
      else void this.#onMessage(thread, message);
    });
    worker.on("error", (error) => this.#onLost(thread, error.message));
    worker.on("exit", () => {
      ready.resolve();
      this.#onLost(thread, "its thread ended");
    });
    return thread;
  }

  #postMessage(message: ToThread): void {
    this.#thread?.worker.postMessage(message);
  }

  async #onMessage(thread: Thread, message: FromCode): Promise<void> {
    if (thread !== this.#thread) return;
    if (message.kind === "call") {
      const answer = await this.#bridge.call(message.json);
      if (thread === this.#thread) this.#postMessage({ kind: "answer", id: message.id, answer });
    } else if (message.kind === "ask") {
      thread.answers.postMessage(this.#bridge.ask(message.json));
      Atomics.store(thread.signal, 0, 1);
      Atomics.notify(thread.signal, 0);
    } else if (message.kind === "output") {
      if (this.#run !== undefined) this.#run[message.stream] += message.text;
    } else await this.#onEnded(message);
  }

  async #onEnded(message: ToOwner & { kind: "ended" }): Promise<void> {
    const run = this.#run;
    const { result, error, timedOut, truncated, broken } = message;
    if (broken) await this.#endThread();
    run?.end(
      toOutcome(run, {
        error: timedOut ? describeTimeout(run.timeoutMs) : error,
        killed: timedOut,
        truncated,
        stateLost: broken,
        ...(result === undefined ? {} : { result }),
      }),
    );
  }

  /** Handles a thread that ended unexpectedly: out of memory, or crashed by the interpreter. */
  #onLost(thread: Thread, reason: string): void {
    if (thread !== this.#thread) return;
    this.#thread = undefined;
    thread.answers.close();
    const run = this.#run;
    run?.end(
      toOutcome(run, {
        error: `The interpreter failed: ${reason}`,
        killed: true,
        truncated: false,
        stateLost: true,
      }),
    );
  }

  async #kill(late: boolean): Promise<void> {
    const run = this.#run;
    await this.#endThread();
    run?.end(
      toOutcome(run, {
        error: late ? describeTimeout(run.timeoutMs) : "The session was ended.",
        killed: true,
        truncated: false,
        stateLost: true,
      }),
    );
  }

  async #endThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    await thread.worker.terminate();
    thread.answers.close();
  }
}

/** The time is a few milliseconds less than requested: the session was looked up in between. */
const describeTimeout = (timeoutMs: number): string =>
  `The code ran longer than its timeout of ${Math.round(timeoutMs / 100) / 10} s.`;

type Facts = {
  error?: string | undefined;
  result?: string;
  killed: boolean;
  truncated: boolean;
  stateLost: boolean;
};

function toOutcome(run: Run, { error, result, killed, truncated, stateLost }: Facts): Outcome {
  const lost = stateLost ? "Names declared before are lost; the page is unchanged.\n" : "";
  const stderr = error === undefined ? run.stderr : `${run.stderr}${error}\n${lost}`;
  return {
    stdout: run.stdout,
    stderr,
    ...(result === undefined ? {} : { result }),
    exitCode: killed ? TIMED_OUT_EXIT_CODE : error === undefined ? 0 : FAILED_EXIT_CODE,
    killed,
    truncated,
    stateLost,
    ...(error === undefined ? {} : { error }),
  };
}

async function settleWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work.catch(() => undefined), promise]);
  clearTimeout(timer);
}
