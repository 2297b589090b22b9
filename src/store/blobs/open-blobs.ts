import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../config.ts";
import { withSpan } from "../../telemetry/tracing.ts";
import type { BlobStore } from "./blobs.ts";
import { createBlobFolder } from "./blob-folder.ts";

/**
 * Returns the folder of a `file:` setting: `file:FOLDER`, relative or absolute, or a `file://` URL.
 */
function resolveFolder(setting: string): string {
  return setting.startsWith("file://") ? fileURLToPath(setting) : setting.slice("file:".length);
}

async function openStore(config: Config): Promise<BlobStore> {
  if (config.blobs === undefined) return createBlobFolder(path.join(config.dataDir, "blobs"));
  if (config.blobs.startsWith("file:")) return createBlobFolder(resolveFolder(config.blobs));
  const { openBlobBucket, parseS3Location } = await import("./blob-s3.ts");
  return openBlobBucket(parseS3Location(config.blobs), config);
}

/** Opens the configured blob store, by default `blobs` in the data folder. Throws ConfigError. */
export async function openBlobs(config: Config): Promise<BlobStore> {
  const store = await openStore(config);
  return {
    ...store,
    put: (bytes, packed) =>
      withSpan("blob.put", { "quarry.bytes": bytes.length }, () => store.put(bytes, packed)),
  };
}
