// What a key may do. Each endpoint of the registry needs one scope.

export const SCOPES = ["read", "scrape", "jobs", "admin"] as const;

/**
 * `read`: GET endpoints made for readers, capabilities and the caller's usage. `scrape`: scrape, map, search, parse and
 * reading their results. `jobs`: crawl, batch, extract, agent, interact, browser sessions and reading their results.
 * `admin`: the operator's routes under /admin.
 */
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_SCOPES: readonly Scope[] = ["read", "scrape", "jobs"];
