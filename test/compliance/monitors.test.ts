// Checks and notifications of monitors through killed processes, on both databases, with a
// simulated clock.
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import {
  buildIdentity,
  HOUR,
  MINUTE,
  until,
  useMonitorProcesses,
  type Fate,
  type Site,
} from "../monitor-processes.ts";

const BASE = "https://quarry.example";

describeDatabases("monitors", (configure) => {
  const { clock, openProcess, request, isOver, getStore, getReceiver } =
    useMonitorProcesses(configure);

  describe("through killed processes", () => {
    it.each<Fate>(["dies before it fetches", "dies before the end", "dies after the end"])(
      "one edit is one check and one notification when the process %s",
      async (fate) => {
        const site: Site = { text: "# Town\n\nThe market opens at nine.", fetches: 0 };
        const identity = buildIdentity();
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
        await until(
          async () => (await getStore().jobs.listActive(identity.accountId)).length === 0,
        );
        const checks = await monitors.listChecks(id, identity, {});
        expect(checks.map(({ summary }) => [summary.new, summary.changed])).toEqual([
          [0, 1],
          [1, 0],
        ]);
        const deliverer = await next.room.deliverer();
        await until(async () => (await deliverer.sendDue()) === 0);
        const mine = getReceiver().got.filter(({ body }) => body["id"] === id);
        expect(mine).toHaveLength(1);
        expect(await monitors.find(id, identity)).toMatchObject({ currentCheckId: null });
        await next.service.close();
        await monitors.remove(id, identity);
        expect(await getStore().schedules.load(id)).toBeUndefined();
      },
    );

    it("a message that was sent before a crash is repeated unchanged, without newer notifications", async () => {
      const site: Site = { text: "# Town\n\nNotice 0 of the council.", fetches: 0 };
      const identity = buildIdentity();
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
      const got = getReceiver()
        .got.filter(({ body }) => body["id"] === id)
        .map((one) => ({ id: one.id, size: (one.body["data"] as unknown[]).length }));
      const [first] = got;
      expect(got.map(({ size }) => size).toSorted((one, other) => one - other)).toEqual([1, 2, 2]);
      expect(got.filter((one) => one.id === first?.id)).toHaveLength(2);
      expect(got.find(({ size }) => size === 1)?.id).not.toBe(first?.id);
      await monitors.remove(id, identity);
    });

    it("a receiver that is down for a day gets every notification once, also from other processes", async () => {
      const site: Site = { text: "# Town\n\nNotice 0 of the council.", fetches: 0 };
      const identity = buildIdentity();
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
      getReceiver().isDown = true;
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
        await getStore().monitorNotices.claim({
          worker,
          max: 2,
          leaseMs: 5 * MINUTE,
          now: clock.now,
        });
        deliverer = await openProcess(site).room.deliverer();
      }
      await first.service.close();
      getReceiver().isDown = false;
      for (let hour = 0; hour < 80; hour++) {
        clock.now += HOUR;
        await deliverer.sendDue();
      }
      const entries = await first.room.monitors.listDeliveries(id, identity, { limit: 100 });
      expect(entries).toHaveLength(23);
      expect(entries.map(({ state }) => state)).toEqual(Array(23).fill("delivered"));
      const told = getReceiver()
        .got.filter(({ body }) => body["id"] === id)
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
      const identity = buildIdentity();
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
        new Date((await getStore().schedules.load(id))?.nextAt ?? 0).toISOString().slice(0, 16);
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
        ...((await getStore().schedules.load(id)) as NonNullable<
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
      const identity = buildIdentity();
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
      const identity = buildIdentity();
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
      const identity = buildIdentity();
      const { monitors } = openProcess({ text: "x", fetches: 0 }).room;
      const { id } = await monitors.create(request(), identity, BASE);
      const update = { origin: "api" } as const;
      await monitors.update(id, { ...update, status: "paused" }, identity, BASE);
      expect((await getStore().schedules.load(id))?.nextAt).toBeNull();
      await monitors.update(id, { ...update, status: "active" }, identity, BASE);
      expect((await getStore().schedules.load(id))?.nextAt).toBeGreaterThan(clock.now);
      await monitors.remove(id, identity);
    });
  });
});
