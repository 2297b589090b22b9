import type { RunResponse } from "../contract/extractors/extractor.ts";

/**
 * Maximum values of one answer with evidence; the evidence of further pages is left out, with a
 * warning.
 */
export const MAX_EVIDENCE = 20_000;

/** Bounds the size of an answer: evidence is several times larger than the values. */
export function limitEvidence(runs: RunResponse["data"]): void {
  let left = MAX_EVIDENCE;
  for (const run of runs) {
    if (!("jsonEvidence" in run) || run.jsonEvidence === undefined) continue;
    left -= Object.keys(run.jsonEvidence).length;
    if (left >= 0) continue;
    delete run.jsonEvidence;
    const note = `The evidence is left out: the answer has over ${MAX_EVIDENCE} values. Run fewer URLs at once.`;
    run.warning = run.warning === undefined ? note : `${run.warning} ${note}`;
  }
}
