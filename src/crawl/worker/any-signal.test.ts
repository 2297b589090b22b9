import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { combineSignals } from "./any-signal.ts";

test("anySignal aborts with the reason of the first source that aborts", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  using either = combineSignals([one.signal, other.signal]);
  expect(either.signal.aborted).toBe(false);
  other.abort("second");
  one.abort("first");
  expect(either.signal.reason).toBe("second");
});

test("anySignal is aborted from the start when a source is aborted", () => {
  using either = combineSignals([new AbortController().signal, AbortSignal.abort("before")]);
  expect(either.signal.reason).toBe("before");
});

test("anySignal leaves no listeners on its sources after disposal", () => {
  const one = new AbortController();
  const either = combineSignals([one.signal]);
  expect(getEventListeners(one.signal, "abort")).toHaveLength(1);
  either[Symbol.dispose]();
  expect(getEventListeners(one.signal, "abort")).toEqual([]);
  one.abort();
  expect(either.signal.aborted).toBe(false);
});
