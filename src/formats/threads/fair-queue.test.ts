import { afterEach, describe, expect, it, vi } from "vitest";
import { FairQueue, type Overflow } from "./fair-queue.ts";

const { signal } = new AbortController();

afterEach(() => {
  vi.useRealTimers();
});

/** Tasks that end on request; `begun` lists them in the order in which they started. */
function build(slots: number, overflow: Overflow = { slots: 0, afterMs: 0 }) {
  const queues = new FairQueue(slots, overflow);
  const begun: string[] = [];
  const begin = (name: string, given = signal, line?: string) => {
    const work = Promise.withResolvers<void>();
    const done = queues.run(
      given,
      async () => {
        begun.push(name);
        await work.promise;
      },
      line,
    );
    return { end: work.resolve, fail: work.reject, done };
  };
  return { begun, begin };
}

describe("FairQueue", () => {
  it("limits concurrency, then runs tasks in FIFO order", async () => {
    const { begun, begin } = build(2);
    const works = ["a", "b", "c", "d", "e"].map((name) => begin(name));
    expect(begun).toEqual(["a", "b"]);
    works[1]?.end();
    await works[1]?.done;
    const late = begin("late");
    expect(begun).toEqual(["a", "b", "c"]);
    for (const { end, done } of [...works, late]) {
      end();
      await done;
    }
    expect(begun).toEqual(["a", "b", "c", "d", "e", "late"]);
  });

  it("releases the slot of a task that fails", async () => {
    const { begun, begin } = build(1);
    const works = [begin("a"), begin("b")];
    works[0]?.fail(new Error("broken"));
    await expect(works[0]?.done).rejects.toThrow("broken");
    works[1]?.end();
    await works[1]?.done;
    expect(begun).toEqual(["a", "b"]);
  });

  it("stops waiting when the signal aborts", async () => {
    const { begun, begin } = build(1);
    const controller = new AbortController();
    const first = begin("a");
    const second = begin("b", controller.signal);
    const third = begin("c");
    controller.abort(new Error("late"));
    await expect(second.done).rejects.toThrow("late");
    await expect(begin("d", controller.signal).done).rejects.toThrow("late");
    first.end();
    third.end();
    await Promise.all([first.done, third.done]);
    expect(begun).toEqual(["a", "c"]);
  });

  it("serves its queues in round-robin order", async () => {
    const { begun, begin } = build(1);
    const crawl = ["a", "b", "c", "d"].map((name) => begin(name, signal, "crawl"));
    const controller = new AbortController();
    const gone = begin("gone", controller.signal, "gone");
    const others = [
      begin("x", signal, "key"),
      begin("y", signal, "key"),
      begin("z", signal, "job"),
    ];
    controller.abort(new Error("late"));
    await expect(gone.done).rejects.toThrow("late");
    for (const { end } of [...crawl, ...others]) end();
    await Promise.all([...crawl, ...others].map(({ done }) => done));
    expect(begun).toEqual(["a", "b", "x", "z", "c", "y", "d"]);
  });

  describe("FairQueue overflow slots", () => {
    const overflow = { slots: 1, afterMs: 100 };
    const later = async () => await vi.advanceTimersByTimeAsync(100);

    it("moves slow tasks to overflow slots one at a time and starts the next ones", async () => {
      vi.useFakeTimers();
      const { begun, begin } = build(1, overflow);
      const works = ["a", "b", "c", "d"].map((name) => begin(name));
      await vi.advanceTimersByTimeAsync(99);
      expect(begun).toEqual(["a"]);
      await vi.advanceTimersByTimeAsync(1);
      expect(begun).toEqual(["a", "b"]);
      await later();
      expect(begun).toEqual(["a", "b"]);
      works[0]?.end();
      await works[0]?.done;
      // The task that has been slow for longest takes the overflow slot.
      await vi.advanceTimersByTimeAsync(0);
      expect(begun).toEqual(["a", "b", "c"]);
      works[1]?.end();
      await works[1]?.done;
      // Its end frees no slot, because its slot was released on overflow.
      expect(begun).toEqual(["a", "b", "c"]);
      works[2]?.end();
      await works[2]?.done;
      expect(begun).toEqual(["a", "b", "c", "d"]);
      works[3]?.end();
      await works[3]?.done;
    });

    it("frees a slot for later tasks while a slow one runs", async () => {
      vi.useFakeTimers();
      const { begun, begin } = build(1, overflow);
      const long = begin("long");
      await later();
      const next = begin("next");
      const last = begin("last");
      expect(begun).toEqual(["long", "next"]);
      long.end();
      await long.done;
      expect(begun).toEqual(["long", "next"]);
      next.end();
      await next.done;
      last.end();
      await last.done;
      expect(begun).toEqual(["long", "next", "last"]);
    });
  });
});
