// The interface of engines, which fetch a URL. Engines return outcomes instead of throwing.
import type { Capture } from "../capture.ts";
import type { Deadline } from "../deadline.ts";
import type { QuarryError } from "../errors.ts";

export type Outcome =
  | {
      readonly kind: "captured";
      readonly capture: Capture;
      /** Milliseconds it waited for a turn, if it did. */
      readonly queuedMs?: number;
      /** The file that the page downloads, if it does nothing else. */
      readonly leadsTo?: URL;
    }
  /** The engine cannot serve the request; `missing` names the capability. */
  | { readonly kind: "unsuitable"; readonly missing: string }
  | { readonly kind: "failed"; readonly error: QuarryError };

export type Engine<Fetch> = {
  readonly name: string;
  /** Never rejects for causes in the site, the caller or the clock: those are outcomes. */
  readonly fetch: (request: Fetch, deadline: Deadline) => Promise<Outcome>;
};
