// A data folder with a new database, created once per project: copying it takes milliseconds.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { createTestConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";
import { openStore } from "../src/store/store.ts";

declare module "vitest" {
  interface ProvidedContext {
    dataTemplate: string;
    /** BASE_URL without a trailing slash; "" when the tests start their own services. */
    remoteUrl: string;
  }
}

/** Runs once before the tests; the returned function runs after them. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-template-"));
  // Read here, because the test runner sets its own BASE_URL in worker threads.
  const remoteUrl = (process.env["BASE_URL"] ?? "").replace(/\/+$/, "");
  if (remoteUrl === "") {
    const store = await openStore(createTestConfig({ dataDir: folder }), createLogger("silent"));
    await store.close();
  }
  provide("dataTemplate", folder);
  provide("remoteUrl", remoteUrl);
  return () => rm(folder, { recursive: true, force: true });
}
