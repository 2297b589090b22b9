// A thread that strips types and compresses the console's modules. It ends after each set of files,
// so that the server keeps neither the compiler's memory nor its CPU time.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import { COMPRESSION_LEVEL } from "./compression.ts";

export type AssetJob = readonly { readonly url: string; readonly file: string }[];
export type BuiltAsset = {
  readonly url: string;
  readonly gzip: Uint8Array;
};

// Hides Node's experimental warning; the version of Node is pinned with the project.
process.removeAllListeners("warning");

for (const { url, file } of workerData as AssetJob) {
  const body = stripTypeScriptTypes(readFileSync(file, "utf8"));
  // A message clones the whole memory behind a view: a small Buffer would bring the pool along.
  const gzip = new Uint8Array(gzipSync(body, { level: COMPRESSION_LEVEL }));
  parentPort?.postMessage({ url, gzip } satisfies BuiltAsset, [gzip.buffer]);
}
