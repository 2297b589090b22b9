// kill -9 of the service's processes at random moments of a crawl, webhooks included. Crawls follow
// each other until there are enough kills. --kills, --apart (longest time between two kills in ms),
// --generated (pages of a crawl).
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/postgres.ts";
import { print } from "../pages.ts";
import { createTemporaryFolder } from "../service.ts";
import { readCount, draw, type Row, type Scenario } from "./scenario.ts";
import { openService, type ServiceUnderTest } from "./service-under-test.ts";

const MIN_APART_MS = 100;

async function killRepeatedly(
  service: ServiceUnderTest,
  fault: string,
  pages: number,
): Promise<Row> {
  const kills = readCount("kills", 100);
  const apart = readCount("apart", 1_600);
  let done = 0;
  let crawls = 0;
  let lost = 0;
  let twice = 0;
  let unevented = 0;
  let addsUp = true;
  while (done < kills) {
    const id = await service.startCrawl();
    while (done < kills && (await service.status(id))?.status !== "completed") {
      await sleep(MIN_APART_MS + draw(Math.max(1, apart - MIN_APART_MS)));
      await service.kill(draw(service.parts.length));
      done += 1;
      if (done % 10 === 0) print({ fault, kills: done });
    }
    const { status } = await service.end(id);
    if (status !== "completed") throw new Error(`crawl ${id} ended as ${status}`);
    const judged = await service.judge(id);
    crawls += 1;
    lost += judged.lost;
    twice += judged.doubled;
    unevented += judged.unevented;
    addsUp &&= judged.ledgerAddsUp;
  }
  return {
    fault,
    times: done,
    expected: crawls * pages,
    lost,
    twice,
    checks: { "ledger adds up": addsUp, "every page has its event": unevented === 0 },
  };
}

export const killsOnPglite: Scenario = {
  name: "kills-pglite",
  async run() {
    const pages = readCount("generated", 1_500);
    const service = await openService({ port: readCount("port", 3906), pages });
    try {
      return await killRepeatedly(service, "kill -9, PGlite, one process", pages);
    } finally {
      await service.close();
    }
  },
};

export const killsOnPostgres: Scenario = {
  name: "kills-postgres",
  async run() {
    const pages = readCount("generated", 1_500);
    const database = await startPostgres();
    const blobs = createTemporaryFolder();
    try {
      const service = await openService({
        port: readCount("port", 3906),
        pages,
        workers: readCount("workers", 2),
        settings: {
          DATABASE_URL: await database.createDatabase(),
          QUARRY_BLOBS: `file:${blobs.folder}/blobs`,
        },
      });
      try {
        return await killRepeatedly(service, "kill -9, PostgreSQL, API and two workers", pages);
      } finally {
        await service.close();
      }
    } finally {
      await database.stop();
      blobs.remove();
    }
  },
};
