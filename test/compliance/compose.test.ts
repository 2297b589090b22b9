// The topology of compose.yaml as local processes: commands and settings from the file and the
// image; only the addresses of PostgreSQL and the object store differ.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import S3rver from "s3rver";
import { afterAll, describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { QuarryClient } from "../../client/client.ts";
import { testBrowserExecutable } from "../browser/launch.ts";
import { temporaryFolder } from "../databases.ts";
import { startSite } from "../site/site.ts";

const root = path.resolve(import.meta.dirname, "../..");
const databaseUrl = inject("postgresUrls")["compose"];
const KEY = "key-of-the-test-of-compose";
const SECRET = "secret-of-all-processes-of-the-test";

type Compose = {
  readonly services: Readonly<Record<string, { readonly environment: Record<string, string> }>>;
};

const children: ChildProcess[] = [];
let bucket: Server | undefined;
afterAll(async () => {
  for (const child of children) {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  bucket?.close();
});

async function openBucket(): Promise<string> {
  const s3 = new S3rver({
    directory: await temporaryFolder(),
    silent: true,
    configureBuckets: [{ name: "quarry", configs: [] }],
  });
  await s3.configureBuckets();
  bucket = createServer(s3.getMiddleware());
  bucket.listen(0, "127.0.0.1");
  await once(bucket, "listening");
  return `127.0.0.1:${(bucket.address() as AddressInfo).port}`;
}

/** Starts a service of the file; returns its URL. */
async function start(environment: Record<string, string>, folder: string): Promise<string> {
  const child = spawn(process.execPath, [path.join(root, "bin/quarry.mjs"), "serve"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment, QUARRY_DATA_DIR: folder, QUARRY_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let text = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => {
      text += part.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  child.once("exit", () => reject(new Error(`The process ended: ${text}`)));
  return await promise;
}

describe.skipIf(databaseUrl === undefined)("services of compose.yaml", () => {
  it("an API, two workers, PostgreSQL and an object store crawl together", async () => {
    await using site = await startSite();
    const store = await openBucket();
    const { services } = parse(await readFile(path.join(root, "compose.yaml"), "utf8"), {
      merge: true,
    }) as Compose;
    // Unpacked once for all tests, not in each data folder.
    const browser = await testBrowserExecutable();
    const settingsOf = (name: string): Record<string, string> => {
      const given = services[name]?.environment ?? {};
      const {
        QUARRY_BLOBS: blobs = "",
        QUARRY_API_KEY: key = "",
        QUARRY_SECRET: secret = "",
        ...rest
      } = given;
      expect(given["DATABASE_URL"]).toMatch(/^postgresql:\/\/quarry:quarry@postgres:5432\/quarry$/);
      expect(blobs).toContain("http://blobs:8333");
      expect(key).toMatch(/^\$\{QUARRY_API_KEY:\?.+\}$/);
      expect(secret).toMatch(/^\$\{QUARRY_SECRET:\?.+\}$/);
      return {
        ...rest,
        AWS_ACCESS_KEY_ID: "S3RVER",
        AWS_SECRET_ACCESS_KEY: "S3RVER",
        DATABASE_URL: databaseUrl ?? "",
        QUARRY_BLOBS: blobs.replace("blobs:8333", store),
        QUARRY_API_KEY: KEY,
        QUARRY_SECRET: SECRET,
        QUARRY_EGRESS_ALLOW: "127.0.0.1",
        QUARRY_WORKER_THREADS: "1",
        QUARRY_BROWSER: browser,
      };
    };
    const api = await start(settingsOf("api"), await temporaryFolder());
    const workers = await Promise.all(
      [1, 2].map(async () => start(settingsOf("worker"), await temporaryFolder())),
    );
    for (const url of [api, ...workers])
      await expect
        .poll(async () => (await fetch(`${url}/v0/health/readiness`)).status, { timeout: 60_000 })
        .toBe(200);

    const client = new QuarryClient({ apiUrl: api, apiKey: KEY });
    const job = await client.startCrawl(`${site.url}/list`, { crawlEntireDomain: true, limit: 60 });
    expect(await job.wait()).toMatchObject({ status: "completed", completed: 60 });
    const urls: (string | undefined)[] = [];
    for await (const { metadata, markdown } of job.documents()) {
      urls.push(metadata.url);
      expect(markdown).toBeTypeOf("string");
    }
    expect(new Set(urls).size).toBe(60);
  }, 180_000);
});
