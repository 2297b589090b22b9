// A thread that strips types and compresses the console's files. It ends after each set of files,
// so that the server keeps neither the compiler's memory nor its CPU time.
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";

export type AssetJob = readonly { readonly url: string; readonly file: string }[];
export type BuiltAsset = {
  readonly url: string;
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
};

const COMPRESSION_LEVEL = 9;

// Hides Node's experimental warning; the version of Node is pinned with the project.
process.removeAllListeners("warning");

for (const { url, file } of workerData as AssetJob) {
  const source = readFileSync(file, "utf8");
  const body = Buffer.from(file.endsWith(".ts") ? stripTypeScriptTypes(source) : source);
  // A message clones the whole memory behind a view: a small Buffer would bring the pool along.
  const built = {
    url,
    body: new Uint8Array(body),
    gzip: new Uint8Array(gzipSync(body, { level: COMPRESSION_LEVEL })),
  } satisfies BuiltAsset;
  parentPort?.postMessage(built, [built.body.buffer, built.gzip.buffer]);
}
