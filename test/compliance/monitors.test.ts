// Checks and notifications of monitors through killed processes, on both databases, with a simulated clock.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFreeCredits } from "../../src/account/credits.ts";
import { ANONYMOUS_IDENTITY, type Identity } from "../../src/account/identity.ts";
import { monitorRequestSchema } from "../../src/contract/jobs/monitor.ts";
import type { Document } from "../../src/contract/page/document.ts";
import { createEgress } from "../../src/egress/dispatchers.ts";
import { createTestConfig } from "../../src/config.ts";
import { createJobService } from "../../src/jobs/create-jobs.ts";
import { createLogger } from "../../src/logger.ts";
import { createMetrics } from "../../src/metrics.ts";
import { createMonitorRoom } from "../../src/monitors/create-monitor-room.ts";
import type { Scrape } from "../../src/scrape/scrape.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const BASE = "https://quarry.example";
const DAY = 24 * HOUR;
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

type Site = { text: string; fetches: number };
type Fate =
  | "lives"
  | "dies before it fetches"
  | "dies before the end"
  | "dies after the end"
  | "dies after it sent";

describeDatabases("monitors", (configure) => {
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

  const identityOf = (): Identity => ({ ...ANONYMOUS_IDENTITY, accountId: v7() });
  const request = (fields: object = {}) =>
    monitorRequestSchema.parse({
      name: "town",
      schedule: { cron: "0 * * * *" },
      targets: [{ id: "t", type: "scrape", urls: ["https://town.example/"] }],
      channels: [{ id: "hook", type: "webhook", url: receiver.url }],
      ...fields,
    });

  const until = async (test: () => boolean | Promise<boolean>): Promise<void> => {
    for (const end = Date.now() + 30_000; !(await test());) {
      if (Date.now() > end) throw new Error("waited too long");
      await new Promise((resolve) => void setTimeout(resolve, 20));
    }
  };
  const isOver = async (accountId: string, id: string, count: number): Promise<boolean> => {
    const checks = await store.monitorChecks.list(accountId, id, { limit: 100, offset: 0 });
    return (
      checks.filter(({ status }) => status !== "queued" && status !== "running").length >= count
    );
  };

  describe("through killed processes", () => {
    it.each<Fate>(["dies before it fetches", "dies before the end", "dies after the end"])(
      "one edit is one check and one notification when the process %s",
      async (fate) => {
        const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
        const identity = identityOf();
        const healthy = openProcess(site);
        const { monitors } = healthy.room;
        const { id } = await monitors.create(request(), identity, BASE);
        await healthy.service.start();
        await monitors.run(id, identity);
        await until(() => isOver(identity.accountId, id, 1));
        await healthy.service.close();
        site.text = "# Town\n\nThe market is closed this week.";
        const doomed = openProcess(site, fate);
        await doomed.room.monitors.run(id, identity);
        void doomed.service.start();
        await until(() => doomed.isDead());
        // Its lease ends.
        clock.now += MINUTE;
        const next = openProcess(site);
        await next.service.start();
        await until(() => isOver(identity.accountId, id, 2));
        await until(async () => (await store.jobs.listActive(identity.accountId)).length === 0);
        const checks = await monitors.listChecks(id, identity, {});
        expect(checks.map(({ summary }) => [summary.new, summary.changed])).toEqual([
          [0, 1],
          [1, 0],
        ]);
        const deliverer = await next.room.deliverer();
        await until(async () => (await deliverer.sendDue()) === 0);
        const mine = receiver.got.filter(({ body }) => body["id"] === id);
        expect(mine).toHaveLength(1);
        expect(await monitors.find(id, identity)).toMatchObject({ currentCheckId: null });
        await next.service.close();
        await monitors.remove(id, identity);
        expect(await store.schedules.load(id)).toBeUndefined();
      },
    );

    it("a message that was sent before a crash is repeated unchanged, without newer notifications", async () => {
      const site: Site = { text: "# Town\n\nNotice 0 of the council.", fetches: 0 };
      const identity = identityOf();
      const doomed = openProcess(site, "dies after it sent");
      const { monitors } = doomed.room;
      const detection = { confirmations: 0, ignoreNoise: false };
      const schedule = { cron: "0 0 1 1 *" };
      const { id } = await monitors.create(request({ schedule, detection }), identity, BASE);
      await doomed.service.start();
      const edit = async (number: number): Promise<void> => {
        site.text = `# Town\n\nNotice ${number} of the council.`;
        await monitors.run(id, identity);
        await until(() => isOver(identity.accountId, id, number + 1));
      };
      for (const number of [0, 1, 2]) await edit(number);
      void (await doomed.room.deliverer()).sendDue();
      await until(() => doomed.isDead());
      await openProcess(site).service.start();
      await edit(3);
      clock.now += 10 * MINUTE;
      const deliverer = await openProcess(site).room.deliverer();
      await until(async () => (await deliverer.sendDue()) === 0);
      const got = receiver.got
        .filter(({ body }) => body["id"] === id)
        .map((one) => ({ id: one.id, size: (one.body["data"] as unknown[]).length }));
      const [first] = got;
      expect(got.map(({ size }) => size).toSorted((one, other) => one - other)).toEqual([1, 2, 2]);
      expect(got.filter((one) => one.id === first?.id)).toHaveLength(2);
      expect(got.find(({ size }) => size === 1)?.id).not.toBe(first?.id);
      await monitors.remove(id, identity);
    });

    it("a receiver that is down for a day gets every notification once, also from other processes", async () => {
      const site: Site = { text: "# Town\n\nNotice 0 of the council.", fetches: 0 };
      const identity = identityOf();
      const first = openProcess(site);
      const { id } = await first.room.monitors.create(
        // Only the checks that this test starts.
        request({
          schedule: { cron: "0 0 1 1 *" },
          detection: { confirmations: 0, ignoreNoise: false },
        }),
        identity,
        BASE,
      );
      await first.service.start();
      receiver.isDown = true;
      let deliverer = await first.room.deliverer();
      for (let hour = 0; hour < 24; hour++) {
        site.text = `# Town\n\nNotice ${hour} of the council.`;
        await first.room.monitors.run(id, identity);
        await until(() => isOver(identity.accountId, id, hour + 1));
        for (let tenth = 0; tenth < 6; tenth++) {
          clock.now += 10 * MINUTE;
          await deliverer.sendDue();
        }
        // A process that dies with claimed notices: the lease of the claim ends before the next hour.
        const worker = `dead ${hour}`;
        await store.monitorNotices.claim({ worker, max: 2, leaseMs: 5 * MINUTE, now: clock.now });
        deliverer = await openProcess(site).room.deliverer();
      }
      await first.service.close();
      receiver.isDown = false;
      for (let hour = 0; hour < 80; hour++) {
        clock.now += HOUR;
        await deliverer.sendDue();
      }
      const entries = await first.room.monitors.listDeliveries(id, identity, { limit: 100 });
      expect(entries).toHaveLength(23);
      expect(entries.map(({ state }) => state)).toEqual(Array(23).fill("delivered"));
      const told = receiver.got
        .filter(({ body }) => body["id"] === id)
        .flatMap(({ body }) => body["data"] as { checkId: string }[])
        .map(({ checkId }) => checkId);
      expect(told).toHaveLength(23);
      expect(new Set(told).size).toBe(23);
      await first.room.monitors.remove(id, identity);
    }, 120_000);
  });

  describe("schedules", () => {
    it("runs once after a downtime, at each time after it, and records an overlap", async () => {
      const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
      const identity = identityOf();
      const { room, service } = openProcess(site);
      clock.now = Date.parse("2026-05-01T00:30:00Z");
      const { id } = await room.monitors.create(
        request({ detection: { confirmations: 0 } }),
        identity,
        BASE,
      );
      // No process runs for five hours.
      clock.now = Date.parse("2026-05-01T05:59:00Z");
      await service.start();
      await until(() => isOver(identity.accountId, id, 1));
      const readNextMinute = async (): Promise<string> =>
        new Date((await store.schedules.load(id))?.nextAt ?? 0).toISOString().slice(0, 16);
      await until(async () => (await readNextMinute()) === "2026-05-01T06:00");
      clock.now = Date.parse("2026-05-01T06:00:59Z");
      await until(() => isOver(identity.accountId, id, 2));
      const scheduled = await room.monitors.listChecks(id, identity, {});
      expect(
        scheduled.map(({ scheduledFor }) => new Date(scheduledFor ?? 0).toISOString().slice(0, 16)),
      ).toEqual(["2026-05-01T06:00", "2026-05-01T01:00"]);
      await service.close();
      const stuck = openProcess(site, "dies before it fetches");
      clock.now = Date.parse("2026-05-01T07:00:59Z");
      void stuck.service.start();
      await until(() => stuck.isDead());
      const other = openProcess(site);
      await until(async () => (await readNextMinute()) === "2026-05-01T08:00");
      await other.room.kind.schedule?.start({
        ...((await store.schedules.load(id)) as NonNullable<
          Awaited<ReturnType<Store["schedules"]["load"]>>
        >),
        nextAt: Date.parse("2026-05-01T08:00:30Z"),
        isRunning: true,
      });
      const [overlap] = await other.room.monitors.listChecks(id, identity, { limit: 1 });
      expect(overlap).toMatchObject({ status: "skipped_overlap", trigger: "scheduled" });
      await room.monitors.remove(id, identity);
    });

    it("saves a pause when the scrapes of the next check cannot be kept", async () => {
      const identity = identityOf();
      const keepScrapes = async (): Promise<never> => {
        throw new Error("the database is read-only");
      };
      const { monitors } = openProcess({ text: "x", fetches: 0 }, "lives", { keepScrapes }).room;
      const { id } = await monitors.create(request(), identity, BASE);
      const pause = { origin: "api", status: "paused" } as const;
      expect(await monitors.update(id, pause, identity, BASE)).toMatchObject({ status: "paused" });
      expect(await monitors.find(id, identity)).toMatchObject({ status: "paused" });
      await monitors.remove(id, identity);
    });

    it("lists the monitors of an account page by page", async () => {
      const identity = identityOf();
      const { monitors } = openProcess({ text: "x", fetches: 0 }).room;
      const ids: string[] = [];
      for (let at = 0; at < 3; at++)
        ids.unshift((await monitors.create(request(), identity, BASE)).id);
      const list = async (query: { cursor?: string; offset?: number }) => {
        const page = await monitors.list(identity, { limit: 2, ...query });
        return [page.monitors.map(({ id }) => id), page.cursor];
      };
      const [first = "", second = "", third = ""] = ids;
      expect(await list({})).toEqual([[first, second], second]);
      expect(await list({ cursor: second })).toEqual([[third], null]);
      expect(await list({ offset: 1 })).toEqual([[second, third], null]);
      expect(await list({ cursor: first, offset: 1 })).toEqual([[third], null]);
      for (const id of ids) await monitors.remove(id, identity);
    });

    it("a paused monitor has no next time until it is active again", async () => {
      const identity = identityOf();
      const { monitors } = openProcess({ text: "x", fetches: 0 }).room;
      const { id } = await monitors.create(request(), identity, BASE);
      const update = { origin: "api" } as const;
      await monitors.update(id, { ...update, status: "paused" }, identity, BASE);
      expect((await store.schedules.load(id))?.nextAt).toBeNull();
      await monitors.update(id, { ...update, status: "active" }, identity, BASE);
      expect((await store.schedules.load(id))?.nextAt).toBeGreaterThan(clock.now);
      await monitors.remove(id, identity);
    });
  });

  it("removes expired checks with their pages and keeps the versions for the next check", async () => {
    const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
    const identity = identityOf();
    const { room, service } = openProcess(site);
    const { id } = await room.monitors.create(
      request({ retentionDays: 1, detection: { confirmations: 0 } }),
      identity,
      BASE,
    );
    await service.start();
    await room.monitors.run(id, identity);
    await until(() => isOver(identity.accountId, id, 1));
    await store.retention.cleanUp({ now: clock.now + 2 * DAY });
    expect(await room.monitors.listChecks(id, identity, {})).toEqual([]);
    await room.monitors.run(id, identity);
    await until(() => isOver(identity.accountId, id, 1));
    expect(await room.monitors.listChecks(id, identity, {})).toMatchObject([
      { summary: { same: 1 } },
    ]);
    await service.close();
  });

  it("keeps the scrapes before and after a change as long as the check, and no others", async () => {
    const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
    const identity = identityOf();
    const { room, service } = openProcess(site);
    const { monitors } = room;
    // No planned check comes between: the next one is more than 22 hours away.
    const hour = (new Date(clock.now).getUTCHours() + 23) % 24;
    const options = request({
      schedule: { cron: `0 ${hour} * * *`, timezone: "UTC" },
      retentionDays: 10,
      detection: { confirmations: 0 },
    });
    const { id } = await monitors.create(options, identity, BASE);
    await service.start();
    const check = async (count: number) => {
      const { id: checkId } = await monitors.run(id, identity);
      await until(() => isOver(identity.accountId, id, count));
      const { pages } = await monitors.check(id, checkId, identity, { skip: 0, limit: 10 });
      return pages.map(({ about }) => about)[0];
    };
    const isKept = async (scrapeId: unknown, days: number): Promise<boolean> => {
      const now = clock.now + days * DAY;
      await store.retention.cleanUp({ now, sweep: true });
      return (await store.scrapes.load(String(scrapeId), now))?.document !== undefined;
    };
    await check(1);
    await check(2);
    // Longer than the scrapes of this test live, before the next planned check.
    clock.now += 19 * HOUR;
    await store.retention.cleanUp({ now: clock.now, sweep: true });
    const same = await check(3);
    site.text = "# Town\n\nThe market is closed this week.";
    clock.now += 2 * HOUR;
    await store.retention.cleanUp({ now: clock.now, sweep: true });
    const changed = await check(4);
    expect(changed?.["previousScrapeId"]).toBe(same?.["currentScrapeId"]);
    expect(await isKept(changed?.["previousScrapeId"], 9)).toBe(true);
    expect(await isKept(changed?.["currentScrapeId"], 9)).toBe(true);
    expect(await isKept(same?.["previousScrapeId"], 9)).toBe(false);
    expect(await isKept(changed?.["currentScrapeId"], 11)).toBe(false);
    await service.close();
  });

  it.each([
    ["status", { status: "paused" }],
    ["pauseUntil", { pauseUntil: "2027-01-01T00:00:00Z" }],
  ] as const)("keeps the scrape before a change over a pause by %s", async (_name, pause) => {
    const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
    const identity = identityOf();
    const { room, service } = openProcess(site);
    const { monitors } = room;
    clock.now = Date.parse("2026-12-01T10:00:00Z");
    const options = request({ retentionDays: 10, detection: { confirmations: 0 } });
    const { id } = await monitors.create(options, identity, BASE);
    await service.start();
    const check = async (count: number) => {
      const { id: checkId } = await monitors.run(id, identity);
      await until(() => isOver(identity.accountId, id, count));
      const { pages } = await monitors.check(id, checkId, identity, { skip: 0, limit: 10 });
      return pages.map(({ about }) => about)[0];
    };
    const hasDocument = async (scrapeId: unknown): Promise<boolean> => {
      await store.retention.cleanUp({ now: clock.now, sweep: true });
      return (await store.scrapes.load(String(scrapeId), clock.now))?.document !== undefined;
    };
    await check(1);
    const first = await check(2);
    await monitors.update(id, { origin: "api", ...pause }, identity, BASE);
    clock.now += 8 * DAY;
    expect(await hasDocument(first?.["currentScrapeId"])).toBe(true);
    const same = await check(3);
    expect(same?.["currentScrapeId"]).not.toBe(first?.["currentScrapeId"]);
    clock.now += 8 * DAY;
    expect(await hasDocument(same?.["currentScrapeId"])).toBe(true);
    site.text = "# Town\n\nThe market is closed this week.";
    const changed = await check(2);
    expect(changed?.["previousScrapeId"]).toBe(same?.["currentScrapeId"]);
    expect(await hasDocument(changed?.["previousScrapeId"])).toBe(true);
    await monitors.remove(id, identity);
    await service.close();
  });
});
