// QuickJS in WebAssembly with the API surface: evaluates code like a console and reports the
// outcome. Independent of threads.
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import type { Machine } from "./machine.ts";
import type { Answer, Surface } from "./messages.ts";
import { BOUNDS } from "./outcome.ts";
import { buildSurfaceSource } from "./surface/source.ts";
import { keepTopLevelNames } from "./top-level.ts";

/** Host functions that the interpreter needs from its thread. */
export type HostFunctions = {
  readonly call: (id: number, json: string) => void;
  readonly ask: (json: string) => string | undefined;
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  readonly setTimer: (id: number, delayMs: number) => void;
  readonly clearTimer: (id: number) => void;
  readonly now: () => number;
};

export type ScriptEnding = {
  readonly result?: string | undefined;
  readonly error?: string | undefined;
  /** The interpreter cannot be used again. */
  readonly broken: boolean;
};

/**
 * JS_EVAL_FLAG_ASYNC of QuickJS: top-level `await` in a script, whose value arrives as `{value}`.
 */
const JS_EVAL_FLAG_ASYNC = 1 << 7;
const OUT_OF_MEMORY = "InternalError: out of memory";
const MAX_JOBS_PER_TURN = 100;

export async function loadInterpreter(machine: Machine): Promise<QuickJSWASMModule> {
  // Its types describe the CommonJS build, in which the variant is nested one level deeper.
  const base = variant as unknown as QuickJSSyncVariant;
  return await newQuickJSWASMModuleFromVariant(newVariant(base, { wasmModule: machine }));
}

export class Interpreter {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #hostFunctions: HostFunctions;
  readonly #installed: QuickJSHandle;
  readonly #waiting = new Map<number, QuickJSDeferredPromise>();
  readonly #timers = new Set<number>();
  #calls = 0;
  #endsAt = Number.POSITIVE_INFINITY;
  #outcome: QuickJSHandle | undefined;
  #unwrapped = false;

  constructor(module: QuickJSWASMModule, surface: Surface, hostFunctions: HostFunctions) {
    this.#hostFunctions = hostFunctions;
    this.#runtime = module.newRuntime();
    this.#runtime.setMemoryLimit(BOUNDS.memoryBytes);
    this.#runtime.setMaxStackSize(BOUNDS.stackBytes);
    this.#runtime.setInterruptHandler(() => hostFunctions.now() > this.#endsAt);
    this.#context = this.#runtime.newContext();
    this.#installed = this.#install(surface);
  }

  /**
   * Starts evaluating. Returns the ending if the code is done. `endsAt` uses the clock of `now`.
   */
  start(code: string, endsAt: number): ScriptEnding | undefined {
    this.#endsAt = endsAt;
    this.#unwrapped = false;
    let script: string;
    try {
      script = keepTopLevelNames(code);
    } catch (error) {
      return { error: String(error), broken: false };
    }
    const evaluated = this.#context.evalCode(script, "code.js", JS_EVAL_FLAG_ASYNC);
    if (evaluated.error) return this.#toFailedEnding(evaluated.error);
    this.#outcome = evaluated.value;
    return this.advance();
  }

  /** Runs pending work. Returns the ending if the code is done, undefined if it is waiting. */
  advance(): ScriptEnding | undefined {
    for (;;) {
      const ran = this.#runtime.executePendingJobs(MAX_JOBS_PER_TURN);
      if (ran.error) ran.error.dispose();
      const ending = this.#toEnding();
      if (ending !== undefined || this.isLate()) return ending;
      if (!ran.error && ran.value < MAX_JOBS_PER_TURN) return undefined;
    }
  }

  isLate(): boolean {
    return this.#hostFunctions.now() > this.#endsAt;
  }

  /**
   * Cancels the current code, so that nothing of it continues later. Returns false if that is
   * impossible and the interpreter must be discarded.
   */
  cancelCode(): boolean {
    this.#outcome?.dispose();
    this.#outcome = undefined;
    for (const deferred of this.#waiting.values()) deferred.dispose();
    this.#waiting.clear();
    this.#timers.clear();
    return !this.#runtime.hasPendingJob();
  }

  answer(id: number, answer: Answer): void {
    const deferred = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (deferred?.alive !== true) return;
    if (answer.ok) {
      if (answer.json === undefined) deferred.resolve();
      else this.#context.newString(answer.json).consume((text) => deferred.resolve(text));
    } else {
      this.#context
        .newError({ name: answer.name, message: answer.message })
        .consume((error) => deferred.reject(error));
    }
    deferred.dispose();
  }

  fireTimer(id: number): void {
    this.#timers.delete(id);
    this.#context.newNumber(id).consume((handle) => this.#enter("fireTimer", handle)?.dispose());
  }

  handleMessage(json: string): void {
    this.#context
      .newString(json)
      .consume((handle) => this.#enter("dispatchEvent", handle)?.dispose());
  }

  #toEnding(): ScriptEnding | undefined {
    if (this.#outcome === undefined) return undefined;
    const state = this.#context.getPromiseState(this.#outcome);
    if (state.type === "pending") return undefined;
    if (state.type === "rejected") return this.#toFailedEnding(state.error);
    if (!this.#unwrapped) {
      this.#unwrapped = true;
      const value = this.#context.getProp(state.value, "value");
      if (!state.notAPromise) state.value.dispose();
      this.#outcome.dispose();
      // A promise as the last value is awaited.
      this.#outcome = value;
      return this.#toEnding();
    }
    const ending = { result: this.#show(state.value), broken: false };
    if (!state.notAPromise) state.value.dispose();
    this.#finish();
    return ending;
  }

  #toFailedEnding(error: QuickJSHandle): ScriptEnding {
    const text = this.#show(error, "explain");
    error.dispose();
    this.#finish();
    // Without memory for an error, QuickJS throws null. Global names may retain the memory, and
    // then nothing more can be evaluated.
    const full = text === undefined || text === "Uncaught null" || text.startsWith(OUT_OF_MEMORY);
    return { error: full ? OUT_OF_MEMORY : text, broken: full };
  }

  #finish(): void {
    this.#outcome?.dispose();
    this.#outcome = undefined;
  }

  #show(value: QuickJSHandle, how: "show" | "explain" = "show"): string | undefined {
    if (how === "show" && this.#context.typeof(value) === "undefined") return undefined;
    const shown = this.#enter(how, value);
    const text = shown === undefined ? undefined : this.#context.getString(shown);
    shown?.dispose();
    return text;
  }

  /**
   * Calls a function of the surface. Returns undefined if it throws, which happens out of memory or
   * time.
   */
  #enter(
    name: "fireTimer" | "dispatchEvent" | "show" | "explain",
    value: QuickJSHandle,
  ): QuickJSHandle | undefined {
    using run = this.#context.getProp(this.#installed, name);
    const called = this.#context.callFunction(run, this.#context.undefined, value);
    if (!called.error) return called.value;
    called.error.dispose();
    return undefined;
  }

  #install(surface: Surface): QuickJSHandle {
    const context = this.#context;
    const host = context.newObject();
    const hostFunctions = this.#createHostObject();
    for (const [name, run] of Object.entries(hostFunctions)) {
      context.newFunction(name, run).consume((handle) => context.setProp(host, name, handle));
    }
    const names = context.unwrapResult(context.evalCode(`(${JSON.stringify(surface)})`));
    context.setProp(host, "surface", names);
    names.dispose();
    const install = context.unwrapResult(context.evalCode(buildSurfaceSource(), "surface.js"));
    const installed = context.unwrapResult(
      context.callFunction(install, context.undefined, host, context.global),
    );
    install.dispose();
    host.dispose();
    return installed;
  }

  #createHostObject(): Record<string, (...values: QuickJSHandle[]) => QuickJSHandle | undefined> {
    const context = this.#context;
    const read = (handle: QuickJSHandle | undefined): string => {
      const text = handle === undefined ? "" : context.getString(handle);
      if (text.length > BOUNDS.argumentCharacters) throw new Error("The arguments are too large.");
      return text;
    };
    return {
      call: (json) => {
        const text = read(json);
        if (this.#waiting.size >= BOUNDS.callsInFlight)
          throw new Error(`More than ${BOUNDS.callsInFlight} calls are pending; await some first.`);
        const id = ++this.#calls;
        const deferred = context.newPromise();
        this.#waiting.set(id, deferred);
        this.#hostFunctions.call(id, text);
        return deferred.handle;
      },
      ask: (json) => {
        const answer = this.#hostFunctions.ask(read(json));
        return answer === undefined ? undefined : context.newString(answer);
      },
      write: (stream, text) => {
        const name = read(stream) === "stderr" ? "stderr" : "stdout";
        this.#hostFunctions.write(name, text === undefined ? "" : context.getString(text));
        return undefined;
      },
      setTimer: (handle, delay) => {
        if (this.#timers.size >= BOUNDS.timers)
          throw new Error(`More than ${BOUNDS.timers} timers are set.`);
        if (handle === undefined || delay === undefined) return undefined;
        const id = context.getNumber(handle);
        // Code can call this directly. A repeated id would count as one timer but run two.
        if (this.#timers.has(id)) throw new Error("The timer is set already.");
        this.#timers.add(id);
        this.#hostFunctions.setTimer(id, context.getNumber(delay));
        return undefined;
      },
      clearTimer: (handle) => {
        const id = handle === undefined ? Number.NaN : context.getNumber(handle);
        if (this.#timers.delete(id)) this.#hostFunctions.clearTimer(id);
        return undefined;
      },
      parseUrl: (text, base) => {
        const under =
          base === undefined || context.typeof(base) === "undefined" ? undefined : read(base);
        const parts = describeUrl(read(text), under);
        return parts === undefined ? undefined : context.newString(parts);
      },
    };
  }
}

const URL_PARTS = [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
] as const;

function describeUrl(text: string, base: string | undefined): string | undefined {
  const url = URL.parse(text, base);
  if (url === null) return undefined;
  const parts = Object.fromEntries(URL_PARTS.map((part) => [part, url[part]]));
  return JSON.stringify({ ...parts, query: [...url.searchParams] });
}
