import { enableCompileCache, getCompileCacheDir } from "node:module";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { buildCompileCacheEnvironment } from "./compile-cache.ts";

it("a thread without another variable of the environment uses the compile cache of its process", async () => {
  enableCompileCache();
  const thread = new Worker(
    `const { getCompileCacheDir } = require("node:module");
     require("node:worker_threads").parentPort.postMessage([getCompileCacheDir(), Object.keys(process.env)]);`,
    { eval: true, env: buildCompileCacheEnvironment() },
  );
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  thread.once("message", resolve).once("error", reject);
  expect(await promise).toEqual([getCompileCacheDir(), ["NODE_COMPILE_CACHE"]]);
  expect(getCompileCacheDir()).toBeDefined();
});
