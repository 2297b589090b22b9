import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "./deadline.ts";
import { LimitError } from "./errors.ts";

const never = (): Promise<never> => Promise.withResolvers<never>().promise;

describe("Deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("counts down to 0 and then rejects", () => {
    using deadline = Deadline.start(1_000);
    expect(deadline.getTimeLeftMs()).toBe(1_000);
    deadline.check();
    vi.advanceTimersByTime(400);
    expect(deadline.getTimeLeftMs()).toBe(600);
    vi.advanceTimersByTime(5_000);
    expect(deadline.getTimeLeftMs()).toBe(0);
    expect(deadline.signal.aborted).toBe(true);
    expect(() => deadline.check()).toThrow(LimitError);
    expect(() => deadline.check()).toThrow("its timeout of 1000 ms");
  });

  it("settles with the work while time is left", async () => {
    using deadline = Deadline.start(1_000);
    await expect(deadline.race(Promise.resolve("done"))).resolves.toBe("done");
    await expect(deadline.race(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });

  it("rejects with SCRAPE_TIMEOUT when the time is up first", async () => {
    using deadline = Deadline.start(1_000);
    const raced = expect(deadline.race(never())).rejects.toMatchObject({ code: "SCRAPE_TIMEOUT" });
    vi.advanceTimersByTime(1_000);
    await raced;
  });

  it("aborts with the parent's reason when the parent aborts", async () => {
    const parent = new AbortController();
    using deadline = Deadline.start(1_000, parent.signal);
    const raced = expect(deadline.race(never())).rejects.toThrow("hung up");
    parent.abort(new Error("hung up"));
    await raced;
    using late = Deadline.start(1_000, parent.signal);
    expect(() => late.check()).toThrow("hung up");
  });

  it("limits a child to the remaining time and ends it with its parent, not the reverse", () => {
    using parent = Deadline.start(1_000);
    vi.advanceTimersByTime(700);
    using long = parent.createChild(5_000);
    using short = parent.createChild(100);
    expect(long.totalMs).toBe(300);
    expect(short.totalMs).toBe(100);
    vi.advanceTimersByTime(100);
    expect(short.signal.aborted).toBe(true);
    expect(parent.signal.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    expect(long.signal.aborted).toBe(true);
    expect(parent.signal.aborted).toBe(true);
  });

  it("stops its timer and its listener on the parent when disposed", () => {
    const parent = new AbortController();
    const deadline = Deadline.start(1_000, parent.signal);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    parent.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe("raceWithGrace", () => {
  it("returns the work's own error within the grace period", async () => {
    using deadline = Deadline.start(20);
    const work = Promise.withResolvers<never>();
    deadline.signal.addEventListener("abort", () =>
      setTimeout(() => work.reject(new Error("step 3")), 10),
    );
    await expect(deadline.raceWithGrace(work.promise, 1_000)).rejects.toThrow("step 3");
  });

  it("waits for nothing when the caller has hung up", async () => {
    const gone = new AbortController();
    using deadline = Deadline.start(5_000, gone.signal);
    const endless = new Promise<never>(() => undefined);
    const racing = deadline.raceWithGrace(endless, 1e9);
    gone.abort(new Error("gone"));
    await expect(racing).rejects.toThrow("gone");
  });

  it("does not wait long for silent work", async () => {
    using deadline = Deadline.start(20);
    const endless = new Promise<never>(() => undefined);
    await expect(deadline.raceWithGrace(endless, 20)).rejects.toThrow(
      "within its timeout of 20 ms",
    );
  });

  it("returns the result and the errors of work that ends in time", async () => {
    using deadline = Deadline.start(5_000);
    expect(await deadline.raceWithGrace(Promise.resolve(1), 20)).toBe(1);
    await expect(deadline.raceWithGrace(Promise.reject(new Error("no")), 20)).rejects.toThrow("no");
  });
});

it("work that fails after the deadline causes no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  try {
    const gone = new AbortController();
    gone.abort(new Error("gone"));
    using deadline = Deadline.start(1_000, gone.signal);
    const work = Promise.withResolvers<never>();
    await expect(deadline.race(work.promise)).rejects.toThrow("gone");
    work.reject(new Error("too late"));
    // Unhandled rejections are reported after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
});
