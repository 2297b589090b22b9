import { beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../logger.ts";
import { createSecretAgreement, DIFFERENT_SECRETS } from "./secret-agreement.ts";
import type { SettingStore } from "./settings.ts";

const MINUTE_MS = 60_000;
let rows: Map<string, string>;
let now: number;
beforeEach(() => {
  rows = new Map();
  now = 1_000_000;
});

const settings: Pick<SettingStore, "load" | "loadOrCreate" | "replace"> = {
  load: async (name) => rows.get(name),
  async loadOrCreate(name, create) {
    if (!rows.has(name)) rows.set(name, create());
    return rows.get(name) ?? "";
  },
  async replace(name, from, to) {
    if (rows.get(name) !== from) return false;
    rows.set(name, to);
    return true;
  },
};

const processWith = (...fingerprints: string[]) =>
  createSecretAgreement({
    settings,
    vault: { fingerprints: async () => fingerprints },
    log: createLogger("silent"),
    now: () => now,
  });

describe("secret agreement", () => {
  it("accepts processes with the same secret and rejects one with another", async () => {
    await processWith("a").check();
    await processWith("a").check();
    await expect(processWith("b").check()).rejects.toThrow(DIFFERENT_SECRETS);
  });

  it("accepts a secret whose predecessor is recorded and then rejects the predecessor", async () => {
    await processWith("a").check();
    await processWith("b", "a").check();
    await processWith("b").check();
    await expect(processWith("a").check()).rejects.toThrow(DIFFERENT_SECRETS);
  });

  it("accepts another secret once no process has renewed the record for ten minutes", async () => {
    await processWith("a").check();
    now += 9 * MINUTE_MS;
    await expect(processWith("b").check()).rejects.toThrow(DIFFERENT_SECRETS);
    await processWith("a").check();
    now += 9 * MINUTE_MS;
    await expect(processWith("b").check()).rejects.toThrow(DIFFERENT_SECRETS);
    now += MINUTE_MS;
    await processWith("b").check();
    await expect(processWith("a").check()).rejects.toThrow(DIFFERENT_SECRETS);
  });
});
