// What the code in the interpreter is given from outside. This folder's classes and functions run inside the interpreter:
// they are sent there as text (source.ts), so they use nothing but each other and the language.
import type { Surface } from "../messages.ts";

/** The only doors out of the interpreter; every value through them is text. */
export type Host = {
  /** Settles with the JSON of the answer; undefined for undefined. */
  readonly call: (json: string) => Promise<string | undefined>;
  /** The same at once, for what Playwright answers without a promise. */
  readonly ask: (json: string) => string | undefined;
  readonly write: (stream: "stdout" | "stderr", text: string) => void;
  readonly setTimer: (id: number, delayMs: number) => void;
  readonly clearTimer: (id: number) => void;
  /** The parts of an absolute URL as JSON; undefined when it is none. */
  readonly parseUrl: (text: string, base: string | undefined) => string | undefined;
  readonly surface: Surface;
};

export type Step = readonly [name: string, ...values: unknown[]];

/** Where a call goes: a page by number, then the steps to an element. */
export type Target = {
  readonly on: "page" | "locator" | "keyboard" | "mouse" | "context";
  readonly page: number;
  readonly steps: readonly Step[];
};

/** Gives `object` a method for each name that hands its arguments on. */
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

/** The names Playwright has and this surface has not: each throws with its reason. */
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
