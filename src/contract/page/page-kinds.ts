/** The kinds of pages that main content is found for, in the order in which they are compared. */
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
