// A program with a data folder and optionally a database URL as arguments: claims the job `sleep`
// of queue.test.ts, reports it, and never ends it.
import { z } from "zod";
import { testConfig } from "../../src/config.ts";
import { createLogger } from "../../src/log.ts";
import { defineJob } from "../../src/queue/definition.ts";
import { createQueue } from "../../src/queue/queue.ts";
import { Secret } from "../../src/settings/secret.ts";
import { openDatabase } from "../../src/store/database/database.ts";

const [, , dataDir = "", url] = process.argv;
const log = createLogger("silent");
const database = await openDatabase(
  testConfig({ dataDir, ...(url === undefined ? {} : { databaseUrl: new Secret(url) }) }),
  log,
);
const sleep = defineJob({
  name: "test.sleep",
  schema: z.object({}),
  retries: 3,
  retryDelaySeconds: 0,
  expireSeconds: 600,
  concurrency: 1,
  handle: () => {
    process.stdout.write("taken\n");
    return new Promise<void>(() => undefined);
  },
});
const queue = createQueue(database, log);
await queue.work([sleep]);
await queue.enqueue(sleep, {});
