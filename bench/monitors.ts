// How many checks of monitors one process and one PostgreSQL run in a second. The clock is simulated, and one page in fifty changes
// and notifies a receiver. In the first rounds all monitors are due at once, as after a downtime; in the last one 15 minutes of the
// clock pass, --speed times as fast as real ones. 50,000 monitors at 15 minutes need 56 checks a second. The pages are simulated, or
// with --pages=fetched served by another process, half of them with an ETag, and scraped like any page.
//   node bench/monitors.ts [--monitors=2000] [--rounds=2] [--speed=10] [--pages=simulated|fetched]
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql } from "kysely";
import { v7 } from "uuid";
import { createFreeCredits } from "../src/account/credits.ts";
import { createSlots } from "../src/account/slots.ts";
import { ANONYMOUS_IDENTITY } from "../src/account/identity.ts";
import { createTestConfig } from "../src/config.ts";
import { monitorRequestSchema } from "../src/contract/jobs/monitor.ts";
import type { Document } from "../src/contract/page/document.ts";
import { createEgress } from "../src/egress/dispatchers.ts";
import { createJobService } from "../src/jobs/create-jobs.ts";
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";
import { createMonitorRoom } from "../src/monitors/create-monitor-room.ts";
import { createModels } from "../src/models/models.ts";
import { createScrapeRoom } from "../src/scrape/create-scrape-room.ts";
import type { Scrape } from "../src/scrape/scrape.ts";
import { Secret } from "../src/settings/secret.ts";
import { openStore } from "../src/store/store.ts";
import { startPostgres } from "../test/postgres.ts";
import { generatePage } from "./generated-site.ts";
import { readArgument, print } from "./pages.ts";

const INTERVAL_MS = 15 * 60_000;
const CHANGED_SHARE = 0.02;
const TICK_MS = 200;
const MAX_CONCURRENT = 16;
const MONITORS_PER_ACCOUNT = 1_000;
const MIN_CHECKS_PER_SECOND = 50_000 / (INTERVAL_MS / 1_000);

const count = Number(readArgument("monitors", "2000"));
const rounds = Number(readArgument("rounds", "2"));
const speed = Number(readArgument("speed", "10"));
const isFetched = readArgument("pages", "simulated") === "fetched";

/** Serves generated pages, the first of them with a line that names the round, from a process of its own. */
async function servePages(): Promise<void> {
  let shown = 0;
  process.on("message", (message) => (shown = Number(message)));
  const site = createServer((request, response) => {
    const number = Number(/\d+$/.exec(request.url ?? "")?.[0]);
    const page = generatePage(request.url ?? "", count);
    if (page === undefined) return void response.writeHead(404).end();
    const isEdited = shown > 0 && number < count * CHANGED_SHARE;
    const body = isEdited
      ? page.toString("utf8").replace("</h1>", `</h1><p>Notice ${shown} of the yard.</p>`)
      : page;
    const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
    const headers = { "content-type": "text/html", ...(number % 2 === 0 && { etag }) };
    if (number % 2 === 0 && request.headers["if-none-match"] === etag)
      response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end(body);
  });
  site.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  process.send?.((site.address() as AddressInfo).port);
  await once(process, "disconnect");
  process.exit(0);
}
if (process.send !== undefined) await servePages();

const clock = { getNow: Date.parse("2026-03-01T00:00:00Z") };
const now = (): number => clock.getNow;
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
const simulated: Scrape = async ({ url }) => {
  const number = Number(new URL(url).pathname.slice(1));
  const isChanged = round > 0 && number < count * CHANGED_SHARE;
  const markdown = `# Page ${number}\n\nThe market opens at nine.\n\nNotice ${isChanged ? `of round ${round}, for everyone` : "of the council"}.`;
  const metadata = { url, sourceURL: url, statusCode: 200, verdict: "content", creditsUsed: 1 };
  const document = { markdown, metadata } as unknown as Document;
  return { document, json: undefined, scrapeId: v7(), explanation: undefined };
};

const site = isFetched ? fork(import.meta.filename, process.argv.slice(2)) : undefined;
const [port] = site === undefined ? [] : ((await once(site, "message")) as [number]);
const pages = site === undefined ? "https://town.example" : `http://127.0.0.1:${port}/page`;

const postgres = await startPostgres();
const log = createLogger("error");
const metrics = createMetrics();
const config = createTestConfig({
  databaseUrl: new Secret(await postgres.createDatabase()),
  egressAllow: [address, ...(port === undefined ? [] : [`127.0.0.1:${port}`])],
  browser: "none",
});
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
  slots: createSlots({ maxConcurrency: config.maxConcurrency }),
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
  webhooks: async () => ({ secrets: { ofAccountId: async () => "secret" } as never }),
  scrape: isFetched ? scraping.scrape : simulated,
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

const identities = Array.from({ length: Math.ceil(count / MONITORS_PER_ACCOUNT) }, () => ({
  ...ANONYMOUS_IDENTITY,
  accountId: v7(),
}));
const numbers = Array.from({ length: count }, (_, number) => number).values();
const create = async (): Promise<void> => {
  for (const number of numbers)
    await room.monitors.create(
      monitorRequestSchema.parse({
        name: `monitor ${number}`,
        schedule: { text: "every 15 minutes" },
        targets: [{ type: "scrape", urls: [`${pages}/${number}`] }],
        channels: [{ type: "webhook", url: `http://${address}/`, maxPerHour: 1_000 }],
      }),
      identities[number % identities.length] ?? ANONYMOUS_IDENTITY,
      "https://quarry.example",
    );
};
const startedAt = Date.now();
await Promise.all(Array.from({ length: MAX_CONCURRENT }, create));
print({
  monitors: count,
  createdPerSecond: Math.round(count / ((Date.now() - startedAt) / 1_000)),
});

const countEndedChecks = async (): Promise<number> =>
  (await metrics.monitorChecks.get()).values.reduce((sum, { value }) => sum + value, 0);

type DatabaseUse = { readonly transactions: number; readonly wal: number; readonly bytes: number };
const readUse = async (): Promise<DatabaseUse> => {
  const { rows } = await sql<DatabaseUse>`select xact_commit::float8 as transactions,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      pg_database_size(current_database())::float8 as bytes
    from pg_stat_database where datname = current_database()`.execute(store.database.kysely);
  return rows[0] as DatabaseUse;
};
const dividePerCheck = (difference: number, digits = 1): number =>
  Number((difference / count).toFixed(digits));

await service.start();
await room.start();

/** Passes the interval at once. */
async function passAtOnce(): Promise<object> {
  clock.getNow += INTERVAL_MS;
  return {};
}

/** Passes the interval evenly; returns the most monitors that were due at a time and after it. */
async function passEvenly(): Promise<object> {
  const from = clock.getNow;
  const { rows } = await sql<{ most: number }>`select max(planned)::int as most from (
      select count(*) as planned from schedules group by next_at / 1000) as seconds`.execute(
    store.database.kysely,
  );
  const began = Date.now();
  let mostDue = 0;
  for (let passed = 0; passed < INTERVAL_MS;) {
    await pause(TICK_MS);
    passed = Math.min((Date.now() - began) * speed, INTERVAL_MS);
    clock.getNow = from + passed;
    mostDue = Math.max(mostDue, (await store.monitors.countStates(now())).due);
  }
  const { due: leftDue } = await store.monitors.countStates(now());
  return { speed, mostPlannedInASecond: rows[0]?.most, mostDue, leftDue };
}

for (; round < rounds; round++) {
  site?.send(round);
  // The cache lives by the real clock: a page fetched in the last minute is not fetched again.
  await sql`update captures set fetched_at = fetched_at - ${INTERVAL_MS}`.execute(
    store.database.kysely,
  );
  const before = await countEndedChecks();
  const use = await readUse();
  const began = Date.now();
  const cpu = process.cpuUsage();
  const isLast = round === rounds - 1;
  const passed = await (isLast ? passEvenly() : passAtOnce());
  while ((await countEndedChecks()) < before + count) await pause(50);
  const seconds = (Date.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = count / seconds;
  const after = await readUse();
  print({
    round,
    due: isLast ? "evenly" : "at once",
    ...passed,
    checks: count,
    seconds: Math.round(seconds * 10) / 10,
    checksPerSecond: Math.round(perSecond),
    cpuMsPerCheck: dividePerCheck((user + system) / 1_000),
    transactionsPerCheck: dividePerCheck(after.transactions - use.transactions),
    walKibPerCheck: dividePerCheck((after.wal - use.wal) / 1_024),
    databaseKibPerCheck: dividePerCheck((after.bytes - use.bytes) / 1_024),
    timesNeeded: Math.round((perSecond / MIN_CHECKS_PER_SECOND) * 100) / 100,
  });
}
const expected = Math.floor(count * CHANGED_SHARE) * (rounds - 1);
for (let waited = 0; received.size < expected && waited < 30_000; waited += 100) await pause(100);
print({ expected, received: received.size, twice });
const { rows: tables } = await sql<{ name: string; kib: number }>`
  select relname as name, pg_total_relation_size(oid)::float8 / 1024 as kib from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 8`.execute(
  store.database.kysely,
);
print({
  tableKibPerCheck: Object.fromEntries(
    tables.map(({ name, kib }) => [name, Number((kib / count / rounds).toFixed(2))]),
  ),
});
await service.close();
await room.close();
await scraping.close();
site?.disconnect();
await egress.close();
await store.close();
await postgres.stop();
receiver.close();
process.exit(received.size === expected && twice === 0 ? 0 : 1);
