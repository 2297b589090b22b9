// Adds sites and file types to the query text in the syntax every web search engine supports.
import { CATEGORY_SITES } from "../categories.ts";
import type { ProviderRequest } from "../provider.ts";

/** Returns the caller's query restricted to its sites. */
export function toTextQuery({
  query,
  includeDomains,
  excludeDomains,
  categories,
}: ProviderRequest): string {
  const parts = [query];
  const included = includeDomains.map((domain) => `site:${domain}`);
  if (included.length > 0) parts.push(joinAlternatives(included));
  parts.push(...excludeDomains.map((domain) => `-site:${domain}`));
  const kinds = categories.flatMap(
    (category) => CATEGORY_SITES[category]?.map((site) => `site:${site}`) ?? ["filetype:pdf"],
  );
  if (kinds.length > 0) parts.push(joinAlternatives(kinds));
  return parts.join(" ");
}

const joinAlternatives = (parts: readonly string[]): string =>
  parts.length === 1 ? (parts[0] ?? "") : `(${parts.join(" OR ")})`;
