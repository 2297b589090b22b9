import { QuarryError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import type { Trail } from "./explanation.ts";

type AttemptMetrics = Pick<Metrics, "attempts" | "attemptSeconds">;

/** Counts an attempt of the plan. A page counts by its verdict. */
export function countTrail(metrics: AttemptMetrics, { engine, outcome, verdict, ms }: Trail): void {
  // A file that plain HTTP fetched is one attempt of each engine.
  const [fetchedBy = engine] = engine.split(",");
  metrics.attempts.inc({ engine: fetchedBy, outcome: verdict?.kind ?? outcome });
  metrics.attemptSeconds.observe({ engine: fetchedBy }, ms / 1_000);
}

/** Counts the parsing of a file. */
export async function countParse<T>(metrics: AttemptMetrics, parse: () => Promise<T>): Promise<T> {
  const engine = "document";
  const from = performance.now();
  let outcome = "parsed";
  try {
    return await parse();
  } catch (error) {
    outcome = error instanceof QuarryError ? error.code : "UNKNOWN_ERROR";
    throw error;
  } finally {
    metrics.attempts.inc({ engine, outcome });
    metrics.attemptSeconds.observe({ engine }, (performance.now() - from) / 1_000);
  }
}
