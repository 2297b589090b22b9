// Processes of monitors on one store, with a simulated clock, pages from memory and a receiver of
// notifications. A process can die at chosen points.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { v7 } from "uuid";
import { afterAll, beforeAll } from "vitest";
import { createFreeCredits } from "../src/account/credits.ts";
import { ANONYMOUS_IDENTITY, type Identity } from "../src/account/identity.ts";
import { createTestConfig, type Config } from "../src/config.ts";
import { monitorRequestSchema } from "../src/contract/jobs/monitor.ts";
import type { Document } from "../src/contract/page/document.ts";
import { createEgress } from "../src/egress/dispatchers.ts";
import { createJobService } from "../src/jobs/create-jobs.ts";
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";
import { createMonitorRoom } from "../src/monitors/create-monitor-room.ts";
import type { Scrape } from "../src/scrape/scrape.ts";
import { openStore, type Store } from "../src/store/store.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const log = createLogger("silent");
const never = (): Promise<never> => new Promise(() => undefined);

type Receiver = {
  readonly url: string;
  readonly got: { readonly id: string; readonly body: Record<string, unknown> }[];
  isDown: boolean;
  close(): void;
};

async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (receiver.isDown) return void response.writeHead(503).end();
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, unknown>;
      receiver.got.push({ id: String(request.headers["x-quarry-event-id"]), body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    got: [],
    isDown: false,
    close: () => void server.close(),
  };
  return receiver;
}

export type Site = { text: string; fetches: number };
export type Fate =
  | "lives"
  | "dies before it fetches"
  | "dies before the end"
  | "dies after the end"
  | "dies after it sent";

export const buildIdentity = (): Identity => ({ ...ANONYMOUS_IDENTITY, accountId: v7() });

export const until = async (test: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 30_000; !(await test());) {
    if (Date.now() > end) throw new Error("waited too long");
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
};

/** Opens the store and the receiver before the tests of a suite, and closes them after. */
export function useMonitorProcesses(configure: () => Promise<Config>) {
  let store: Store;
  let receiver: Receiver;
  const clock = { now: Date.parse("2026-03-01T00:05:00Z") };
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    store = await openStore(await configure(), log);
    receiver = await openReceiver();
  });
  afterAll(async () => {
    for (const close of closing) await close();
    receiver.close();
    await store.close();
  });

  /** One process. What a dead one still does at its end is refused or never written. */
  function openProcess(
    site: Site,
    fate: Fate = "lives",
    failing: Partial<Store["monitorChecks"]> = {},
  ) {
    let isDead = false;
    const die = async (): Promise<never> => {
      isDead = true;
      return await never();
    };
    const checks = store.monitorChecks;
    const own = {
      ...store,
      runs: {
        ...store.runs,
        claim: async (...given: Parameters<Store["runs"]["claim"]>) =>
          isDead ? [] : await store.runs.claim(...given),
        renew: async (...given: Parameters<Store["runs"]["renew"]>) =>
          isDead ? [...given[0]] : await store.runs.renew(...given),
      },
      schedules: {
        ...store.schedules,
        claim: async (...given: Parameters<Store["schedules"]["claim"]>) =>
          isDead ? [] : await store.schedules.claim(...given),
      },
      monitorChecks: {
        ...checks,
        ...failing,
        async end(...given: Parameters<typeof checks.end>) {
          if (fate === "dies before the end") return await die();
          const ended = await checks.end(...given);
          return fate === "dies after the end" ? await die() : ended;
        },
      },
      monitorNotices: {
        ...store.monitorNotices,
        finish: async (...given: Parameters<Store["monitorNotices"]["finish"]>) =>
          fate === "dies after it sent" ? await die() : await store.monitorNotices.finish(...given),
      },
    } as Store;
    const scrape: Scrape = async ({ url }, { identity: { accountId, keyId } }) => {
      if (fate === "dies before it fetches") return await die();
      site.fetches += 1;
      const scrapeId = v7();
      const metadata = {
        url,
        sourceURL: url,
        statusCode: 200,
        verdict: "content",
        title: "Town",
        creditsUsed: 1,
        scrapeId,
      };
      const document = { markdown: site.text, metadata } as unknown as Document;
      const record = {
        id: scrapeId,
        accountId,
        keyId,
        requestedUrl: url,
        finalUrl: url,
        status: "completed",
        statusCode: 200,
        error: null,
        options: {},
        explanation: null,
        credits: 1,
        createdAt: clock.now,
        expiresAt: clock.now + HOUR,
      } as const;
      await store.scrapes.save(record, document);
      return { document, json: undefined, scrapeId, explanation: undefined };
    };
    const metrics = createMetrics();
    const egress = createEgress(createTestConfig({ egressAllow: [new URL(receiver.url).host] }), {
      metrics,
    });
    const now = (): number => clock.now;
    const jobs = async () => service.jobs;
    const room = createMonitorRoom({
      config: createTestConfig({}),
      store: async () => own,
      jobs,
      crawls: never,
      webhooks: async () => ({ secrets: { ofAccountId: async () => "secret" } }),
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
      store: own,
      credits: createFreeCredits(),
      webhooks: { resolve: async (given) => given, wake: () => undefined },
      kinds: [room.kind],
      config: { resultLifeHours: 1 },
      log,
      metrics,
      now,
    });
    closing.push(async () => {
      isDead = true;
      await egress.close();
    });
    return { room, service, isDead: () => isDead };
  }

  const request = (fields: object = {}) =>
    monitorRequestSchema.parse({
      name: "town",
      schedule: { cron: "0 * * * *" },
      targets: [{ id: "t", type: "scrape", urls: ["https://town.example/"] }],
      channels: [{ id: "hook", type: "webhook", url: receiver.url }],
      ...fields,
    });

  const isOver = async (accountId: string, id: string, count: number): Promise<boolean> => {
    const checks = await store.monitorChecks.list(accountId, id, { limit: 100, offset: 0 });
    return (
      checks.filter(({ status }) => status !== "queued" && status !== "running").length >= count
    );
  };

  return {
    clock,
    openProcess,
    request,
    isOver,
    getStore: () => store,
    getReceiver: () => receiver,
  };
}
