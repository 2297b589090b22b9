// The stored load over time, in periods that suit the range.
import { RequestError } from "../errors.ts";
import type { LoadHistory, LoadSampleStore } from "../store/load-samples.ts";
import { LOAD_STEPS } from "../store/load-steps.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Periods in a reply, for each process. */
const MAX_PERIODS = 750;
/** A multiple of those before it, so that each is combined from whole stored periods. */
const STEPS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS] as const;

export type LoadRange = { readonly from?: number | undefined; readonly to?: number | undefined };

/** The smallest step with at most 750 periods, of those stored since `from`. */
export function chooseStep(
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): { readonly stepMs: number; readonly of: keyof typeof LOAD_STEPS } {
  const { short, long } = LOAD_STEPS;
  // Rows are removed every few minutes, so a range of a day may begin before the oldest ones.
  const of = from >= now - short.keptMs - 5 * MINUTE_MS ? "short" : "long";
  const min = Math.max(
    LOAD_STEPS[of].stepMs,
    (to - Math.max(from, now - long.keptMs)) / MAX_PERIODS,
  );
  return { stepMs: STEPS_MS.find((step) => step >= min) ?? STEPS_MS[3], of };
}

/** Reads the last 24 hours by default. Throws BAD_REQUEST for a range that ends before it begins. */
export async function readLoadHistory(
  samples: Pick<LoadSampleStore, "read">,
  range: LoadRange,
  now: number = Date.now(),
): Promise<LoadHistory & { from: number; to: number; stepMs: number }> {
  const to = range.to ?? now;
  const from = range.from ?? Math.max(0, to - DAY_MS);
  if (from >= to) {
    const [start, end] = [from, to].map((at) => new Date(at).toISOString());
    throw new RequestError("BAD_REQUEST", `from (${start}) must be before to (${end}).`);
  }
  const { stepMs, of } = chooseStep({ from, to }, now);
  return { from, to, stepMs, ...(await samples.read({ from, to, stepMs, of })) };
}
