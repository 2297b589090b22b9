// Starts PostgreSQL once for all compliance tests; if that fails they skip with the reason.
import type { TestProject } from "vitest/node";
import { startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Database URLs per suite; empty when PostgreSQL cannot run here. */
    postgresUrls: Record<string, string>;
    postgresMissing: string;
  }
}

/** Suites that need their own database. */
const SUITES = [
  "load samples",
  "queue age",
  "pooler",
  "replica",
  "replica copy",
  "agents",
  "browser sessions",
  "change histories",
  "store",
  "account",
  "accounts",
  "shared rates",
  "shared concurrency",
  "migrations",
  "move",
  "move to a bucket",
  "move of damaged blobs",
  "jobs",
  "job list",
  "job runs",
  "monitors",
  "days of monitors",
  "kept checks of monitors",
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
  "search index",
  "search of long pages",
  "tallies of sites",
  "agent runs",
  "files",
  "site tallies",
  "webhook deliveries",
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
