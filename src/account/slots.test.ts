import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UNLIMITED, type Identity } from "./identity.ts";
import { createSlots, type Slot, type SlotsOptions } from "./slots.ts";

function buildIdentity(keyId: string, concurrency: number | null = null): Identity {
  return { accountId: "a", keyId, keyName: keyId, limits: { ...UNLIMITED, concurrency } };
}

const timeoutMs = 30_000;
const a = buildIdentity("a", 1);

describe("concurrency slots", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const setUp = (options: Partial<SlotsOptions> = {}) =>
    createSlots({ maxConcurrency: 100, ...options });

  it("grants slots at once while some are free", async () => {
    const slots = setUp();
    const slot = await slots.acquire(a, { timeoutMs });
    expect(slot).toMatchObject({ limited: false, waitedMs: 0 });
    expect(slots.use(a)).toEqual({ active: 1, waiting: 0, max: 1 });
  });

  it("grants slots in order and reports the waiting time", async () => {
    const slots = setUp();
    const first = await slots.acquire(a, { timeoutMs });
    const order: string[] = [];
    const second = slots.acquire(a, { timeoutMs }).then((slot) => (order.push("second"), slot));
    const third = slots.acquire(a, { timeoutMs }).then((slot) => (order.push("third"), slot));
    expect(slots.use(a)).toMatchObject({ active: 1, waiting: 2 });
    await vi.advanceTimersByTimeAsync(1_500);
    first.release();
    expect(await second).toMatchObject({ limited: true, waitedMs: 1_500 });
    (await second).release();
    await third;
    expect(order).toEqual(["second", "third"]);
  });

  it("limits all keys of an account together", async () => {
    const slots = setUp();
    const accountLimits = { ...UNLIMITED, concurrency: 2 };
    const one: Identity = { ...buildIdentity("one"), accountLimits };
    const two: Identity = { ...buildIdentity("two", 5), accountLimits };
    const first = await slots.acquire(one, { timeoutMs });
    await slots.acquire(two, { timeoutMs });
    let isServed = false;
    const third = slots.acquire(two, { timeoutMs }).then((slot) => ((isServed = true), slot));
    await slots.acquire({ ...buildIdentity("other"), accountId: "b" }, { timeoutMs });
    expect(isServed).toBe(false);
    expect(slots.use(two)).toEqual({ active: 1, waiting: 1, max: 2 });
    first.release();
    expect((await third).limited).toBe(true);
  });

  it("rejects a request that waited two thirds of its timeout", async () => {
    const slots = setUp();
    await slots.acquire(a, { timeoutMs });
    const outcome = slots.acquire(a, { timeoutMs: 3_000 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(slots.use(a).waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: "CONCURRENCY_QUEUE_TIMEOUT", status: 408 });
    expect(slots.use(a).waiting).toBe(0);
  });

  it("stops waiting when the caller hangs up", async () => {
    const slots = setUp();
    const first = await slots.acquire(a, { timeoutMs });
    const caller = new AbortController();
    const outcome = slots
      .acquire(a, { timeoutMs, signal: caller.signal })
      .catch((error: unknown) => error);
    const gone = new Error("gone");
    caller.abort(gone);
    expect(await outcome).toBe(gone);
    first.release();
    expect(slots.total()).toEqual({ active: 0, waiting: 0, max: 100 });
  });

  it("ignores a second release of a slot", async () => {
    const slots = setUp();
    const slot = await slots.acquire(a, { timeoutMs });
    slot.release();
    slot[Symbol.dispose]();
    expect(slots.use(a).active).toBe(0);
    expect(slots.total().active).toBe(0);
  });

  it("shares the slots of the process fairly between keys", async () => {
    const slots = setUp({ maxConcurrency: 1 });
    const running = await slots.acquire(buildIdentity("busy"), { timeoutMs });
    const order: string[] = [];
    const queue = (key: string) =>
      slots.acquire(buildIdentity(key), { timeoutMs }).then((slot) => {
        order.push(key);
        slot.release();
      });
    const all = [queue("busy"), queue("busy"), queue("busy"), queue("quiet"), queue("other")];
    running.release();
    await Promise.all(all);
    expect(order.indexOf("quiet")).toBeLessThan(3);
    expect(order.indexOf("other")).toBeLessThan(4);
  });

  it("does not give a slot to a key at its limit while another key could run", async () => {
    const slots = setUp({ maxConcurrency: 2 });
    await slots.acquire(a, { timeoutMs });
    const other = await slots.acquire(buildIdentity("b"), { timeoutMs });
    void slots.acquire(a, { timeoutMs }).catch(() => undefined);
    const free = slots.acquire(buildIdentity("b"), { timeoutMs });
    other.release();
    expect((await free).limited).toBe(true);
    expect(slots.use(a)).toMatchObject({ active: 1, waiting: 1 });
  });

  it("limits the number of waiting requests", async () => {
    const slots = setUp({ maxWaiting: 1 });
    await slots.acquire(a, { timeoutMs });
    void slots.acquire(a, { timeoutMs }).catch(() => undefined);
    await expect(slots.acquire(a, { timeoutMs })).rejects.toMatchObject({
      code: "CONCURRENCY_LIMITED",
    });
  });

  it("never exceeds a limit and never leaves a usable slot idle under random use", async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const slots = setUp({ maxConcurrency: 5 });
    const held: { key: string; slot: Slot }[] = [];
    const keys = [buildIdentity("x", 2), buildIdentity("y", 3), buildIdentity("z")];
    let waiting = 0;
    for (let step = 0; step < 2_000; step += 1) {
      if (random(2) === 0) {
        const identity = keys[random(3)] ?? a;
        waiting += 1;
        void slots.acquire(identity, { timeoutMs: 1e9 }).then((slot) => {
          waiting -= 1;
          held.push({ key: identity.keyId, slot });
        });
      } else held.splice(random(Math.max(1, held.length)), 1)[0]?.slot.release();
      await vi.advanceTimersByTimeAsync(0);
      const count = (key: string): number => held.filter((entry) => entry.key === key).length;
      expect(held.length).toBeLessThanOrEqual(5);
      expect(count("x")).toBeLessThanOrEqual(2);
      expect(count("y")).toBeLessThanOrEqual(3);
      expect(slots.total()).toMatchObject({ active: held.length, waiting });
      const couldRun = keys.some((identity) => {
        const { active, waiting: queued, max } = slots.use(identity);
        return queued > 0 && active < max && held.length < 5;
      });
      expect(couldRun).toBe(false);
    }
  });
});
