// A program that runs the monitors of a database over real pages with the clock of its parent, until it
// is killed. Messages: {now} advances the clock and answers "idle" once nothing is due and everything
// was sent; {create} creates monitors and answers their ids.
import { v7 } from "uuid";
import { createFreeCredits } from "../../src/account/credits.ts";
import { ANONYMOUS_IDENTITY } from "../../src/account/identity.ts";
import { createSlots } from "../../src/account/slots.ts";
import { createTestConfig } from "../../src/config.ts";
import { monitorRequestSchema, type MonitorRequest } from "../../src/contract/jobs/monitor.ts";
import { createEgress } from "../../src/egress/dispatchers.ts";
import { createJobService } from "../../src/jobs/create-jobs.ts";
import { RUNS, SCHEDULES } from "../../src/jobs/wake-up.ts";
import { createLogger } from "../../src/logger.ts";
import { createMetrics } from "../../src/metrics.ts";
import { createModels } from "../../src/models/models.ts";
import { createMonitorRoom } from "../../src/monitors/create-monitor-room.ts";
import { createScrapeRoom } from "../../src/scrape/create-scrape-room.ts";
import { Secret } from "../../src/settings/secret.ts";
import { openStore } from "../../src/store/store.ts";

export type ChildMessage =
  | { readonly now: number }
  | { readonly now: number; readonly create: readonly MonitorRequest[] };

const { dataDir, databaseUrl, egressAllow, accountId } = JSON.parse(process.argv[2] ?? "") as {
  dataDir: string;
  databaseUrl?: string;
  egressAllow: string[];
  accountId: string;
};
const config = createTestConfig({
  dataDir,
  egressAllow,
  browser: "none",
  ...(databaseUrl !== undefined && { databaseUrl: new Secret(databaseUrl) }),
});
let clock = 0;
const now = (): number => clock;
const log = createLogger("silent");
const metrics = createMetrics();
const store = await openStore(config, log);
const egress = createEgress(config, { metrics });
const never = (): Promise<never> => new Promise(() => undefined);
const scraping = createScrapeRoom({
  config,
  egress,
  models: createModels(config, { metrics }),
  store: async () => store,
  keeps: true,
  credits: async () => createFreeCredits(),
  slots: createSlots({ maxConcurrency: 20 }),
  meter: undefined,
  extractors: undefined,
  learnTemplates: undefined,
  onStored: undefined,
  log,
  metrics,
});
const room = createMonitorRoom({
  config,
  store: async () => store,
  jobs: async () => service.jobs,
  crawls: never,
  webhooks: async () => ({ secrets: { ofAccountId: async () => "secret" } }),
  // The cache would compare its entries with the real clock.
  scrape: (options, context) =>
    scraping.scrape({ ...options, maxAge: 0 }, { ...context, revalidates: false }),
  mapSite: never,
  search: never,
  models: { role: () => undefined },
  egress,
  log,
  metrics,
  now,
  pause: async () => undefined,
});
const service = createJobService({
  store,
  credits: createFreeCredits(),
  webhooks: { resolve: async (given) => given, wake: () => undefined },
  kinds: [room.kind],
  config: { resultLifeHours: 1 },
  log,
  metrics,
  now,
});
const identity = { ...ANONYMOUS_IDENTITY, accountId };
const deliverer = await room.deliverer();
let isStarted = false;

async function drain(): Promise<void> {
  if (!isStarted) await service.start();
  isStarted = true;
  for (;;) {
    service.wakeUps.wake(SCHEDULES);
    service.wakeUps.wake(RUNS);
    const sent = await deliverer.sendDue();
    const { due } = await store.monitors.countStates(now());
    const running = await store.jobs.listActive(accountId);
    if (sent === 0 && due === 0 && running.length === 0) return;
    await new Promise((resolve) => void setTimeout(resolve, 40));
  }
}

process.on("message", (message: ChildMessage) => {
  clock = message.now;
  const answer = async (): Promise<unknown> => {
    if (!("create" in message)) {
      await drain();
      return "idle";
    }
    const ids: string[] = [];
    for (const request of message.create)
      ids.push(
        (
          await room.monitors.create(
            monitorRequestSchema.parse(request),
            identity,
            "https://quarry.example",
          )
        ).id,
      );
    return ids;
  };
  void answer().then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());
process.send?.(v7());
