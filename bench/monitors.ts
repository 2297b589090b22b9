// How many checks of monitors one process and one PostgreSQL run in a second: all monitors are due at once, the clock and the pages
// are simulated, one page in fifty changes and notifies a receiver. 50,000 monitors at 15 minutes need 56 checks a second.
//   node bench/monitors.ts [--monitors=2000] [--rounds=2]
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { v7 } from "uuid";
import { createFreeCredits } from "../src/account/credits.ts";
import { ANONYMOUS_IDENTITY } from "../src/account/identity.ts";
import { createTestConfig } from "../src/config.ts";
import { monitorRequestSchema } from "../src/contract/jobs/monitor.ts";
import type { Document } from "../src/contract/page/document.ts";
import { createEgress } from "../src/egress/dispatchers.ts";
import { createJobService } from "../src/jobs/create-jobs.ts";
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";
import { createMonitorRoom } from "../src/monitors/create-monitor-room.ts";
import type { Scrape } from "../src/scrape/scrape.ts";
import { Secret } from "../src/settings/secret.ts";
import { openStore } from "../src/store/store.ts";
import { startPostgres } from "../test/postgres.ts";
import { readArgument, print } from "./pages.ts";

const INTERVAL_MS = 15 * 60_000;
const CHANGED_SHARE = 0.02;
const MAX_CONCURRENT = 16;
const MIN_CHECKS_PER_SECOND = 50_000 / (INTERVAL_MS / 1_000);

const count = Number(readArgument("monitors", "2000"));
const rounds = Number(readArgument("rounds", "2"));

const clock = { now: Date.parse("2026-03-01T00:00:00Z") };
const now = (): number => clock.now;
const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const received = new Set<string>();
let twice = 0;
const receiver = createServer((request, response) => {
  const id = String(request.headers["x-quarry-event-id"]);
  if (received.has(id)) twice += 1;
  received.add(id);
  request.resume().on("end", () => response.end());
});
await new Promise<void>((resolve) => void receiver.listen(0, "127.0.0.1", resolve));
const address = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;

let round = 0;
const scrape: Scrape = async ({ url }) => {
  const number = Number(new URL(url).pathname.slice(1));
  const isChanged = round > 0 && number < count * CHANGED_SHARE;
  const markdown = `# Page ${number}\n\nThe market opens at nine.\n\nNotice ${isChanged ? `of round ${round}, for everyone` : "of the council"}.`;
  const metadata = { url, sourceURL: url, statusCode: 200, verdict: "content", creditsUsed: 1 };
  const document = { markdown, metadata } as unknown as Document;
  return { document, json: undefined, scrapeId: v7(), explanation: undefined };
};

const postgres = await startPostgres();
const log = createLogger("error");
const metrics = createMetrics();
const config = createTestConfig({
  databaseUrl: new Secret(await postgres.createDatabase()),
  egressAllow: [address],
});
const store = await openStore(config, log);
const egress = createEgress(config, { metrics });
const never = (): Promise<never> => new Promise(() => undefined);
const room = createMonitorRoom({
  config,
  store: async () => store,
  jobs: async () => service.jobs,
  crawls: never,
  webhooks: async () => ({ secrets: { ofAccountId: async () => "secret" } as never }),
  scrape,
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

const identity = { ...ANONYMOUS_IDENTITY, accountId: v7() };
const numbers = Array.from({ length: count }, (_, number) => number).values();
const create = async (): Promise<void> => {
  for (const number of numbers)
    await room.monitors.create(
      monitorRequestSchema.parse({
        name: `monitor ${number}`,
        schedule: { cron: "*/15 * * * *" },
        targets: [{ type: "scrape", urls: [`https://town.example/${number}`] }],
        channels: [{ type: "webhook", url: `http://${address}/`, maxPerHour: 1_000 }],
      }),
      identity,
      "https://quarry.example",
    );
};
const startedAt = Date.now();
await Promise.all(Array.from({ length: MAX_CONCURRENT }, create));
print({
  monitors: count,
  createdPerSecond: Math.round(count / ((Date.now() - startedAt) / 1_000)),
});

const ended = async (): Promise<number> =>
  (await metrics.monitorChecks.get()).values.reduce((sum, { value }) => sum + value, 0);

await service.start();
await room.start();
for (; round < rounds; round++) {
  const before = await ended();
  clock.now += INTERVAL_MS;
  const began = Date.now();
  const cpu = process.cpuUsage();
  while ((await ended()) < before + count) await pause(50);
  const seconds = (Date.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = count / seconds;
  print({
    round,
    checks: count,
    seconds: Math.round(seconds * 10) / 10,
    checksPerSecond: Math.round(perSecond),
    cpuMsPerCheck: Math.round((user + system) / 1_000 / count),
    timesNeeded: Math.round((perSecond / MIN_CHECKS_PER_SECOND) * 100) / 100,
  });
}
const expected = Math.floor(count * CHANGED_SHARE) * (rounds - 1);
for (let waited = 0; received.size < expected && waited < 30_000; waited += 100) await pause(100);
print({ expected, received: received.size, twice });
await service.close();
await room.close();
await egress.close();
await store.close();
await postgres.stop();
receiver.close();
process.exit(received.size === expected && twice === 0 ? 0 : 1);
