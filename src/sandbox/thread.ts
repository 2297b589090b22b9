// The thread of a sandbox: one interpreter, alternating between code and answers, output in chunks.
import {
  parentPort,
  receiveMessageOnPort,
  workerData,
  type MessagePort,
} from "node:worker_threads";
import { Interpreter, loadInterpreter, type ScriptEnding } from "./interpreter.ts";
import type { Answer, ThreadStart, ToOwner, ToThread } from "./messages.ts";
import { BOUNDS } from "./outcome.ts";

const MAX_CHUNK_CHARACTERS = 8_192;
const ANSWER_TIMEOUT_MS = 5_000;

const { surface, machine, signal, answers } = workerData as ThreadStart & {
  readonly answers: MessagePort;
};
const owner = parentPort;
if (owner === null) throw new Error("thread.ts runs as a worker thread only.");

const post = (message: ToOwner): void => owner.postMessage(message);

const buffers = { stdout: "", stderr: "" };
let written = { stdout: 0, stderr: 0 };
let truncated = false;

function write(stream: "stdout" | "stderr", text: string): void {
  const room = BOUNDS.outputCharacters - written[stream];
  if (text.length > room) truncated = true;
  const kept = text.length > room ? text.slice(0, room) : text;
  if (kept === "") return;
  written[stream] += kept.length;
  buffers[stream] += kept;
  if (buffers[stream].length >= MAX_CHUNK_CHARACTERS) flush();
}

function flush(): void {
  for (const stream of ["stdout", "stderr"] as const) {
    if (buffers[stream] !== "") post({ kind: "output", stream, text: buffers[stream] });
    buffers[stream] = "";
  }
}

/** Waits for the owner without running the interpreter, for synchronous Playwright methods. */
function ask(json: string): string | undefined {
  // A late answer belongs to an abandoned request.
  while (receiveMessageOnPort(answers) !== undefined);
  Atomics.store(signal, 0, 0);
  post({ kind: "ask", json });
  if (Atomics.wait(signal, 0, 0, ANSWER_TIMEOUT_MS) === "timed-out")
    throw new Error("The browser does not answer.");
  const answer = receiveMessageOnPort(answers)?.message as Answer | undefined;
  if (answer === undefined) throw new Error("The browser does not answer.");
  if (!answer.ok) throw Object.assign(new Error(answer.message), { name: answer.name });
  return answer.json;
}

const timers = new Map<number, NodeJS.Timeout>();
let interpreter: Interpreter | undefined;
let running = false;
let expiry: NodeJS.Timeout | undefined;

function runTurn(run: (interpreter: Interpreter) => ScriptEnding | undefined): void {
  if (interpreter === undefined) return;
  try {
    const ending = run(interpreter);
    if (!running) return;
    if (ending !== undefined && !interpreter.isLate()) end({ ...ending, timedOut: false });
    else if (interpreter.isLate()) end({ timedOut: true, broken: !interpreter.cancelCode() });
  } catch (error) {
    // The WebAssembly machine failed, for example by stack exhaustion, so its state is unreliable.
    const text = error instanceof Error ? error.message : String(error);
    end({ error: `The interpreter failed: ${text}`, timedOut: false, broken: true });
  }
}

function end(ending: ScriptEnding & { readonly timedOut: boolean }): void {
  running = false;
  clearTimeout(expiry);
  if (ending.timedOut) {
    clearTimers();
    late = [];
  }
  flush();
  const { result, error, timedOut, broken } = ending;
  const cut = result !== undefined && result.length > BOUNDS.resultCharacters;
  post({
    kind: "ended",
    result: cut ? result.slice(0, BOUNDS.resultCharacters) : result,
    error,
    timedOut,
    truncated: truncated || cut,
    broken,
  });
}

function clearTimers(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
}

/** Events while no code runs are queued for the next code. */
let late: ((ready: Interpreter) => void)[] = [];

function runWhenReady(run: (ready: Interpreter) => void): void {
  if (!running) {
    if (late.length < BOUNDS.events) late.push(run);
    return;
  }
  runTurn((ready) => {
    run(ready);
    return ready.advance();
  });
}

function start(code: string, timeoutMs: number): void {
  written = { stdout: 0, stderr: 0 };
  truncated = false;
  running = true;
  expiry = setTimeout(() => runTurn((ready) => ready.advance()), timeoutMs + 5);
  const happened = late;
  late = [];
  runTurn((ready) => {
    const ending = ready.start(code, performance.now() + timeoutMs);
    if (ending === undefined) for (const run of happened) run(ready);
    return ending ?? ready.advance();
  });
}

const module = await loadInterpreter(machine);
interpreter = new Interpreter(module, surface, {
  call: (id, json) => post({ kind: "call", id, json }),
  ask,
  write,
  now: () => performance.now(),
  setTimer: (id, delayMs) => {
    const timer = setTimeout(() => {
      timers.delete(id);
      runWhenReady((ready) => ready.fireTimer(id));
    }, delayMs);
    timers.set(id, timer);
  },
  clearTimer: (id) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  },
});
owner.on("message", (message: ToThread) => {
  if (message.kind === "run") start(message.code, message.timeoutMs);
  else if (message.kind === "event") runWhenReady((ready) => ready.handleMessage(message.json));
  // An answer runs no code, so it is accepted at any time and does not count as a pending call.
  else if (running) runWhenReady((ready) => ready.answer(message.id, message.answer));
  else interpreter?.answer(message.id, message.answer);
});
post({ kind: "ready" });
