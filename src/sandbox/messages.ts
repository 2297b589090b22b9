// Messages between a sandbox's thread and its owner. Payloads of code and page are JSON text, so no
// object crosses.
import type { Machine } from "./machine.ts";

/** From the owner to the thread. */
export type ToThread =
  | { readonly kind: "run"; readonly code: string; readonly timeoutMs: number }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer }
  | { readonly kind: "event"; readonly json: string };

/** Result of a call on the page; `json` is missing for undefined. */
export type Answer =
  | { readonly ok: true; readonly json?: string | undefined }
  | { readonly ok: false; readonly name: string; readonly message: string };

/** From the thread to its owner. */
export type ToOwner =
  /** The thread has started: code runs at once. */
  | { readonly kind: "ready" }
  | { readonly kind: "call"; readonly id: number; readonly json: string }
  | { readonly kind: "ask"; readonly json: string }
  | { readonly kind: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }
  | {
      readonly kind: "ended";
      readonly result?: string | undefined;
      readonly error?: string | undefined;
      readonly timedOut: boolean;
      readonly truncated: boolean;
      /** The interpreter cannot be used again. */
      readonly broken: boolean;
    };

export type Surface = {
  /** Methods of each object: calls, locator steps, and refused ones with their reason. */
  readonly page: readonly string[];
  readonly frame: readonly string[];
  readonly locator: readonly string[];
  readonly steps: readonly string[];
  readonly frameSteps: readonly string[];
  readonly keyboard: readonly string[];
  readonly mouse: readonly string[];
  readonly context: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
};

export type ThreadStart = {
  readonly surface: Surface;
  /** The compiled interpreter. */
  readonly machine: Machine;
  /** Set to 1 when the answer to an `ask` is available. */
  readonly signal: Int32Array;
};
