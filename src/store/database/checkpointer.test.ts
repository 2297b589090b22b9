import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLogger } from "../../logger.ts";
import { Checkpointer } from "./checkpointer.ts";

const MEGABYTE = 1024 * 1024;
const AGE_MS = 60_000;

/** Log position of a fake database, and the checkpoints made in it. */
let position: number;
let checkpoints: number;
let fails: boolean;
let checkpointer: Checkpointer;
beforeEach(() => {
  vi.useFakeTimers();
  position = 0;
  checkpoints = 0;
  fails = false;
  const run = async (text: string) => {
    if (fails) throw new Error("no space left");
    if (text === "checkpoint") checkpoints += 1;
    return { rows: [{ position }] };
  };
  checkpointer = new Checkpointer(run, createLogger("silent"), AGE_MS);
});
afterEach(async () => {
  await checkpointer.close();
  vi.useRealTimers();
});

const age = (): Promise<unknown> => vi.advanceTimersByTimeAsync(AGE_MS);

async function runStatements(count: number): Promise<void> {
  for (let statement = 0; statement < count; statement += 1) checkpointer.count();
  await vi.advanceTimersByTimeAsync(0);
}

describe("Checkpointer", () => {
  it("runs a checkpoint when a single change is old", async () => {
    await age();
    expect(checkpoints).toBe(1);
    position += 1;
    await vi.advanceTimersByTimeAsync(AGE_MS - 1);
    expect(checkpoints).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(checkpoints).toBe(2);
  });

  it("makes no checkpoint while nothing changes", async () => {
    await age();
    await age();
    await age();
    expect(checkpoints).toBe(1);
  });

  it("runs a checkpoint at once when there are many changes", async () => {
    await age();
    position += 15 * MEGABYTE;
    await runStatements(50);
    expect(checkpoints).toBe(1);
    position += 2 * MEGABYTE;
    await runStatements(50);
    expect(checkpoints).toBe(2);
  });

  it("retries the checkpoint after a failure, and makes none after close", async () => {
    fails = true;
    await age();
    fails = false;
    await age();
    expect(checkpoints).toBe(1);
    await checkpointer.close();
    position += 100 * MEGABYTE;
    await age();
    await runStatements(100);
    expect(checkpoints).toBe(1);
  });
});
