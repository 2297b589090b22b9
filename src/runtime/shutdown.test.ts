import { describe, expect, it } from "vitest";
import { closeWithin, type ClosingSteps } from "./shutdown.ts";

const never = (): Promise<void> => Promise.withResolvers<void>().promise;

function record(hanging: readonly string[] = []) {
  const order: string[] = [];
  const step = (name: string) => async (): Promise<void> => {
    order.push(name);
    if (hanging.includes(name)) await never();
  };
  const steps: ClosingSteps = {
    requests: step("requests"),
    refuse: () => void order.push("refuse"),
    parts: step("parts"),
    storage: step("storage"),
  };
  return { order, steps };
}

const ORDER = ["requests", "refuse", "parts", "storage"];

describe("closeWithin", () => {
  it("closes requests, parts and storage in this order without waiting when nothing hangs", async () => {
    const { order, steps } = record();
    const beganAt = performance.now();
    await closeWithin(60_000, steps);
    expect(order).toEqual(ORDER);
    expect(performance.now() - beganAt).toBeLessThan(5_000);
  });

  it.each([["requests"], ["parts"], ["storage"], ["requests,parts,storage"]])(
    "stays close to its time limit when %s hang, and closes the storage in any case",
    async (names) => {
      const { order, steps } = record(names.split(","));
      const beganAt = performance.now();
      await closeWithin(1_000, steps);
      expect(order).toEqual(ORDER);
      expect(performance.now() - beganAt).toBeLessThan(1_900);
    },
  );

  it("continues the shutdown when a step fails", async () => {
    const { order, steps } = record();
    const failing = { ...steps, parts: () => Promise.reject(new Error("broken")) };
    await closeWithin(1_000, failing);
    expect(order).toEqual(["requests", "refuse", "storage"]);
  });
});
