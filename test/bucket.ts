// A real S3 server with one bucket, in a process of its own: it needs an option of Node to list more than 1,000 objects.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
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

const program = path.join(
  path.dirname(createRequire(import.meta.url).resolve("s3rver/package.json")),
  "bin/s3rver.js",
);

/** Starts the server; its objects are files in `directory`. The caller closes it. */
export async function startBucket(directory: string): Promise<BucketServer> {
  const options = ["--directory", directory, "--address", "127.0.0.1", "--port", "0", "--silent"];
  const child = spawn(
    process.execPath,
    // Tokens of further pages are encrypted by a cipher that OpenSSL 3 has there only.
    ["--openssl-legacy-provider", program, ...options, "--configure-bucket", BUCKET],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  const close = (): void => void child.kill("SIGKILL");
  process.once("exit", close);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    const address = /listening on (127\.0\.0\.1:\d+)/.exec(output)?.[1];
    if (address !== undefined) resolve(address);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  child.on("error", reject);
  child.on("close", () => reject(new Error(`the S3 server ended: ${output}`)));
  return { endpoint: `http://${await promise}`, close };
}
