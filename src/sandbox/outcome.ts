// Result of sandboxed code, and its bounds.
import { LIMITS } from "../contract/request/limits.ts";

/** Outcome of a piece of code. `exitCode` is 0, 1 for an error, or 124 for a timeout. */
export type Outcome = {
  readonly stdout: string;
  readonly stderr: string;
  /** The last expression's value as text; missing for undefined. */
  readonly result?: string;
  readonly exitCode: number;
  /** True if ended from outside: its time was up or its interpreter was lost. */
  readonly killed: boolean;
  /** True if some output was dropped. */
  readonly truncated: boolean;
  /** True if names that the code declared before are lost; the next call starts fresh. */
  readonly stateLost: boolean;
  readonly error?: string;
};

export const TIMED_OUT_EXIT_CODE = 124;
export const FAILED_EXIT_CODE = 1;

export const BOUNDS = {
  /**
   * Maximum length of one piece of code. It is parsed outside the interpreter, and a thread whose
   * heap grows too fast would end the process. Code of this length needs less than a quarter of the
   * thread's memory.
   */
  codeCharacters: LIMITS.interact.codeCharacters,
  /** Memory of the whole interpreter. */
  memoryBytes: 64 * 1024 * 1024,
  /**
   * The interpreter's own stack. The thread has `threadStackMiB`, several times what this can use.
   */
  stackBytes: 256 * 1024,
  threadStackMiB: 16,
  /** Limit of stdout and of stderr. */
  outputCharacters: 1_000_000,
  resultCharacters: 1_000_000,
  /** Limit of one call's arguments. */
  argumentCharacters: 2_000_000,
  /** Limit of one answer from the page. */
  answerCharacters: 16_000_000,
  callsInFlight: 32,
  timers: 1_000,
  /** Maximum queued page events. */
  events: 1_000,
  /** Time for a thread to start, beside the time of the code; a fifth of a second on an idle machine. */
  startMs: 10_000,
  /** Grace period for a call past its time before its thread is ended. */
  graceMs: 1_000,
} as const;
