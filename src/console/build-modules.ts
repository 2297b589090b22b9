import { Worker } from "node:worker_threads";
import { InternalError } from "../errors.ts";
import type { AssetJob, BuiltAsset } from "./asset-worker.ts";

/** Strips and compresses modules in a thread; each promise settles when its file is done. */
export function buildModules(job: AssetJob): Map<string, Promise<Uint8Array>> {
  const waiting = new Map(job.map(({ url }) => [url, Promise.withResolvers<Uint8Array>()]));
  const worker = new Worker(new URL("asset-worker.ts", import.meta.url), {
    workerData: job.map(({ url, file }) => ({ url, file })),
  });
  worker.unref();
  const fail = (cause: unknown): void => {
    for (const { reject } of waiting.values())
      reject(new InternalError("A file of the console could not be built.", { cause }));
  };
  worker.on("message", (built: BuiltAsset) => waiting.get(built.url)?.resolve(built.gzip));
  worker.once("error", fail);
  // Promises that have settled ignore the end of the thread.
  worker.once("exit", fail);
  return new Map(
    [...waiting].map(([url, { promise }]) => {
      promise.catch(() => undefined);
      return [url, promise];
    }),
  );
}
