// Steps of an answer, as printed by --explain.
import type { Rendering } from "../capture.ts";
import type { Plan } from "../engines/plan.ts";
import type { Verdict } from "../html/evidence/verdict.ts";
import type { Explanation } from "../formats/derivation.ts";
import type { RecordedSpan } from "../telemetry/span-recorder.ts";
import { withSpan } from "../telemetry/tracing.ts";

export type Trail = {
  /** The engine; with ", then document" if a file was parsed. */
  readonly engine: string;
  readonly proxy: string;
  /** The browser that rendered the page. */
  readonly renderedBy?: string | undefined;
  /** How the browser loaded it. */
  readonly rendering?: Rendering | undefined;
  /** "captured", or the code of the error that ended the attempt. */
  readonly outcome: string;
  readonly statusCode?: number;
  readonly verdict?: Verdict;
  readonly ms: number;
};

/** Explanation of a failed scrape. */
export type FailureExplanation = {
  readonly plan: Plan;
  readonly attempts: readonly Trail[];
  readonly cache: "hit" | "miss" | "not used";
  /** Milliseconds by step, in order. */
  readonly timings: Readonly<Record<string, number>>;
  /** Spans of the work; missing with zero data retention. */
  readonly trace?: readonly RecordedSpan[];
};

/** Facts about every scrape. */
export type FetchExplanation = FailureExplanation & {
  readonly verdict: Verdict;
  /** The browser that rendered the cached page. */
  readonly renderedBy?: string | undefined;
  readonly charset: string | undefined;
  readonly creditsUsed: number;
};

export type ScrapeExplanation = FetchExplanation & Partial<Explanation>;

/** Names of the spans of the steps. */
const STEP_SPANS: Readonly<Record<string, string>> = {
  queue: "queue.wait",
  cache: "cache.read",
  fetch: "engine.fetch",
  derive: "convert",
  parse: "document.parse",
  understand: "understand",
  save: "result.save",
  audio: "audio.fetch",
};

/** Measures the steps of one scrape, each as a span. */
export class Stopwatch {
  readonly #started = performance.now();
  readonly #steps = new Map<string, number>();

  async measure<T>(step: string, work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await withSpan(STEP_SPANS[step] ?? step, {}, work);
    } finally {
      this.add(step, performance.now() - from);
    }
  }

  add(step: string, ms: number): void {
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + ms);
  }

  /** Returns milliseconds by step, rounded to hundredths, with the total last. */
  read(): Record<string, number> {
    const roundMs = (ms: number): number => Math.round(ms * 100) / 100;
    return Object.fromEntries([
      ...[...this.#steps].map(([step, ms]) => [step, roundMs(ms)]),
      ["total", roundMs(performance.now() - this.#started)],
    ]);
  }

  getSteps(): ReadonlyMap<string, number> {
    return this.#steps;
  }
}
