// Permissions of keys. Each endpoint needs one scope: its capability's, unless its entry names
// another.
import { JOB_CAPABILITIES, type JobCapability } from "../jobs/kinds.ts";
import type { Capability } from "./capabilities.ts";

export const SCOPES = ["read", "scrape", "jobs", "admin"] as const;

/**
 * `read`: GET endpoints made for readers. `scrape`: scrape, map, search, parse and reading their
 * results. `jobs`: crawl, batch, extract, extractors, agent, monitors, interact, browser sessions
 * and reading their results. `admin`: the operator's routes under /admin.
 */
export type Scope = (typeof SCOPES)[number];

export const DEFAULT_SCOPES: readonly Scope[] = ["read", "scrape", "jobs"];

/** Endpoints with `any` accept every valid key: server capabilities and the caller's usage. */
const SCOPE_BY_CAPABILITY: Readonly<Record<Capability, Scope | "any">> = {
  scrape: "scrape",
  map: "scrape",
  search: "scrape",
  parse: "scrape",
  uploads: "scrape",
  ...toRecord(JOB_CAPABILITIES, "jobs"),
  crawlPreview: "jobs",
  interact: "jobs",
  browser: "jobs",
  extractors: "jobs",
  jobs: "jobs",
  monitor: "jobs",
  feedback: "any",
  team: "any",
  capabilities: "any",
};

function toRecord(names: readonly JobCapability[], scope: Scope): Record<JobCapability, Scope> {
  return Object.fromEntries(names.map((name) => [name, scope])) as Record<JobCapability, Scope>;
}

export function getScope({
  capability,
  scope,
}: {
  readonly capability: Capability;
  readonly scope?: Scope;
}): Scope | "any" {
  return scope ?? SCOPE_BY_CAPABILITY[capability];
}
