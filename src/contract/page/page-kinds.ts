/** The kinds of pages for main content, in the order of comparison. */
export const PAGE_KINDS = [
  "article",
  "documentation",
  "service",
  "forum",
  "listing",
  "collection",
  "product",
] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/** Below this probability the kind of a page counts as unknown. */
export const MIN_KIND_PROBABILITY = 0.5;
