// Politeness over both kinds of host store: several workers together.
import { setImmediate as nextTick } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPoliteness, POLITENESS } from "../../src/crawl/politeness/politeness.ts";
import { createLogger } from "../../src/logger.ts";
import { createHostStore, createLocalHosts, type HostStore } from "../../src/store/jobs/hosts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const { signal } = new AbortController();
const limits = { ...POLITENESS, cap: 5, first: 4 };

describeDatabases("politeness", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  describe.each(["local", "shared"] as const)("%s hosts", (which) => {
    let hosts: HostStore;
    const clock = { now: Date.now() };
    const build = (worker: string, isOwn = false) =>
      createPoliteness({
        hosts,
        worker,
        limits,
        isUnthrottled: () => isOwn,
        now: () => clock.now,
      });
    beforeAll(() => {
      hosts = which === "local" ? createLocalHosts() : createHostStore(store.database.kysely);
    });

    it("releases an unused share, so that another worker need not wait for its expiry", async () => {
      const host = `${which}.idle.test`;
      const [one, other] = ["one", "other"].map((worker) =>
        createPoliteness({
          hosts,
          worker,
          limits: { ...limits, cap: 4 },
          isUnthrottled: () => false,
        }),
      );
      const turn = await one!.enter(host, { signal });
      const began = Date.now();
      const next = other!.enter(host, { signal });
      turn.end({ ms: 10, statusCode: 200 });
      (await next).end({ ms: 10, statusCode: 200 });
      // The host's lease expires after five seconds.
      expect(Date.now() - began).toBeLessThan(4_000);
      await Promise.all([one!.close(), other!.close()]);
    });

    it("two workers never exceed the cap of a host and finish everything", async () => {
      const host = `${which}.cap.test`;
      const workers = [build("a"), build("b")];
      let active = 0;
      let most = 0;
      let done = 0;
      // The first pages stay until the host is at its limit.
      const full = Promise.withResolvers<void>();
      const fetchPage = async (politeness: (typeof workers)[number]) => {
        const turn = await politeness.enter(host, { signal });
        active += 1;
        most = Math.max(most, active);
        if (active === limits.cap) full.resolve();
        await full.promise;
        for (let tick = 0; tick < 5; tick++) await nextTick();
        clock.now += 50;
        active -= 1;
        done += 1;
        turn.end({ ms: 50, statusCode: 200 });
      };
      await Promise.all(
        workers.flatMap((politeness) => Array.from({ length: 30 }, () => fetchPage(politeness))),
      );
      expect(done).toBe(60);
      // More pages than one worker starts with, so both had some; never more than the cap.
      expect(most).toBe(limits.cap);
      for (const politeness of workers) await politeness.close();
    });

    it.each([false, true])(
      "admits no worker while another worker's Retry-After pauses the host (loopback host: %s)",
      async (isOwn) => {
        const host = `${which}.rest.${isOwn}.test`;
        const [one, other] = [build("c", isOwn), build("d", isOwn)];
        (await other.enter(host, { signal })).end({ ms: 1, statusCode: 200 });
        const turn = await one.enter(host, { signal });
        turn.end({ ms: 1, statusCode: 429, retryAfterMs: 60_000 });
        await expect.poll(() => hosts.getBackOffUntil(host)).toBe(clock.now + 60_000);
        clock.now += 5_000;
        const giveUp = AbortSignal.timeout(100);
        await expect(other.enter(host, { signal: giveUp })).rejects.toThrow();
        clock.now += 60_000;
        await other.enter(host, { signal });
      },
    );
  });
});
