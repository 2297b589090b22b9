// The only file that uses the S3 client, loaded when such a store is opened.
import type { Config } from "../../config.ts";
import { ConfigError } from "../../config.ts";
import {
  BLOB_GRACE_MS,
  RecentBlobs,
  createBlobError,
  computeBlobRef,
  isBlobRef,
  packBlob,
  unpackBlob,
  type BlobEntry,
  type BlobStore,
} from "./blobs.ts";

const SUFFIX = ".zst";

export type S3Location = {
  readonly bucket: string;
  /** Empty, or ends with "/". */
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly forcePathStyle: boolean;
};

/** Parses `s3://bucket/prefix?region=…&endpoint=…&forcePathStyle=true`; throws ConfigError. */
export function parseS3Location(text: string): S3Location {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?(\?.*)?$/.exec(text);
  if (match === null)
    throw new ConfigError(`QUARRY_BLOBS: ${text} is not of the form s3://bucket/prefix?region=…`);
  const query = new URLSearchParams(match[3] ?? "");
  const known = ["region", "endpoint", "forcePathStyle"];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`QUARRY_BLOBS: unknown parameter ${unknown}`);
  const endpoint = query.get("endpoint") ?? undefined;
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    throw new ConfigError("QUARRY_BLOBS: endpoint must be an http or https URL");
  const prefix = (match[2] ?? "").replace(/^\/+|\/+$/g, "");
  return {
    bucket: match[1] ?? "",
    prefix: prefix === "" ? "" : `${prefix}/`,
    region: query.get("region") ?? "us-east-1",
    endpoint,
    // Stores other than Amazon's rarely support bucket.host addresses.
    forcePathStyle: (query.get("forcePathStyle") ?? String(endpoint !== undefined)) === "true",
  };
}

function isMissing(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return name === "NoSuchKey" || name === "NotFound" || $metadata?.httpStatusCode === 404;
}

/**
 * Stores blobs as objects `prefix/ab/abcd….zst`. Without keys in the settings the client finds
 * credentials itself.
 */
export async function openBlobBucket(
  location: S3Location,
  credentials: Pick<Config, "s3AccessKeyId" | "s3SecretAccessKey">,
): Promise<BlobStore> {
  const s3 = await import("@aws-sdk/client-s3");
  const { s3AccessKeyId, s3SecretAccessKey } = credentials;
  const client = new s3.S3Client({
    region: location.region,
    forcePathStyle: location.forcePathStyle,
    // The newer default sends checksum trailers that many compatible stores cannot read.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    ...(s3AccessKeyId === undefined || s3SecretAccessKey === undefined
      ? {}
      : {
          credentials: {
            accessKeyId: s3AccessKeyId.reveal(),
            secretAccessKey: s3SecretAccessKey.reveal(),
          },
        }),
  });
  const recent = new RecentBlobs();
  const at = (ref: string) => ({
    Bucket: location.bucket,
    Key: `${location.prefix}${ref.slice(0, 2)}/${ref}${SUFFIX}`,
  });

  /** Returns when the blob was last put; undefined when it is missing. */
  async function readPutTime(ref: string): Promise<number | undefined> {
    try {
      const head = await client.send(new s3.HeadObjectCommand(at(ref)));
      return head.LastModified?.getTime() ?? 0;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async function* list(): AsyncIterable<BlobEntry> {
    const pages = s3.paginateListObjectsV2(
      { client },
      { Bucket: location.bucket, Prefix: location.prefix },
    );
    try {
      for await (const page of pages)
        for (const object of page.Contents ?? []) {
          const key = object.Key ?? "";
          const ref = key.slice(key.lastIndexOf("/") + 1, -SUFFIX.length);
          if (!isBlobRef(ref) || at(ref).Key !== key) continue;
          yield {
            ref,
            storedBytes: object.Size ?? 0,
            putAt: object.LastModified?.getTime() ?? Date.now(),
          };
        }
    } catch (error) {
      throw createBlobError("listing", error);
    }
  }

  async function remove(
    ref: string,
    { putBefore }: { readonly putBefore?: number } = {},
  ): Promise<void> {
    if (!isBlobRef(ref)) return;
    try {
      if (putBefore !== undefined && ((await readPutTime(ref)) ?? Infinity) >= putBefore) return;
      recent.delete(ref);
      await client.send(new s3.DeleteObjectCommand(at(ref)));
    } catch (error) {
      if (!isMissing(error)) throw createBlobError("deleting", error);
    }
  }

  return {
    list,
    async put(bytes, given) {
      const ref = computeBlobRef(bytes);
      if (recent.has(ref)) return ref;
      try {
        const putAt = await readPutTime(ref);
        if (putAt === undefined || Date.now() - putAt > BLOB_GRACE_MS / 2) {
          const packed = given ?? (await packBlob(bytes));
          await client.send(
            new s3.PutObjectCommand({
              ...at(ref),
              Body: packed,
              ContentLength: packed.byteLength,
              ContentType: "application/zstd",
            }),
          );
        }
      } catch (error) {
        throw createBlobError("writing", error);
      }
      recent.add(ref);
      return ref;
    },
    async get(ref, { keepDamaged = false } = {}) {
      if (!isBlobRef(ref)) return undefined;
      let packed;
      try {
        const answer = await client.send(new s3.GetObjectCommand(at(ref)));
        packed = await answer.Body?.transformToByteArray();
      } catch (error) {
        recent.delete(ref);
        if (isMissing(error)) return undefined;
        throw createBlobError("reading", error);
      }
      const bytes = packed === undefined ? undefined : await unpackBlob(packed, ref);
      if (bytes === undefined && !keepDamaged) await remove(ref);
      return bytes;
    },
    delete: remove,
    async close() {
      client.destroy();
    },
  };
}
