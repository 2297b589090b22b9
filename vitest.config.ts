import os from "node:os";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/sequencer.ts";

/** Of a worker with its browser and servers. */
const WORKER_BYTES = 2 * 1024 ** 3;
/**
 * Tests wait for sites and timeouts: two workers per core leave a fifth of two cores idle, three keep
 * them busy. A machine with less memory has fewer.
 */
const workers = Math.max(
  2,
  Math.min(os.availableParallelism() + 4, Math.floor(os.totalmem() / WORKER_BYTES)),
);

const project = (name: string, include: string[], extra: object = {}) => ({
  test: {
    name,
    include,
    // For the busiest machine: what hangs is found out later, what is slow does not fail.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is waited for may take long on a busy machine; a second is the default.
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: workers,
    // As bin/quarry.mjs does: Node 24 aborts now and then when threads with WebAssembly end (nodejs/node#66366).
    execArgv: ["--no-wasm-code-gc"],
    // Files share processes, one after the other: what all of them import is loaded once per process, not once per file.
    isolate: false,
    // Node loads the TypeScript itself, as in production: nothing is transformed, and calls between modules are not slowed
    // down by an access to the module at each use. No test mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Compiled code is kept for the next run and for the threads and processes that the tests start.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, "node_modules/.cache/quarry") },
    ...extra,
  },
});

/** Projects with laws: their cases are the same at every run. */
const seeded = { setupFiles: ["test/property-seed.ts"] };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      project("unit", ["src/**/!(*.browser).test.ts", "client/**/*.test.ts"], {
        ...seeded,
        globalSetup: ["test/service-setup.ts"],
      }),
      project("browser", ["src/**/*.browser.test.ts", "test/browser/**/*.test.ts"]),
      project("console", ["test/console/**/*.test.ts"], {
        globalSetup: ["test/service-setup.ts"],
      }),
      project("architecture", ["test/architecture/**/*.test.ts"]),
      project(
        "golden",
        ["test/golden/**/*.test.ts", "test/round-trip/**/*.test.ts", "test/facts/**/*.test.ts"],
        seeded,
      ),
      project("contract", ["test/contract/**/*.test.ts"], {
        globalSetup: ["test/service-setup.ts"],
      }),
      project("compliance", ["test/compliance/**/*.test.ts"], {
        globalSetup: ["test/postgres-setup.ts", "test/service-setup.ts"],
        setupFiles: [...seeded.setupFiles, "test/folders-setup.ts"],
      }),
    ],
  },
});
