// A scripted site of real pages over many days of a simulated clock, in processes that are killed with
// SIGKILL at random moments, and a receiver that is down for a day: each edit, outage and recovery is
// notified, once. QUARRY_TEST_DAYS=200 and QUARRY_TEST_KILLS=60 run more of it.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { afterAll, expect, it } from "vitest";
import type { MonitorRequest } from "../../src/contract/jobs/monitor.ts";
import { describeDatabases } from "../databases.ts";
import type { ChildMessage } from "./monitor-child.ts";

const DAYS = Number(process.env["QUARRY_TEST_DAYS"] ?? 10);
const KILLS = Number(process.env["QUARRY_TEST_KILLS"] ?? 4);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const STEP_MS = 6 * HOUR_MS;
const STEPS = (DAYS * 24 * HOUR_MS) / STEP_MS;
const START = Date.parse("2026-03-01T00:00:00Z");
/** A killed process is found dead after its leases. */
const LEASES_MS = 6 * 60_000;
const BROKEN_AFTER = 3;

/** mulberry32: the same numbers in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const NAMES = "harbour market library museum station bridge garden theatre bakery archive".split(
  " ",
);
const FILLER = "The town is open to visitors in every season, and its harbour is never closed. ";

type Outage = "challenge" | "login" | "error" | "shell" | "gone";
const OUTAGES: readonly Outage[] = ["challenge", "login", "error", "shell", "gone"];
type Page = { edits: number; outage: Outage | undefined; left: number; fetches: number };

/** What a page shows besides its edits, in this fetch. */
const NOISE: readonly ((random: () => number, now: number) => string)[] = [
  () => "",
  (random) => `<p>Visitors online: ${Math.floor(random() * 900)}</p>`,
  (random, now) =>
    `<p>Rendered at ${new Date(now).toISOString()} in ${(random() * 90).toFixed(1)} ms</p>`,
  (random) => (random() < 0.5 ? "<p>Discover the town</p>" : "<p>Plan your visit today</p>"),
  (random) =>
    `<h2>Quote</h2><blockquote>${NAMES[Math.floor(random() * 10)]} and ${NAMES[Math.floor(random() * 10)]} are worth a visit</blockquote>`,
];

/** The edits alternate: a sentence, a sentence more, a price. */
const toContent = (number: number, edits: number): string =>
  `<p>Notice ${"abcdefghijklmnopqrstuvwxyz".charAt(edits % 26)}${Math.floor(edits / 3)} of the ${NAMES[number]} council.</p>` +
  (edits % 3 === 1
    ? `<p>The ${NAMES[(number + edits) % 10]} has a new door in this week.</p>`
    : "") +
  `<p>Price: ${20 + Math.floor((edits + 1) / 3)}.50 EUR</p>`;

function writePage(number: number, { edits, outage }: Page, noise: string): [number, string] {
  const title = `<title>The ${NAMES[number]}</title>`;
  switch (outage) {
    case "challenge":
      return [
        403,
        `<title>Just a moment...</title><div id="challenge-error-text">Enable JavaScript and cookies to continue</div><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script>`,
      ];
    case "login":
      return [
        200,
        `<title>Log in</title><main><h1>Log in</h1><p>Please log in to continue.</p><form><input name="user"><input type="password" name="password"><button>Log in</button></form></main>`,
      ];
    case "error":
      return [503, "<title>503</title><h1>Service Unavailable</h1>"];
    case "shell":
      return [200, `${title}<div id="root"></div><script src="/app.js"></script>`];
    case "gone":
      return [404, "<title>Not found</title><h1>Not found</h1>"];
    case undefined:
      return [
        200,
        `${title}<main><h1>The ${NAMES[number]}</h1><p>${FILLER.repeat(4)}</p>${toContent(number, edits)}<p>${FILLER}</p>${noise}<p>Imprint and privacy</p></main>`,
      ];
  }
}

type Told = {
  readonly id: string;
  readonly event: string;
  readonly url: string;
  readonly at: number;
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeDatabases("days of monitors", (configure) => {
  const closing: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });

  it(
    `notifies each edit once over ${DAYS} days and ${KILLS} kills`,
    { timeout: 120_000 + STEPS * 5_000 + KILLS * 20_000 },
    async () => {
      const config = await configure();
      const databaseUrl = config.databaseUrl?.reveal();
      const seed = Number(process.env["QUARRY_TEST_SEED"] ?? (databaseUrl === undefined ? 1 : 2));
      const random = createRandom(seed);
      const site: Page[] = NAMES.map(() => ({ edits: 0, outage: undefined, left: 0, fetches: 0 }));
      let now = START;
      const server = createServer((request, response) => {
        const number = Number(/\d+/.exec(request.url ?? "")?.[0]);
        const page = site[number];
        if (page === undefined) return void response.writeHead(500).end();
        page.fetches += 1;
        // Its own numbers: kills change how often a page is fetched, not what happens to the site.
        const chance = createRandom(seed * 1_000_003 + number * 7_919 + page.fetches);
        const noise = NOISE[number % NOISE.length]?.(chance, now) ?? "";
        const [status, body] = writePage(number, page, noise);
        response.writeHead(status, { "content-type": "text/html" }).end(body);
      });
      const host = await listen(server);
      let isDown = false;
      const told: Told[] = [];
      const messages = new Map<string, string>();
      const receiver = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          if (isDown) return void request.socket.destroy();
          const text = Buffer.concat(chunks).toString("utf8");
          const id = String(request.headers["x-quarry-event-id"]);
          const { data } = JSON.parse(text) as {
            data: { event: string; at: number; pages: { url: string }[] }[];
          };
          // A repeated message is the same message.
          const content = JSON.stringify(data);
          expect(messages.get(id) ?? content).toBe(content);
          if (!messages.has(id))
            for (const { event, at, pages } of data)
              for (const { url } of pages) told.push({ id, event, url, at });
          messages.set(id, content);
          response.end();
        });
      });
      const receiverHost = await listen(receiver);
      closing.push(
        () => void server.close(),
        () => void receiver.close(),
      );
      const given = JSON.stringify({
        dataDir: config.dataDir,
        databaseUrl,
        egressAllow: [host, receiverHost],
        accountId: v7(),
      });
      let child: ChildProcess;
      const open = async (): Promise<void> => {
        child = fork(path.join(import.meta.dirname, "monitor-child.ts"), [given]);
        await once(child, "message");
      };
      const ask = async (message: ChildMessage): Promise<unknown> => {
        const answered = once(child, "message");
        child.send(message);
        return (await answered)[0];
      };
      await open();
      closing.push(() => child.kill("SIGKILL"));
      const halves = [
        site.keys().filter((number) => number < 5),
        site.keys().filter((number) => number >= 5),
      ];
      await ask({
        now,
        create: halves.map((numbers): MonitorRequest => ({
          name: "days",
          schedule: { cron: "0 */6 * * *" },
          targets: [
            { type: "scrape", urls: [...numbers].map((number) => `http://${host}/${number}`) },
          ],
          detection: { brokenAfter: BROKEN_AFTER },
          channels: [{ type: "webhook", url: `http://${receiverHost}/`, maxPerHour: 1_000 }],
        })),
      });
      const kills = new Set<number>();
      while (kills.size < Math.min(KILLS, STEPS - 2))
        kills.add(1 + Math.floor(random() * (STEPS - 2)));
      const downFrom = Math.floor(STEPS / 2);
      const wanted: { readonly event: string; readonly number: number; readonly step: number }[] =
        [];
      const pending = site.map(() => false);
      const failures = site.map(() => 0);
      for (let step = 0; step < STEPS; step++) {
        // Each monitor starts at its own second of the minute.
        now = START + (step + 1) * STEP_MS + MINUTE_MS;
        for (const [number, page] of site.entries()) {
          const before = page.outage;
          if (page.left > 0) page.left -= 1;
          else if (step > 2 && random() < 0.03) page.left = 1 + Math.floor(random() * 5);
          if (page.left === 0) page.outage = undefined;
          else page.outage ??= OUTAGES[Math.floor(random() * OUTAGES.length)];
          const isBroken = page.outage !== undefined && page.outage !== "gone";
          if ((before === "gone") !== (page.outage === "gone")) pending[number] = true;
          if (step > 0 && page.outage !== "gone" && random() < 0.06) {
            page.edits += 1;
            pending[number] = true;
          }
          if (isBroken) {
            failures[number] = (failures[number] ?? 0) + 1;
            if (failures[number] === BROKEN_AFTER) wanted.push({ event: "broken", number, step });
            continue;
          }
          const isBack = (failures[number] ?? 0) >= BROKEN_AFTER;
          failures[number] = 0;
          // One notification tells both.
          if (pending[number] === true) wanted.push({ event: "change", number, step });
          else if (isBack) wanted.push({ event: "recovered", number, step });
          pending[number] = false;
        }
        isDown = step >= downFrom && step < downFrom + 4;
        let clock = now;
        if (kills.has(step)) {
          child!.send({ now: clock } satisfies ChildMessage);
          await sleep(random() * 500);
          child!.kill("SIGKILL");
          await once(child!, "exit");
          clock += LEASES_MS;
          await open();
        }
        expect(await ask({ now: clock })).toBe("idle");
      }
      // The longest delay between two attempts.
      for (let hours = 0; hours <= 48; hours += 1) {
        now += HOUR_MS;
        if (now < START + (STEPS + 1) * STEP_MS || hours > 0) await ask({ now });
      }
      const toKey = ({ event, number, step }: (typeof wanted)[number]): string =>
        `${event} of ${number} at ${step}`;
      const got = told
        .map(({ event, url, at }) => ({
          event,
          number: Number(/\d+$/.exec(url)?.[0]),
          step: Math.floor((at - START) / STEP_MS) - 1,
        }))
        .filter(({ step }) => step < STEPS)
        .map(toKey);
      const truth = wanted.map(toKey);
      const report = `wrong: ${got.filter((key) => !truth.includes(key)).join(", ")}\nmissed: ${truth.filter((key) => !got.includes(key)).join(", ")}`;
      if (process.env["QUARRY_TEST_REPORT"] !== undefined)
        process.stdout.write(`${truth.length} alerts due, ${got.length} told\n${report}\n`);
      const right = new Set(got.filter((key) => truth.includes(key))).size;
      // Once each: the ids of an outbox entry do not repeat it under another.
      expect(got.length - new Set(got).size, report).toBe(0);
      // Of a short run, one alert is more than two percent.
      const allowed = (count: number): number => Math.max(1, Math.floor(count * 0.02));
      expect(got.length - right, report).toBeLessThanOrEqual(allowed(got.length));
      expect(truth.length - right, report).toBeLessThanOrEqual(allowed(truth.length));
    },
  );
});
