// Host functions for code in the interpreter. Classes and functions in this folder run inside the
// interpreter. They are sent there as text (source.ts), so they use only each other and the
// language.
import type { Surface } from "../messages.ts";

/** The only exits of the interpreter; every value passed through them is text. */
export type Host = {
  /** Resolves with the answer as JSON; undefined for undefined. */
  readonly call: (json: string) => Promise<string | undefined>;
  /** Synchronous version, for Playwright methods without a promise. */
  readonly ask: (json: string) => string | undefined;
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  readonly setTimer: (id: number, delayMs: number) => void;
  readonly clearTimer: (id: number) => void;
  /** Returns the parts of an absolute URL as JSON, or undefined if it is invalid. */
  readonly parseUrl: (text: string, base: string | undefined) => string | undefined;
  readonly surface: Surface;
};

export type Step = readonly [name: string, ...values: unknown[]];

/** Target of a call: a page by number, then the steps to an element. */
export type Target = {
  readonly on: "page" | "frame" | "locator" | "keyboard" | "mouse" | "context";
  readonly page: number;
  readonly steps: readonly Step[];
};

/** Adds a method to `object` for each name, which forwards its arguments. */
export function addMethods(
  object: object,
  names: readonly string[],
  run: (receiver: unknown, name: string, values: unknown[]) => unknown,
): void {
  for (const name of names) {
    if (name in object) continue;
    Object.defineProperty(object, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...values: unknown[]) {
        return run(this, name, values);
      },
    });
  }
}

/** Adds a throwing method with the reason for each Playwright name that is not supported. */
export function addRefusals(
  object: object,
  kind: string,
  refused: Readonly<Record<string, string>>,
): void {
  for (const [name, reason] of Object.entries(refused)) {
    if (name in object) continue;
    Object.defineProperty(object, name, {
      configurable: true,
      value() {
        throw new Error(`${kind}.${name} is not available here: ${reason}`);
      },
    });
  }
}
