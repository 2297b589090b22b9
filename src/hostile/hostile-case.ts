// The interface of a hostile case and its context.
import type { Canary } from "./canary.ts";
import type { HostileSite } from "./hostile-site.ts";
import type { Target } from "./target.ts";

export type Severity = "critical" | "high" | "medium" | "low";

export type Outcome = "held" | "broke" | "skipped";

export type Finding = {
  readonly outcome: Outcome;
  /** Observations: counts, statuses, times. */
  readonly evidence: string;
};

/** A capability the case needs; without it the case is skipped. */
export type Need = "browser" | "crawl" | "map";

export type HostileCase = {
  readonly name: string;
  /** Description of the attack. */
  readonly attack: string;
  /** Behavior of a server that passes. */
  readonly promise: string;
  readonly severity: Severity;
  readonly needs?: readonly Need[];
  /** Time limit of the whole case, milliseconds. */
  readonly budgetMs: number;
  readonly run: (context: CaseContext) => Promise<Finding>;
};

export type CaseContext = {
  readonly target: Target;
  /** The hostile site, which the target may reach. */
  readonly site: HostileSite;
  /** Listens where the target may not connect. */
  readonly canary: Canary;
  /** A fraction of the full size, for continuous integration. */
  readonly isSmall: boolean;
  /**
   * Peak memory in bytes of the target and its children since the case started; undefined without
   * `--pid`.
   */
  readonly peakMemory: () => number | undefined;
  /** Aborts when the time limit is reached. */
  readonly signal: AbortSignal;
};

export const reportHeld = (evidence: string): Finding => ({ outcome: "held", evidence });
export const reportBroke = (evidence: string): Finding => ({ outcome: "broke", evidence });
export const reportSkipped = (evidence: string): Finding => ({ outcome: "skipped", evidence });
