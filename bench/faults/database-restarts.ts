// PostgreSQL crashes and restarts repeatedly during crawls; one outage is long. No process of the
// service may end. --restarts, --outage (length of the long outage in seconds), --generated.
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../../test/postgres.ts";
import { print } from "../pages.ts";
import { createTemporaryFolder } from "../service.ts";
import { readCount, draw, type Row, type Scenario } from "./scenario.ts";
import { openService } from "./service-under-test.ts";

const FAULT = "PostgreSQL restarts, API and two workers";
const MIN_APART_MS = 400;
const APART_MS = 2_500;
const MAX_DOWNTIME_MS = 3_000;

async function run(): Promise<Row> {
  const restarts = readCount("restarts", 20);
  const pages = readCount("generated", 1_500);
  const outageMs = readCount("outage", 120) * 1_000;
  const database = await startPostgres();
  const blobs = createTemporaryFolder();
  const service = await openService({
    port: readCount("port", 3906),
    pages,
    workers: 2,
    settings: {
      DATABASE_URL: await database.createDatabase(),
      QUARRY_BLOBS: `file:${blobs.folder}/blobs`,
    },
  });
  const pids = service.parts.map(({ pid }) => pid);
  const total = { done: 0, crawls: 0, lost: 0, twice: 0, unevented: 0, addsUp: true };
  let readyWhileDown = 0;
  try {
    while (total.done < restarts) {
      const id = await service.startCrawl();
      while (total.done < restarts && (await service.status(id))?.status !== "completed") {
        await sleep(MIN_APART_MS + draw(APART_MS));
        await database.crash();
        // The first outage is long: readiness is read after its cached answer has expired.
        const downMs = total.done === 0 ? outageMs : draw(MAX_DOWNTIME_MS);
        await sleep(downMs);
        if (downMs >= MAX_DOWNTIME_MS && (await service.readiness()).status === 200)
          readyWhileDown += 1;
        await database.start();
        total.done += 1;
        if (total.done % 5 === 0) print({ fault: FAULT, restarts: total.done });
      }
      const { status } = await service.end(id);
      if (status !== "completed") throw new Error(`crawl ${id} ended as ${status}`);
      const judged = await service.judge(id);
      total.crawls += 1;
      total.lost += judged.lost;
      total.twice += judged.doubled;
      total.unevented += judged.unevented;
      total.addsUp &&= judged.ledgerAddsUp;
    }
    const ended = service.parts.filter(
      ({ child, pid }, index) =>
        child.exitCode !== null || child.signalCode !== null || pid !== pids[index],
    ).length;
    return {
      fault: FAULT,
      times: total.done,
      expected: total.crawls * pages,
      lost: total.lost,
      twice: total.twice,
      checks: {
        "no process ended": ended === 0,
        "readiness 503 while down": readyWhileDown === 0,
        "ledger adds up": total.addsUp,
        "every page has its event": total.unevented === 0,
      },
      note: `longest outage ${outageMs / 1_000} s`,
    };
  } finally {
    await database.start().catch(() => undefined);
    await service.close();
    await database.stop();
    blobs.remove();
  }
}

export const databaseRestarts: Scenario = { name: "database-restarts", run };
