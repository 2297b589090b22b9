// What every engine is: a way to get a URL. Engines return outcomes, they do not steer by exceptions.
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import type { QuarryError } from "../errors.ts";

export type Outcome =
  | {
      readonly kind: "captured";
      readonly capture: Capture;
      /** When it had to wait for a turn. */
      readonly queuedMs?: number;
      /** A file whose download is all that the page does. */
      readonly leadsTo?: URL;
    }
  /** The engine cannot do what is asked; `missing` names the capability. */
  | { readonly kind: "unsuitable"; readonly missing: string }
  | { readonly kind: "failed"; readonly error: QuarryError };

export type Engine<Fetch> = {
  readonly name: string;
  /** Never rejects for what a site, the caller or the clock does: that is an outcome. */
  readonly fetch: (request: Fetch, deadline: Deadline) => Promise<Outcome>;
};
