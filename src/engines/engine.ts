// What every engine is: a way to get a URL. Engines return outcomes, they do not steer by exceptions.
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import type { QuarryError } from "../errors.ts";

export type Outcome =
  /** `queuedMs` when it had to wait for a turn. */
  | { readonly kind: "captured"; readonly capture: Capture; readonly queuedMs?: number }
  /** The engine cannot do what is asked; `missing` names the capability. */
  | { readonly kind: "unsuitable"; readonly missing: string }
  | { readonly kind: "failed"; readonly error: QuarryError };

export type Engine<Fetch> = {
  readonly name: string;
  /** Never rejects for what a site, the caller or the clock does: that is an outcome. */
  readonly fetch: (request: Fetch, deadline: Deadline) => Promise<Outcome>;
};
