// A real S3 server in this process, with one bucket.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import S3rver from "s3rver";
import { Secret } from "../src/settings/secret.ts";

export const BUCKET = "pages";
/** The only keys that the server accepts. */
export const BUCKET_KEYS = {
  s3AccessKeyId: new Secret("S3RVER"),
  s3SecretAccessKey: new Secret("S3RVER"),
};

export type BucketServer = {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  close(): void;
};

/** Starts the server; its objects are files in `directory`. The caller closes it. */
export async function startBucket(directory: string): Promise<BucketServer> {
  const s3 = new S3rver({
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  await s3.configureBuckets();
  const server = createServer(s3.getMiddleware());
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
