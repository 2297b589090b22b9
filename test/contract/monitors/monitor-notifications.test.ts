// Notifications of monitors: retries, conditions, recovery and feedback.
import { describe, expect, it } from "vitest";
import type { Monitor, MonitorCheck } from "../../../src/contract/jobs/monitor-report.ts";
import { useNotificationReceivers } from "../../notification-receivers.ts";
import { isRemote } from "../../service.ts";

const { received, answers, ask, create, check, change, getOpened } = useNotificationReceivers();

describe.skipIf(isRemote)("notifications of monitors", () => {
  it("waits as long as a receiver asks with Retry-After", async () => {
    const { receiver } = getOpened();
    const { id } = await create([{ id: "room", type: "discord", url: `${receiver}/discord` }]);
    answers.status = 429;
    answers.retryAfter = "7200.5";
    const before = Date.now();
    await change(id);
    const next = async (): Promise<number> => {
      const [entry] = await ask<Record<string, string>[]>("GET", `/v2/monitor/${id}/deliveries`);
      return entry?.["error"] === undefined ? 0 : Date.parse(entry["nextAttemptAt"] ?? "");
    };
    await expect.poll(next, { timeout: 10_000 }).toBeGreaterThan(before + 7_200_000);
    expect(await next()).toBeLessThan(Date.now() + 7_201_000);
    answers.status = 200;
    answers.retryAfter = undefined;
  });

  it("reports the receiver's answer when a channel is tested", async () => {
    const { receiver, service } = getOpened();
    const { id } = await create([{ id: "room", type: "slack", url: `${receiver}/slack` }]);
    received.length = 0;
    expect(await ask("POST", `/v2/monitor/${id}/test`, {})).toEqual([
      { channel: "room", delivered: true, error: null },
    ]);
    expect(received).toMatchObject([{ body: { text: expect.stringContaining("test") as string } }]);
    answers.status = 403;
    expect(await ask("POST", `/v2/monitor/${id}/test`, { channel: "room" })).toEqual([
      { channel: "room", delivered: false, error: "The receiver answered 403." },
    ]);
    answers.status = 200;
    const answer = await service.ask(`/v2/monitor/${id}/test`, {
      method: "POST",
      body: { channel: "x" },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: "channel: the monitor has no channel x" },
    });
  });

  it("keeps a notification that the receiver refused, with the time of the next attempt", async () => {
    const { receiver } = getOpened();
    const { id } = await create([{ id: "room", type: "slack", url: `${receiver}/slack` }]);
    answers.status = 500;
    await change(id);
    const log = async () =>
      await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
    await expect.poll(async () => (await log())[0]?.["statusCode"], { timeout: 10_000 }).toBe(500);
    answers.status = 200;
    expect(await log()).toMatchObject([
      {
        channel: "room",
        event: "change",
        state: "waiting",
        attempts: 1,
        error: "The receiver answered 500.",
      },
    ]);
  });

  it("does not notify a change that meets no condition, and gives the reason in the check", async () => {
    const { receiver } = getOpened();
    const { id } = await create([{ type: "slack", url: `${receiver}/slack` }], {
      when: { conditions: [{ type: "textAppears", text: "for sale" }] },
    });
    await change(id);
    const [first] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
    expect(await ask("GET", `/v2/monitor/${id}/checks/${first?.id}`)).toMatchObject({
      pages: [
        { status: "changed", judgment: { meaningful: false, reason: "No condition is met." } },
      ],
    });
    expect(await ask("GET", `/v2/monitor/${id}/deliveries`)).toEqual([]);
    const dry = await ask<{ notifies: boolean }[]>("POST", `/v2/monitor/${id}/dry-run`, {
      when: { conditions: [{ type: "textAppears", text: "closed" }] },
    });
    expect(dry).toMatchObject([{ changed: true, notifies: true }]);
  });

  it.each([
    [503, "broken", "failed"],
    [410, "change", "completed"],
  ])(
    "notifies that a page can be read again after %i, also when its change meets no condition",
    async (answer, event, ends) => {
      const { receiver } = getOpened();
      const { id } = await create([{ type: "webhook", url: `${receiver}/hook` }], {
        detection: { confirmations: 0, brokenAfter: 1 },
        when: { conditions: [{ type: "textAppears", text: "for sale" }] },
      });
      answers.line = "Open daily from 9 to 17.";
      received.length = 0;
      await check(id);
      answers.pageStatus = answer;
      await check(id, ends);
      answers.pageStatus = 200;
      answers.line = "Open daily from 10 to 16.";
      await check(id);
      const [newest] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
      expect(await ask("GET", `/v2/monitor/${id}/checks/${newest?.id}`)).toMatchObject({
        pages: [{ status: "changed", event: "recovered", judgment: { meaningful: false } }],
      });
      await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
      expect(received.map(({ body }) => body["data"])).toMatchObject([
        [{ event }],
        [
          {
            event: "recovered",
            pages: [{ reason: "The page can be read again. No condition is met." }],
          },
        ],
      ]);
      // Only once.
      answers.line = "Open daily from 11 to 15.";
      await check(id);
      const log = await ask<Record<string, unknown>[]>("GET", `/v2/monitor/${id}/deliveries`);
      expect(log.map((entry) => entry["event"])).toEqual(["recovered", event]);
    },
  );

  it("notifies recovered when a page that was gone comes back unchanged", async () => {
    const { receiver } = getOpened();
    const { id } = await create([{ type: "webhook", url: `${receiver}/hook` }], {
      detection: { confirmations: 0 },
    });
    answers.line = "Open daily from 9 to 17.";
    received.length = 0;
    for (const status of [200, 410, 200]) {
      answers.pageStatus = status;
      await check(id);
    }
    const [newest] = await ask<MonitorCheck[]>("GET", `/v2/monitor/${id}/checks`);
    expect(await ask("GET", `/v2/monitor/${id}/checks/${newest?.id}`)).toMatchObject({
      pages: [{ status: "changed", event: "recovered", judgment: null, diff: null }],
    });
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(2);
    expect(received.map(({ body }) => body["data"])).toMatchObject([
      [{ event: "change", pages: [{ reason: "The page is gone." }] }],
      [{ event: "recovered", pages: [{ reason: "The page can be read again." }] }],
    ]);
  });

  it("turns a diff line into a filter for similar lines", async () => {
    const { id } = await create([], { detection: { confirmations: 0, ignoreNoise: false } });
    const feedback = { line: "+Berth 12 is free.", verdict: "ignore" };
    const changed = await ask<Monitor>("POST", `/v2/monitor/${id}/feedback`, feedback);
    expect(changed.detection?.["ignore"]).toEqual([String.raw`^\s*Berth \d+ is free\.\s*$`]);
    answers.line = "Berth 12 is free.";
    await check(id);
    answers.line = "Berth 7 is free.";
    await check(id);
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({ lastCheckSummary: { same: 1 } });
    answers.line = "Berth 7 is taken.";
    await check(id);
    expect(await ask("GET", `/v2/monitor/${id}`)).toMatchObject({
      lastCheckSummary: { changed: 1 },
    });
  });
});
