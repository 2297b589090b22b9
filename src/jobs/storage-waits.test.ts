import { describe, expect, it } from "vitest";
import { StorageError } from "../errors.ts";
import { StorageWaits } from "./storage-waits.ts";

const FAULT = new StorageError("database", "The database cannot be written.");

describe("StorageWaits", () => {
  it("adds to a job's warning what it waits for and since when", () => {
    let now = Date.UTC(2026, 0, 1);
    const waits = new StorageWaits(() => now);
    waits.begin("a", FAULT);
    now += 5_000;
    waits.begin("a", FAULT);
    const text =
      "The job waits because the database has failed since 2026-01-01T00:00:00.000Z; it continues once it works again.";
    expect(waits.addWarning("a", undefined)).toBe(text);
    expect(waits.addWarning("a", "Only 100 pages are read.")).toBe(
      `Only 100 pages are read. ${text}`,
    );
  });

  it("leaves the warnings of other jobs unchanged", () => {
    const waits = new StorageWaits(() => 0);
    waits.begin("a", FAULT);
    expect(waits.addWarning("b", undefined)).toBeUndefined();
    expect(waits.addWarning("b", "known")).toBe("known");
    waits.end("a");
    expect(waits.addWarning("a", undefined)).toBeUndefined();
  });

  it("drops a wait that is not reported again", () => {
    let now = 0;
    const waits = new StorageWaits(() => now);
    waits.begin("a", FAULT);
    now += 80_000;
    waits.extend();
    now += 80_000;
    expect(waits.addWarning("a", undefined)).toContain("1970-01-01T00:00:00.000Z");
    now += 10_000;
    expect(waits.addWarning("a", undefined)).toBeUndefined();
    waits.extend();
    expect(waits.addWarning("a", undefined)).toBeUndefined();
  });
});
