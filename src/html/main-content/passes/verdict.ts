/** Reason why a block is kept or dropped. */
export type Verdict =
  | "kept"
  | "kept-heading"
  | "dropped"
  | "repeated"
  /** Most pages of the site contain it. */
  | "site"
  /** It links from an article to others. */
  | "pointer"
  /** It is part of another article. */
  | "foreign"
  | "lone-heading";

/** True for every verdict that keeps a block. */
export const isKept = (verdict: Verdict | undefined): boolean =>
  verdict === "kept" || verdict === "kept-heading";
