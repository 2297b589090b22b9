// kill -9 at random moments while the service crawls, a webhook receiver listening: on every restart the crawl must go on by
// itself, and in the end each page is there once, the ledger adds up, and each page's event came at least once. One process
// over PGlite, or with --workers an API process and so many workers over a PostgreSQL of its own; then the process that is
// killed is drawn too. Crawls of a made site follow each other until so many were killed.
// Kills come 100 ms to so much later after the process that was killed before is ready again.
//   node bench/kills.ts [--kills=100] [--workers=2] [--generated=3000] [--apart=1600] [--seed=1] [--port=3906]
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../test/postgres.ts";
import { readOutcome } from "./crawl-outcome.ts";
import { generatePage } from "./generated-site.ts";
import { argument, print } from "./pages.ts";
import {
  BENCH_KEY,
  getOnce,
  servePages,
  startService,
  temporaryFolder,
  waitUntilReady,
  type Running,
} from "./service.ts";

const kills = Number(argument("kills", "100"));
const workers = Number(argument("workers", "0"));
const pages = Number(argument("generated", "3000"));
const apart = Number(argument("apart", "1600"));
const port = Number(argument("port", "3906"));
const headers = { authorization: `Bearer ${BENCH_KEY}` };
/** The longest a crawl may make no headway after the last kill, milliseconds: leases of dead workers run out before. */
const PATIENCE_MS = 180_000;

let state = Number(argument("seed", "1"));
const draw = (below: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};

type Event = { id: string; type: string; data: { metadata?: { sourceURL?: string } }[] };
type Received = { events: number; urls: Set<string>; types: Map<string, number> };
const received = new Map<string, Received>();

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    note(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Event);
    response.end("ok");
  });
});

function note({ id, type, data }: Event): void {
  const job = received.get(id) ?? { events: 0, urls: new Set(), types: new Map() };
  received.set(id, job);
  job.types.set(type, (job.types.get(type) ?? 0) + 1);
  if (!type.endsWith(".page")) return;
  job.events += 1;
  for (const { metadata } of data) job.urls.add(metadata?.sourceURL ?? "");
}

async function listen(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  return `http://127.0.0.1:${address.port}/`;
}

type Part = { readonly port: number; readonly folder: string; running: Running };
type Status = { status: string; completed: number };

/** Undefined while nobody answers. */
async function ask(id: string): Promise<Status | undefined> {
  try {
    const url = `http://127.0.0.1:${port}/v2/crawl/${id}?limit=1`;
    const { status, text } = await getOnce(url, headers);
    return status === 200 ? (JSON.parse(text) as Status) : undefined;
  } catch {
    return undefined;
  }
}

async function startCrawl(url: string, webhook: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v2/crawl`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({
      url,
      limit: 100_000,
      crawlEntireDomain: true,
      sitemap: "skip",
      scrapeOptions: { formats: ["markdown"], maxAge: 0 },
      webhook: { url: webhook },
    }),
  });
  const { id } = (await response.json()) as { id?: string };
  if (id === undefined) throw new Error(`no crawl: ${response.status}`);
  return id;
}

async function awaitEnd(id: string): Promise<Status> {
  let last: Status | undefined;
  let movedAt = performance.now();
  for (;;) {
    const status = await ask(id);
    if (status !== undefined && status.status !== "scraping") return status;
    if (status !== undefined && status.completed !== last?.completed) {
      last = status;
      movedAt = performance.now();
    }
    if (performance.now() - movedAt > PATIENCE_MS)
      throw new Error(`crawl ${id} stands still at ${last?.completed ?? 0} pages`);
    await sleep(200);
  }
}

const hook = await listen();
const site = await servePages((target) => generatePage(target, pages));
const data = temporaryFolder();
const database = workers > 0 ? await startPostgres() : undefined;
const shared: Record<string, string> =
  database === undefined
    ? {}
    : {
        DATABASE_URL: await database.createDatabase(),
        QUARRY_BLOBS: `file:${data.folder}/blobs`,
      };
const rolesOf = (index: number): Record<string, string> =>
  database === undefined ? {} : { QUARRY_ROLE: index === 0 ? "api" : "worker" };

async function startPart(index: number): Promise<Part> {
  const folder = `${data.folder}/${index}`;
  const running = await startService(port + index, folder, { ...shared, ...rolesOf(index) });
  // It answers long before it works.
  await waitUntilReady(running);
  return { port: port + index, folder, running };
}

const parts: Part[] = [];
const totals = { kills: 0, crawls: 0, pages: 0, lost: 0, doubled: 0, unevented: 0, events: 0 };

/** Kills one process after a while drawn at random and starts it anew. */
async function killOne(): Promise<void> {
  await sleep(100 + draw(apart - 100));
  const index = draw(parts.length);
  const part = parts[index];
  if (part === undefined) return;
  const ended = new Promise((resolve) => part.running.child.once("close", resolve));
  part.running.child.kill("SIGKILL");
  await ended;
  totals.kills += 1;
  if (totals.kills % 10 === 0) print({ kills: totals.kills });
  parts[index] = await startPart(index);
}

async function judge(id: string): Promise<void> {
  const outcome = await readOutcome(`http://127.0.0.1:${port}`, id, headers);
  const until = performance.now() + 60_000;
  const job = (): Received | undefined => received.get(id);
  while ((job()?.types.get("crawl.completed") ?? 0) === 0 && performance.now() < until)
    await sleep(200);
  const lost = pages - (outcome.ok - outcome.doubled);
  const unevented = pages - (job()?.urls.size ?? 0);
  totals.crawls += 1;
  totals.pages += outcome.documents;
  totals.lost += lost;
  totals.doubled += outcome.doubled;
  totals.unevented += unevented;
  totals.events += job()?.events ?? 0;
  print({ crawl: totals.crawls, kills: totals.kills, ...outcome, lost, unevented });
}

try {
  for (let index = 0; index <= workers; index++) parts.push(await startPart(index));
  while (totals.kills < kills) {
    const id = await startCrawl(`${site.url}/page/0`, hook);
    while (totals.kills < kills && (await ask(id))?.status !== "completed") await killOne();
    const { status } = await awaitEnd(id);
    if (status !== "completed") throw new Error(`crawl ${id} ended as ${status}`);
    await judge(id);
  }
  print({ bench: "kills", database: workers > 0 ? "PostgreSQL" : "PGlite", workers, ...totals });
} finally {
  await Promise.all(parts.map(({ running }) => running.stop()));
  await database?.stop();
  data.remove();
  site.close();
  receiver.close();
}
