// Retention of checks and of the scrapes that they compare, on both databases, with a simulated
// clock.
import { expect, it } from "vitest";
import { describeDatabases } from "../databases.ts";
import {
  buildIdentity,
  DAY,
  HOUR,
  until,
  useMonitorProcesses,
  type Site,
} from "../monitor-processes.ts";

const BASE = "https://quarry.example";

describeDatabases("kept checks of monitors", (configure) => {
  const { clock, openProcess, request, isOver, getStore } = useMonitorProcesses(configure);

  it("removes expired checks with their pages and keeps the versions for the next check", async () => {
    const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
    const identity = buildIdentity();
    const { room, service } = openProcess(site);
    const { id } = await room.monitors.create(
      request({ retentionDays: 1, detection: { confirmations: 0 } }),
      identity,
      BASE,
    );
    await service.start();
    await room.monitors.run(id, identity);
    await until(() => isOver(identity.accountId, id, 1));
    await getStore().retention.cleanUp({ now: clock.now + 2 * DAY });
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
    const identity = buildIdentity();
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
      await getStore().retention.cleanUp({ now, sweep: true });
      return (await getStore().scrapes.load(String(scrapeId), now))?.document !== undefined;
    };
    await check(1);
    await check(2);
    // Longer than the scrapes of this test live, before the next planned check.
    clock.now += 19 * HOUR;
    await getStore().retention.cleanUp({ now: clock.now, sweep: true });
    const same = await check(3);
    site.text = "# Town\n\nThe market is closed this week.";
    clock.now += 2 * HOUR;
    await getStore().retention.cleanUp({ now: clock.now, sweep: true });
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
    const identity = buildIdentity();
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
      await getStore().retention.cleanUp({ now: clock.now, sweep: true });
      return (await getStore().scrapes.load(String(scrapeId), clock.now))?.document !== undefined;
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
