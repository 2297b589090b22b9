import { beforeEach, describe, expect, it } from "vitest";
import { StorageError } from "../../errors.ts";
import { createLogger } from "../../logger.ts";
import { StorageGate } from "./storage-gate.ts";

const FAULT = new StorageError("blob store", "The blob store failed while writing.");

let now: number;
let works: boolean;
let checks: number;
let saves: boolean;
let warnings: [jobId: string, warning: string][];
let gate: StorageGate;
beforeEach(() => {
  now = Date.UTC(2026, 0, 1);
  works = true;
  checks = 0;
  saves = true;
  warnings = [];
  gate = new StorageGate({
    check: async () => {
      checks += 1;
      if (!works) throw FAULT;
    },
    warn: async (jobId, warning) => {
      if (!saves) throw new StorageError("database", "down");
      warnings.push([jobId, warning]);
    },
    log: createLogger("silent"),
    now: () => now,
    minRetryMs: 100,
  });
});

describe("StorageGate", () => {
  it("stays open and runs no checks while storage works", async () => {
    expect(await gate.isOpen()).toBe(true);
    expect(gate.warning).toBeUndefined();
    expect(checks).toBe(0);
  });

  it("closes on a storage error and reopens once a check succeeds", async () => {
    works = false;
    await gate.report(FAULT, "a");
    expect(await gate.isOpen()).toBe(false);
    now += 100;
    expect(await gate.isOpen()).toBe(false);
    works = true;
    now += 200;
    expect(await gate.isOpen()).toBe(true);
    expect(gate.warning).toBeUndefined();
  });

  it("checks with an increasing delay and never concurrently", async () => {
    works = false;
    await gate.report(FAULT, "a");
    for (let step = 0; step < 100; step++) {
      now += 100;
      await Promise.all([gate.isOpen(), gate.isOpen()]);
    }
    // Checks after .1, .3, .7, 1.5, 3.1 and 6.3 s; then the delay is 6.4 s.
    expect(checks).toBe(6);
  });

  it("warns each job once per failure, with the storage and the time", async () => {
    works = false;
    await gate.report(FAULT, "a");
    await gate.report(FAULT, "a");
    await gate.report(FAULT, "b");
    expect(warnings.map(([jobId]) => jobId)).toEqual(["a", "b"]);
    expect(warnings[0]?.[1]).toBe(
      "Pages wait because the blob store has failed since 2026-01-01T00:00:00.000Z; they continue once it works again.",
    );
    expect(gate.warning).toBe(warnings[0]?.[1]);
  });

  it("retries saving a warning when the database failed as well", async () => {
    works = false;
    saves = false;
    await gate.report(FAULT, "a");
    saves = true;
    await gate.report(FAULT, "a");
    expect(warnings).toHaveLength(1);
  });
});
