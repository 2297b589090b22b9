// The S3 store fails for half a minute in the middle of a crawl whose pages are too large for a
// database row. Pages must wait, the job must warn, and no page may end as an error. --outage-s3
// (seconds), --generated-s3.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import S3rver from "s3rver";
import { startPostgres } from "../../test/postgres.ts";
import { readCount, type Row, type Scenario } from "./scenario.ts";
import { openService } from "./service-under-test.ts";

const FAULT = "S3 outage";
/** Pages of about 16 kB as Markdown. */
const PARAGRAPHS_PER_PAGE = 60;
const BUCKET = "quarry-faults";

type Store = {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

async function startStore(): Promise<Store> {
  const directory = mkdtempSync(path.join(os.tmpdir(), "quarry-s3-"));
  const s3 = new S3rver({
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  await s3.configureBuckets();
  let server: Server | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    server = createServer(s3.getMiddleware());
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(port, "127.0.0.1", resolve);
    await promise;
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server?.close(() => resolve());
    server?.closeAllConnections();
    await promise;
  };
  await start();
  return {
    url: `s3://${BUCKET}/faults?region=us-east-1&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    start,
    stop,
    async close() {
      await stop().catch(() => undefined);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function run(): Promise<Row> {
  const pages = readCount("generated-s3", 800);
  const outageMs = readCount("outage-s3", 30) * 1_000;
  const database = await startPostgres();
  const store = await startStore();
  const service = await openService({
    port: readCount("port", 3906),
    pages,
    paragraphs: PARAGRAPHS_PER_PAGE,
    workers: 1,
    settings: {
      DATABASE_URL: await database.createDatabase(),
      QUARRY_BLOBS: store.url,
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
    },
  });
  try {
    const id = await service.startCrawl();
    while (((await service.status(id))?.completed ?? 0) < pages / 8) await sleep(100);
    await store.stop();
    const until = performance.now() + outageMs;
    let warned = false;
    let reported = false;
    while (performance.now() < until) {
      await sleep(1_000);
      warned ||= ((await service.status(id))?.warning ?? "").includes("store");
      reported ||= (await service.readiness()).status === 503;
    }
    await store.start();
    const { status } = await service.end(id);
    const judged = await service.judge(id);
    return {
      fault: `${FAULT} of ${outageMs / 1_000} s, pages of 16 kB`,
      times: 1,
      expected: pages,
      lost: judged.lost,
      twice: judged.doubled,
      checks: {
        completed: status === "completed",
        "the job warned": warned,
        "readiness 503 while down": reported,
        "ledger adds up": judged.ledgerAddsUp,
        "every page has its event": judged.unevented === 0,
      },
    };
  } finally {
    await service.close();
    await store.close();
    await database.stop();
  }
}

export const blobOutage: Scenario = { name: "blob-outage", run };
