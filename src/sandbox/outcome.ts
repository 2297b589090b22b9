// What code in a sandbox leaves behind, and the bounds it runs in.
import { LIMITS } from "../contract/request/limits.ts";

/** How a piece of code ended. `exitCode` is 0, 1 for an error and 124 for time that ran out. */
export type Outcome = {
  readonly stdout: string;
  readonly stderr: string;
  /** The last expression's value as text; missing for undefined. */
  readonly result?: string;
  readonly exitCode: number;
  /** Ended from outside: its time or its interpreter was gone. */
  readonly killed: boolean;
  /** Some of the output was left out. */
  readonly truncated: boolean;
  /** Names that the code declared before are gone; the next call starts anew. */
  readonly stateLost: boolean;
  readonly error?: string;
};

export const TIMED_OUT = 124;
export const FAILED = 1;

export const BOUNDS = {
  /**
   * Of one piece of code. It is parsed beside the interpreter, and a thread whose heap grows too fast takes the process with
   * it; code of this length never needs a quarter of what the thread may hold.
   */
  codeCharacters: LIMITS.interact.codeCharacters,
  /** Of everything the interpreter holds. */
  memoryBytes: 64 * 1024 * 1024,
  /** Of the interpreter's own stack; the thread below it has `threadStackMiB`, several times what this can use. */
  stackBytes: 256 * 1024,
  threadStackMiB: 16,
  /** Of stdout and stderr, each. */
  outputCharacters: 1_000_000,
  resultCharacters: 1_000_000,
  /** The arguments of one call. */
  argumentCharacters: 2_000_000,
  /** One answer of the page. */
  answerCharacters: 16_000_000,
  callsInFlight: 32,
  timers: 1_000,
  /** Events of the page that wait to be heard by the code. */
  events: 1_000,
  /** A call past its time is given so long to end by itself before its thread is ended. */
  graceMs: 1_000,
} as const;
