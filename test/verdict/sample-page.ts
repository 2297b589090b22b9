import type { VerdictKind } from "../../src/contract/page/verdict.ts";

/** A page as a site returns it, with its expected verdict. */
export type SamplePage = {
  readonly name: string;
  readonly status: number;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly html: string;
  readonly verdict: VerdictKind;
  /** True if it is certain, so that its text is withheld. Defaults to false. */
  readonly certain?: boolean;
  /** The verdict without status and headers, as in an archive. Defaults to the same. */
  readonly archived?: VerdictKind;
  /** Public description that the page was modelled on. */
  readonly source?: string;
};
