// kill -9 of the browser's root process while six scrapes use it. Each scrape must be answered from
// a fresh browser, long before its timeout. --browser-kills.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { print } from "../pages.ts";
import { listPids } from "../process-tree.ts";
import { readCount, draw, type Row, type Scenario } from "./scenario.ts";
import { openService } from "./service-under-test.ts";

const FAULT = "kill -9 of the browser, 6 scrapes in it";
const SCRAPES_PER_KILL = 6;
const TIMEOUT_MS = 60_000;
/**
 * Much more than a browser start and a page take on a busy machine, but much less than the timeout.
 */
const SLOW_MS = 30_000;
const MIN_AFTER_MS = 60;
const AFTER_MS = 1_340;

/** The browser's root process: the one without `--type`. */
function findBrowser(root: number): number | undefined {
  return listPids(root).find((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
      return command.includes("--headless") && !command.includes("--type=");
    } catch {
      return false;
    }
  });
}

async function run(): Promise<Row> {
  const kills = readCount("browser-kills", 20);
  const service = await openService({
    port: readCount("port", 3906),
    pages: 1_000,
    settings: { QUARRY_BROWSER: "" },
  });
  const [running] = service.parts;
  if (running === undefined) throw new Error("the service has no process");
  let done = 0;
  let answered = 0;
  let slow = 0;
  const statuses = new Map<number, number>();
  const scrape = async (): Promise<void> => {
    const { status, ms } = await service.post("/v2/scrape", {
      url: `${service.site}/page/${draw(1_000)}`,
      waitFor: 300,
      maxAge: 0,
      timeout: TIMEOUT_MS,
    });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 200) answered += 1;
    if (ms > SLOW_MS) slow += 1;
  };
  try {
    await service.post("/v2/scrape", {
      url: `${service.site}/page/0`,
      waitFor: 1,
      timeout: 120_000,
    });
    while (done < kills) {
      const scrapes = Array.from({ length: SCRAPES_PER_KILL }, scrape);
      await sleep(MIN_AFTER_MS + draw(AFTER_MS));
      const pid = findBrowser(running.pid);
      if (pid !== undefined) {
        process.kill(pid, "SIGKILL");
        done += 1;
        if (done % 5 === 0) print({ fault: FAULT, kills: done });
      }
      await Promise.all(scrapes);
    }
    const asked = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    return {
      fault: FAULT,
      times: done,
      expected: asked,
      lost: asked - answered,
      twice: 0,
      checks: { [`none took over ${SLOW_MS / 1_000} s`]: slow === 0 },
      note: [...statuses].map(([status, count]) => `${count} × ${status}`).join(", "),
    };
  } finally {
    await service.close();
  }
}

export const browserKills: Scenario = { name: "browser-kills", run };
