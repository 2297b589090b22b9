import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { eitherSignal } from "./either-signal.ts";

test("eitherSignal aborts with the reason of the first source that aborts", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  using either = eitherSignal([one.signal, other.signal]);
  expect(either.signal.aborted).toBe(false);
  other.abort("second");
  one.abort("first");
  expect(either.signal.reason).toBe("second");
});

test("eitherSignal is aborted from the start when a source is aborted", () => {
  using either = eitherSignal([new AbortController().signal, AbortSignal.abort("before")]);
  expect(either.signal.reason).toBe("before");
});

test("eitherSignal leaves no listeners on its sources after disposal", () => {
  const one = new AbortController();
  const either = eitherSignal([one.signal]);
  expect(getEventListeners(one.signal, "abort")).toHaveLength(1);
  either[Symbol.dispose]();
  expect(getEventListeners(one.signal, "abort")).toEqual([]);
  one.abort();
  expect(either.signal.aborted).toBe(false);
});
