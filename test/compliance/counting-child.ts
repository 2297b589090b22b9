// A program with a data folder, a job id and optionally a database URL as arguments: runs a counting
// job and prints each number that an attempt continues from, until it is killed or the job ends.
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { Secret } from "../../src/settings/secret.ts";
import { openStore } from "../../src/store/store.ts";
import { openCounting } from "../counting-kind.ts";

const [, , dataDir = "", jobId = "", url] = process.argv;
const store = await openStore(
  createTestConfig({ dataDir, ...(url === undefined ? {} : { databaseUrl: new Secret(url) }) }),
  createLogger("silent"),
);
process.stdout.write("open\n");
// The lease of a killed process would keep the run for a minute.
await store.runs.releaseAll(Date.now());
const ended = Promise.withResolvers<void>();
const service = openCounting(store, {
  before: (number) => void process.stdout.write(`${number}\n`),
});
service.onEnd((id) => {
  if (id === jobId) ended.resolve();
});
await service.start();
await ended.promise;
process.stdout.write("ended\n");
await service.close();
await store.close();
