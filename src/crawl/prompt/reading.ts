// Interpretation of a prompt by rules, before anything is known about the site.
import type { CrawlRequest } from "../../contract/jobs/crawl.ts";

/** Crawl options that a prompt may set. */
export type PromptOptions = Pick<
  CrawlRequest,
  | "includePaths"
  | "excludePaths"
  | "maxDiscoveryDepth"
  | "limit"
  | "crawlEntireDomain"
  | "allowExternalLinks"
  | "allowSubdomains"
  | "sitemap"
  | "ignoreQueryParameters"
  | "deduplicateSimilarURLs"
  | "delay"
>;

/** A part of the site as worded in the prompt. */
export type Place = {
  readonly polarity: "include" | "exclude";
  /** Text of the prompt. */
  readonly text: string;
  readonly what:
    | { readonly kind: "path"; readonly path: string }
    /** `within` is a path that the prompt names with the words: "tutorials from /docs". */
    | { readonly kind: "words"; readonly words: readonly string[]; readonly within?: string };
};

export type PromptUnderstanding = { readonly text: string; readonly as: string };
export type PromptNotUnderstood = { readonly text: string; readonly reason?: string };

export type PromptReading = {
  readonly options: PromptOptions;
  readonly places: readonly Place[];
  readonly understood: readonly PromptUnderstanding[];
  readonly notUnderstood: readonly PromptNotUnderstood[];
};
