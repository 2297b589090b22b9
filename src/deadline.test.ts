import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "./deadline.ts";
import { LimitError } from "./errors.ts";

const never = (): Promise<never> => Promise.withResolvers<never>().promise;

describe("Deadline", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("counts down to 0 and then refuses", () => {
    using deadline = Deadline.start(1_000);
    expect(deadline.timeLeftMs()).toBe(1_000);
    deadline.check();
    vi.advanceTimersByTime(400);
    expect(deadline.timeLeftMs()).toBe(600);
    vi.advanceTimersByTime(5_000);
    expect(deadline.timeLeftMs()).toBe(0);
    expect(deadline.signal.aborted).toBe(true);
    expect(() => deadline.check()).toThrow(LimitError);
    expect(() => deadline.check()).toThrow("its timeout of 1000 ms");
  });

  it("settles with the work while there is time", async () => {
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

  it("the parent's abort ends it, with the parent's reason", async () => {
    const parent = new AbortController();
    using deadline = Deadline.start(1_000, parent.signal);
    const raced = expect(deadline.race(never())).rejects.toThrow("hung up");
    parent.abort(new Error("hung up"));
    await raced;
    using late = Deadline.start(1_000, parent.signal);
    expect(() => late.check()).toThrow("hung up");
  });

  it("a child has at most what is left, and ends with its parent but not the other way round", () => {
    using parent = Deadline.start(1_000);
    vi.advanceTimersByTime(700);
    using long = parent.child(5_000);
    using short = parent.child(100);
    expect(long.totalMs).toBe(300);
    expect(short.totalMs).toBe(100);
    vi.advanceTimersByTime(100);
    expect(short.signal.aborted).toBe(true);
    expect(parent.signal.aborted).toBe(false);
    vi.advanceTimersByTime(200);
    expect(long.signal.aborted).toBe(true);
    expect(parent.signal.aborted).toBe(true);
  });

  it("once disposed it neither runs a timer nor listens to its parent", () => {
    const parent = new AbortController();
    const deadline = Deadline.start(1_000, parent.signal);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    parent.abort();
    expect(deadline.signal.aborted).toBe(false);
  });
});

describe("raceToLastWords", () => {
  it("gives the error with which work ends a moment after the time was up", async () => {
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

  it("does not wait long for work that says nothing", async () => {
    using deadline = Deadline.start(20);
    const endless = new Promise<never>(() => undefined);
    await expect(deadline.raceWithGrace(endless, 20)).rejects.toThrow(
      "within its timeout of 20 ms",
    );
  });

  it("gives the result and the errors of work that ends in time", async () => {
    using deadline = Deadline.start(5_000);
    expect(await deadline.raceWithGrace(Promise.resolve(1), 20)).toBe(1);
    await expect(deadline.raceWithGrace(Promise.reject(new Error("no")), 20)).rejects.toThrow("no");
  });
});

it("work that fails after the time was up is nobody's unhandled rejection", async () => {
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
    // Unhandled rejections are told after the microtasks of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", onUnhandled);
  }
});
