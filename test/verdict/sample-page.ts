import type { VerdictKind } from "../../src/contract/page/verdict.ts";

/** A page as a site answers it, with what it is. */
export type SamplePage = {
  readonly name: string;
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly html: string;
  readonly verdict: VerdictKind;
  /** Is it certain, so that its text is withheld? False when missing. */
  readonly certain?: boolean;
  /** The verdict when status and headers are lost, as in an archive; the same when missing. */
  readonly archived?: VerdictKind;
  /** Public description that the page was modelled on. */
  readonly source?: string;
};
