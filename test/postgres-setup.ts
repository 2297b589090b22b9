// Starts PostgreSQL once for all compliance tests; where that is impossible they are told why and skip.
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Database URLs, one for each suite that asks; empty when PostgreSQL cannot run here. */
    postgresUrls: Record<string, string>;
    postgresMissing: string;
  }
}

/** Suites that need a database of their own, by name. */
const SUITES = [
  "agents",
  "browser sessions",
  "change histories",
  "store",
  "account",
  "accounts",
  "shared rates",
  "shared concurrency",
  "migrations",
  "jobs",
  "job list",
  "job runs",
  "older jobs",
  "frontier",
  "deliveries",
  "webhooks",
  "kills",
  "queue",
  "roles",
  "secrets",
  "compose",
  "politeness",
  "searches",
  "tallies of sites",
] as const;

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  try {
    const server = await startPostgres();
    const urls: Record<string, string> = {};
    for (const suite of SUITES) urls[suite] = await server.createDatabase();
    project.provide("postgresUrls", urls);
    project.provide("postgresMissing", "");
    return () => server.stop();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    project.provide("postgresUrls", {});
    project.provide("postgresMissing", reason);
    process.stderr.write(`PostgreSQL tests are skipped: ${reason}\n`);
    return undefined;
  }
}
