// A program with a data folder, a job id, the number of pages and optionally a database URL as
// arguments: crawls a generated site into the store and prints the number of documents after every
// commit, until it is killed or the job ends.
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { Secret } from "../../src/settings/secret.ts";
import { openStore } from "../../src/store/store.ts";
import { buildFinished, buildFound, buildOutcome, FAILED } from "../jobs.ts";

const [, , dataDir = "", jobId = "", count = "", url] = process.argv;
const pages = Number(count);
const store = await openStore(
  createTestConfig({ dataDir, ...(url === undefined ? {} : { databaseUrl: new Secret(url) }) }),
  createLogger("silent"),
);
const worker = `child-${process.pid}`;
process.stdout.write("open\n");
for (;;) {
  const claimed = await store.frontier.claim({ worker, max: 8, leaseMs: 250, jobs: [jobId] });
  const report =
    claimed.length === 0
      ? undefined
      : await store.finish(
          jobId,
          worker,
          claimed.map((page) => {
            const number = Number(page.identity);
            const links = [number * 2 + 1, number * 2 + 2, number - 1]
              .filter((identity) => identity > 0 && identity < pages)
              .map((identity) => buildFound(identity, { depth: page.depth + 1 }));
            return buildFinished(page, links, number % 10 === 7 ? FAILED : buildOutcome(page));
          }),
        );
  if (report !== undefined) process.stdout.write(`${report.counters.completed}\n`);
  if (report?.ended === true) process.stdout.write("ended\n");
  if ((await store.jobs.load(jobId))?.state !== "scraping") break;
}
await store.close();
