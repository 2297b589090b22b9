// Categories of results and the sites they consist of.
import { isWithin } from "./sites.ts";

export type Category = "github" | "research" | "pdf" | "developer";

const RESEARCH = [
  "arxiv.org",
  "biorxiv.org",
  "medrxiv.org",
  "pubmed.ncbi.nlm.nih.gov",
  "ncbi.nlm.nih.gov",
  "nature.com",
  "science.org",
  "sciencedirect.com",
  "link.springer.com",
  "ieeexplore.ieee.org",
  "dl.acm.org",
  "semanticscholar.org",
  "plos.org",
  "jstor.org",
] as const;

const DEVELOPER = [
  "stackoverflow.com",
  "github.com",
  "developer.mozilla.org",
  "docs.python.org",
  "learn.microsoft.com",
  "nodejs.org",
  "docs.rs",
  "pkg.go.dev",
  "npmjs.com",
  "pypi.org",
  "readthedocs.io",
] as const;

/** The sites of a category; undefined for a category defined by file type. */
export const CATEGORY_SITES: Readonly<Record<Category, readonly string[] | undefined>> = {
  github: ["github.com"],
  research: RESEARCH,
  developer: DEVELOPER,
  pdf: undefined,
};

/** Returns the first of the categories that the page belongs to. */
export function findCategory(
  url: string,
  categories: readonly Category[],
  isPdf = false,
): Category | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  return categories.find((category) => {
    const sites = CATEGORY_SITES[category];
    if (sites === undefined) return isPdf || /\.pdf$/i.test(parsed.pathname);
    return sites.some((site) => isWithin(parsed.hostname, site));
  });
}
