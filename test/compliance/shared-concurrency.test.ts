// Concurrency limits over several processes on one database.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { UNLIMITED, type Identity } from "../../src/account/identity.ts";
import { createSharedConcurrency } from "../../src/account/shared-concurrency.ts";
import { createSlots, type Slot } from "../../src/account/slots.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const timeoutMs = 60_000;

describeDatabases("shared concurrency", (configure) => {
  let store: Store;
  const closing: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await store.close();
  });

  /** Slots with their own state, like a separate process. */
  function startProcess(leaseMs = 30_000, now = () => performance.now()) {
    const shared = createSharedConcurrency({
      shares: async () => store.concurrencyShares,
      log: createLogger("silent"),
      leaseMs,
    });
    closing.push(() => shared.close());
    return { slots: createSlots({ maxConcurrency: 100, shared, now }), shared };
  }
  const identityOf = (
    keyId: string,
    concurrency: number | null,
    ofAccount: number | null = null,
  ): Identity => ({
    accountId: `account of ${keyId}`,
    keyId,
    keyName: keyId,
    limits: { ...UNLIMITED, concurrency },
    accountLimits: { ...UNLIMITED, concurrency: ofAccount },
  });

  it.each([
    ["a key", identityOf("limited key", 3)],
    ["an account", identityOf("limited account", null, 3)],
  ])("two processes together respect the limit of %s", async (_, identity) => {
    const [one, two] = [startProcess().slots, startProcess().slots];
    let active = 0;
    let max = 0;
    const requests = Array.from({ length: 30 }, async (_unused, index) => {
      using slot = await (index % 2 === 0 ? one : two).acquire(identity, { timeoutMs });
      active += 1;
      max = Math.max(max, active);
      await sleep(20);
      active -= 1;
      return slot.waitedMs;
    });
    expect(await Promise.all(requests)).toHaveLength(30);
    expect(max).toBe(3);
  });

  it("one process uses places that another has released", async () => {
    const [one, two] = [startProcess().slots, startProcess().slots];
    const identity = identityOf("given back", 2);
    const held: Slot[] = [];
    for (let index = 0; index < 2; index += 1)
      held.push(await one.acquire(identity, { timeoutMs }));
    expect(await two.countActive(identity)).toBe(2);
    const waiting = [two.acquire(identity, { timeoutMs }), two.acquire(identity, { timeoutMs })];
    for (const slot of held) slot.release();
    for (const slot of await Promise.all(waiting)) {
      expect(slot.limited).toBe(true);
      slot.release();
    }
  });

  it("frees the places of a killed process when its lease ends", async () => {
    const identity = identityOf("killed", 1);
    // The row of a process that is killed before it renews or releases.
    const own = { process: "killed", used: 1, wanted: 1, max: 1, leaseMs: 600 };
    expect(await store.concurrencyShares.set("key killed", own)).toBe(1);
    const { slots } = startProcess();
    const slot = await slots.acquire(identity, { timeoutMs });
    expect(slot.waitedMs).toBeGreaterThan(50);
    slot.release();
  });

  it("does not report a wait for the database as a limit", async () => {
    // A busy machine takes long for it; by this clock it takes no time.
    const { slots } = startProcess(30_000, () => 0);
    const slot = await slots.acquire(identityOf("alone", 5), { timeoutMs });
    expect(slot.limited).toBe(false);
    slot.release();
  });
});
