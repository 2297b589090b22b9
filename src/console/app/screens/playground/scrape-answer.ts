// The parts of a scrape's answer and explanation that the console shows.
import type { Document } from "../../../../contract/page/document.ts";

export type Attempt = {
  readonly engine: string;
  readonly proxy: string;
  readonly renderedBy?: string;
  readonly outcome: string;
  readonly statusCode?: number;
  readonly verdict?: { readonly kind: string; readonly reason: string };
  readonly ms: number;
};

export type Removal = {
  readonly step: string;
  readonly rule: string;
  readonly path: string;
  readonly words: number;
  readonly sample: string;
  readonly score?: number;
};

/** As in the contract, of which the console gets the types only. */
export const MIN_KIND_PROBABILITY = 0.5;

export type KindGuess = { readonly kind: string; readonly probability: number };

export type MainContent =
  | { readonly level: "generator"; readonly generator: string }
  | {
      readonly level: string;
      readonly kind: KindGuess;
      readonly strictness: number;
      readonly cut: number;
      readonly confidence: number;
      readonly words: number;
      readonly keptWords: number;
    };

/** A step of the work, below the one at index `parent`. */
export type TraceSpan = {
  readonly name: string;
  readonly parent?: number;
  readonly startMs: number;
  readonly ms?: number;
  readonly failed?: true;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
};

export type Explanation = {
  readonly plan: {
    readonly attempts: readonly { readonly engine: string; readonly proxy: string }[];
  };
  readonly attempts: readonly Attempt[];
  readonly verdict?: { readonly kind: string; readonly reason: string };
  readonly cache: string;
  readonly charset?: string;
  readonly creditsUsed?: number;
  readonly timings: Readonly<Record<string, number>>;
  /** Missing with zero data retention. */
  readonly trace?: readonly TraceSpan[];
  readonly removals?: readonly Removal[];
  readonly contentWords?: number;
  readonly metadataSources?: Readonly<Record<string, string>>;
  readonly mainContent?: MainContent;
  readonly overlay?: string;
};

export type ScrapeAnswer = {
  readonly success: boolean;
  readonly data?: Document;
  readonly explanation?: Explanation;
  readonly error?: string;
};
