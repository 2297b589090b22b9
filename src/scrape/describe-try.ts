// Describes the attempts of a scrape for --explain.
import type { Capture } from "../capture.ts";
import type { Attempt } from "../engines/plan.ts";
import type { Verdict } from "../html/evidence/verdict.ts";
import { QuarryError, type TargetError } from "../errors.ts";
import type { Trail } from "./explanation.ts";
import type { AttemptEnding } from "./next-attempt.ts";

/** Describes an attempt that led to a next step. */
export function describeTry(
  { engine, proxy }: Attempt,
  ending: AttemptEnding,
  fetched: { readonly capture: Capture; readonly verdict: Verdict } | undefined,
  failure: TargetError | undefined,
  ms: number,
): Trail {
  if (fetched === undefined) {
    const verdict = ending.kind === "captured" ? { verdict: ending.verdict } : {};
    return { engine, proxy, outcome: failure?.code ?? ending.kind, ...verdict, ms };
  }
  const { verdict, capture } = fetched;
  const by = capture.engine === "document" ? `${engine}, then document` : engine;
  const { statusCode, renderedBy, rendering } = capture;
  return { engine: by, proxy, renderedBy, rendering, outcome: "captured", statusCode, verdict, ms };
}

/** Describes an attempt that ended the whole scrape. */
export const describeEnd = ({ engine, proxy }: Attempt, error: unknown, ms: number): Trail => ({
  engine,
  proxy,
  outcome: error instanceof QuarryError ? error.code : "UNKNOWN_ERROR",
  ms,
});
