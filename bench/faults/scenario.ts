// A fault and its expected effects on a crawl. Each scenario is one file of this folder;
// `bench/faults.ts` runs them.
import { readArgument } from "../pages.ts";

/** One row of the published table. */
export type Row = {
  readonly fault: string;
  /** Number of times the fault was injected. */
  readonly times: number;
  /** Expected number of pages or scrapes. */
  readonly expected: number;
  readonly lost: number;
  readonly twice: number;
  /** Observed facts that must hold, by name; false ends the run with exit code 1. */
  readonly checks: Readonly<Record<string, boolean>>;
  readonly note?: string;
};

export type Scenario = {
  readonly name: string;
  /** Undefined when it can run here, otherwise the reason. */
  readonly whyNot?: () => string | undefined;
  readonly run: () => Promise<Row>;
};

export const isHeld = (row: Row): boolean =>
  row.lost === 0 && row.twice === 0 && Object.values(row.checks).every(Boolean);

/** A whole number given on the command line. */
export function readCount(name: string, fallback: number): number {
  const value = Number(readArgument(name, String(fallback)));
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`--${name} must be a whole number, not "${readArgument(name)}"`);
  return value;
}

let state = readCount("seed", 1);

/** A number below `limit`; the same sequence for the same --seed. */
export function draw(limit: number): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * limit);
}
