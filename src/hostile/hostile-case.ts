// What a case of the hostile web is, and what it may use.
import type { Canary } from "./canary.ts";
import type { HostileSite } from "./hostile-site.ts";
import type { Target } from "./target.ts";

export type Severity = "critical" | "high" | "medium" | "low";

export type Outcome = "held" | "broke" | "skipped";

export type Finding = {
  readonly outcome: Outcome;
  /** What was seen: counts, statuses, times. */
  readonly evidence: string;
};

/** What a case needs of the target; without it the case is skipped. */
export type Need = "browser" | "crawl" | "map";

export type HostileCase = {
  readonly name: string;
  /** What the attack does. */
  readonly attack: string;
  /** What a server that holds does. */
  readonly promise: string;
  readonly severity: Severity;
  readonly needs?: readonly Need[];
  /** Milliseconds for the whole case. */
  readonly budgetMs: number;
  readonly run: (context: CaseContext) => Promise<Finding>;
};

export type CaseContext = {
  readonly target: Target;
  /** The hostile site; the target must be allowed to reach it. */
  readonly site: HostileSite;
  /** Listens where the target must not get. */
  readonly canary: Canary;
  /** A part of the full size, for continuous integration. */
  readonly isSmall: boolean;
  /** Peak memory in bytes of the target and its children since the case began; undefined without `--pid`. */
  readonly peakMemory: () => number | undefined;
  /** Aborts when the budget is spent. */
  readonly signal: AbortSignal;
};

export const held = (evidence: string): Finding => ({ outcome: "held", evidence });
export const broke = (evidence: string): Finding => ({ outcome: "broke", evidence });
export const skipped = (evidence: string): Finding => ({ outcome: "skipped", evidence });
