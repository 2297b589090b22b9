// A data folder with a new database, made once for all services of the contract tests: copying it takes milliseconds.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { testConfig } from "../src/config.ts";
import { createLogger } from "../src/log.ts";
import { openStore } from "../src/store/store.ts";

declare module "vitest" {
  interface ProvidedContext {
    dataTemplate: string;
  }
}

/** Runs once before the contract tests; what it returns runs after them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-template-"));
  if (process.env["BASE_URL"] === undefined) {
    const store = await openStore(testConfig({ dataDir: folder }), createLogger("silent"));
    await store.close();
  }
  provide("dataTemplate", folder);
  return () => rm(folder, { recursive: true, force: true });
}
