// Runs the monitors of a scripted site over days of a simulated clock, in processes that are killed with
// SIGKILL at random moments, with a receiver that is down for a day, and compares what arrived with what
// happened.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import type { MonitorRequest } from "../../src/contract/jobs/monitor.ts";
import { createRandom } from "../mutate-page.ts";
import { createChangingSite, type DueAlert } from "./changing-site.ts";
import type { ChildMessage } from "./monitor-child.ts";

const HOUR_MS = 3_600_000;
const STEP_MS = 6 * HOUR_MS;
const STEPS_PER_DAY = 4;
/** Monitors start at their own second of the planned minute. */
const SPREAD_MS = 60_000;
const START = Date.parse("2026-03-01T00:00:00Z");
/** The leases of a killed process end within it. */
const LEASES_MS = 6 * 60_000;
const MAX_KILL_DELAY_MS = 500;
const BROKEN_AFTER = 3;
/** Longer than the longest delay between two attempts. */
const REST_HOURS = 48;

export type DaysOptions = {
  readonly days: number;
  readonly kills: number;
  readonly seed: number;
  readonly dataDir: string;
  /** Of PostgreSQL; the embedded database without it. */
  readonly databaseUrl?: string | undefined;
  readonly onDay?: (day: number) => void;
};

export type DaysReport = {
  readonly due: number;
  readonly received: number;
  /** Alerts that arrived more than once, under different ids. */
  readonly doubled: readonly string[];
  /** Messages that arrived again with other content than before. */
  readonly rewritten: readonly string[];
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
  /** Messages that arrived again under their id, after a crash. */
  readonly repeated: number;
};

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Alert = Pick<DueAlert, "number" | "step"> & { readonly event: string };
const toKey = ({ event, number, step }: Alert): string => `${event} of ${number} at ${step}`;

/** Receives notifications, unless it is down, and keeps what their first attempts reported. */
function createReceiver() {
  const alerts: Alert[] = [];
  const messages = new Map<string, string>();
  const rewritten: string[] = [];
  const state = { isDown: false, repeated: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (state.isDown) return void request.socket.destroy();
      const id = String(request.headers["x-quarry-event-id"]);
      const { data } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        data: { event: string; at: number; pages: { url: string }[] }[];
      };
      const content = JSON.stringify(data);
      const known = messages.get(id);
      if (known !== undefined) {
        state.repeated += 1;
        if (known !== content) rewritten.push(id);
      } else
        for (const { event, at, pages } of data)
          for (const { url } of pages)
            alerts.push({
              event,
              number: Number(/\d+$/.exec(url)?.[0]),
              step: Math.floor((at - START) / STEP_MS) - 1,
            });
      messages.set(id, content);
      response.end();
    });
  });
  return { server, state, alerts, rewritten };
}

/** The process that runs the monitors. */
function createRunner(given: object) {
  let child: ChildProcess | undefined;
  const start = async (): Promise<ChildProcess> => {
    child = fork(path.join(import.meta.dirname, "monitor-child.ts"), [JSON.stringify(given)]);
    await once(child, "message");
    return child;
  };
  return {
    async ask(message: ChildMessage): Promise<unknown> {
      const asked = child ?? (await start());
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      const onExit = (): void => reject(new Error("The process of the monitors ended."));
      asked.once("message", resolve).once("exit", onExit);
      asked.send(message);
      try {
        return await promise;
      } finally {
        asked.off("message", resolve).off("exit", onExit);
      }
    },
    /** Begins a check and kills the process after `delayMs`. */
    async kill(message: ChildMessage, delayMs: number): Promise<void> {
      const killed = child ?? (await start());
      const exit = once(killed, "exit");
      killed.send(message);
      await sleep(delayMs);
      killed.kill("SIGKILL");
      await exit;
      child = undefined;
    },
    close: () => void child?.kill("SIGKILL"),
  };
}

function pickSteps(count: number, steps: number, random: () => number): Set<number> {
  const picked = new Set<number>();
  while (picked.size < Math.min(count, steps - 2))
    picked.add(1 + Math.floor(random() * (steps - 2)));
  return picked;
}

export async function runMonitorDays(options: DaysOptions): Promise<DaysReport> {
  const { days, seed } = options;
  const steps = days * STEPS_PER_DAY;
  const site = createChangingSite(seed, BROKEN_AFTER);
  let now = START;
  const pages = createServer((request, response) => {
    const [status, body] = site.fetch(Number(/\d+/.exec(request.url ?? "")?.[0]), now) ?? [500, ""];
    response.writeHead(status, { "content-type": "text/html" }).end(body);
  });
  const receiver = createReceiver();
  const [pagesHost, receiverHost] = [await listen(pages), await listen(receiver.server)];
  const runner = createRunner({
    dataDir: options.dataDir,
    databaseUrl: options.databaseUrl,
    egressAllow: [pagesHost, receiverHost],
    accountId: v7(),
  });
  const due: DueAlert[] = [];
  try {
    const urls = Array.from({ length: site.pages }, (_, number) => `http://${pagesHost}/${number}`);
    const half = site.pages / 2;
    await runner.ask({
      now,
      create: [urls.slice(0, half), urls.slice(half)].map((part): MonitorRequest => ({
        name: "days",
        schedule: { cron: "0 */6 * * *" },
        targets: [{ type: "scrape", urls: part }],
        detection: { brokenAfter: BROKEN_AFTER },
        channels: [{ type: "webhook", url: `http://${receiverHost}/`, maxPerHour: 1_000 }],
      })),
    });
    const random = createRandom(seed + 1);
    const kills = pickSteps(options.kills, steps, random);
    const downFrom = Math.floor(steps / 2);
    for (let step = 0; step < steps; step++) {
      now = START + (step + 1) * STEP_MS + SPREAD_MS;
      due.push(...site.advance(step));
      receiver.state.isDown = step >= downFrom && step < downFrom + STEPS_PER_DAY;
      const isKilled = kills.has(step);
      if (isKilled) await runner.kill({ now }, random() * MAX_KILL_DELAY_MS);
      await runner.ask({ now: now + (isKilled ? LEASES_MS : 0) });
      if (step % STEPS_PER_DAY === 0) options.onDay?.(step / STEPS_PER_DAY);
    }
    receiver.state.isDown = false;
    for (let hour = 1; hour <= REST_HOURS; hour++) await runner.ask({ now: now + hour * HOUR_MS });
  } finally {
    runner.close();
    pages.close();
    receiver.server.close();
  }
  const truth = new Set(due.map(toKey));
  const received = receiver.alerts.filter(({ step }) => step < steps).map(toKey);
  const distinct = new Set(received);
  return {
    due: truth.size,
    received: received.length,
    doubled: received.filter((key, index) => received.indexOf(key) < index),
    rewritten: receiver.rewritten,
    wrong: [...distinct].filter((key) => !truth.has(key)),
    missed: [...truth].filter((key) => !distinct.has(key)),
    repeated: receiver.state.repeated,
  };
}
