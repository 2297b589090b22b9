// Installs everything that the code may use into the interpreter's global object.
import type { Host } from "./host.ts";
import { createEncoders } from "./encoding.ts";
import { createExpect } from "./expect.ts";
import { addCalls } from "./add-calls.ts";
import { dispatchEvent } from "./dispatch-event.ts";
import { Context, Locator, Page, Wire } from "./playwright.ts";
import { decode, encode, PageUrl, QueryPairs, show, compileUrlTest } from "./values.ts";

/** Functions that the host calls in the interpreter. */
export type InstalledSurface = {
  readonly fireTimer: (id: number) => void;
  readonly dispatchEvent: (json: string) => void;
  readonly show: (value: unknown) => string;
  /** Formats a thrown value with its stack. */
  readonly explain: (value: unknown) => string;
};

export function install(host: Host, globals: Record<string, unknown>): InstalledSurface {
  addCalls(host);
  const wire = new Wire(host);
  const timers = createTimers(host);
  const log =
    (stream: "stdout" | "stderr") =>
    (...values: unknown[]) =>
      host.write(stream, `${values.map(show).join(" ")}\n`);
  const first = wire.page(1);
  Object.assign(globals, createEncoders(), {
    page: first,
    expect: createExpect({
      kindOf: (value) =>
        value instanceof Locator ? "locator" : value instanceof Page ? "page" : "value",
      urlFits: (page, wanted) => compileUrlTest(host, wanted, page.url())(page.url()),
      show,
    }),
    context: new Context(wire),
    console: {
      log: log("stdout"),
      info: log("stdout"),
      debug: log("stdout"),
      table: log("stdout"),
      dir: log("stdout"),
      warn: log("stderr"),
      error: log("stderr"),
      trace: log("stderr"),
    },
    process: {
      env: {},
      stdout: { write: (text: unknown) => (host.write("stdout", String(text)), true) },
      stderr: { write: (text: unknown) => (host.write("stderr", String(text)), true) },
    },
    URL: class URL extends PageUrl {
      constructor(text: string | PageUrl, base?: string | PageUrl) {
        super(host, text, base);
      }
    },
    URLSearchParams: QueryPairs,
    structuredClone: (value: unknown) => decode(encode(value)),
    performance: { now: () => Date.now() },
    require: () => {
      throw new Error("require is not available here: page, context and expect are there already.");
    },
    fetch: () => {
      throw new Error("fetch is not available here: use page.evaluate(() => fetch(…)).");
    },
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clear,
    setInterval: timers.setInterval,
    clearInterval: timers.clear,
    setImmediate: (run: () => unknown) => timers.setTimeout(run, 0),
  });
  return {
    fireTimer: timers.fire,
    dispatchEvent: (json) => dispatchEvent(wire, json),
    show,
    explain: (value) =>
      value instanceof Error
        ? `${value.name}: ${value.message}\n${value.stack ?? ""}`.trimEnd()
        : `Uncaught ${show(value)}`,
  };
}

type Run = (...values: unknown[]) => unknown;
type Timer = {
  readonly run: Run;
  readonly values: unknown[];
  readonly everyMs: number | undefined;
};

export function createTimers(host: Host) {
  const waiting = new Map<number, Timer>();
  let last = 0;
  const start = (timer: Timer, delayMs: number): number => {
    const id = ++last;
    // Called first, because it throws above the maximum number of timers.
    host.setTimer(id, delayMs);
    waiting.set(id, timer);
    return id;
  };
  const toDelay = (given: unknown): number =>
    Math.min(2_147_483_647, Math.max(1, Number(given) || 1));
  return {
    setTimeout: (run: Run, delay?: unknown, ...values: unknown[]) =>
      start({ run, values, everyMs: undefined }, toDelay(delay)),
    setInterval: (run: Run, delay?: unknown, ...values: unknown[]) =>
      start({ run, values, everyMs: toDelay(delay) }, toDelay(delay)),
    clear: (id: number): void => {
      if (waiting.delete(id)) host.clearTimer(id);
    },
    fire: (id: number): void => {
      const timer = waiting.get(id);
      if (timer === undefined) return;
      if (timer.everyMs === undefined) waiting.delete(id);
      else host.setTimer(id, timer.everyMs);
      try {
        timer.run(...timer.values);
      } catch (error) {
        host.write("stderr", `${String(error)}\n`);
      }
    },
  };
}
