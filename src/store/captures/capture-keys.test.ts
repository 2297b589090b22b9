import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import { describe, expect, it } from "vitest";
import { createCaptureKeys } from "./capture-keys.ts";
import type { Tables } from "../database/schema.ts";

/** A database that holds captures with these keys; `answer` releases its reply. */
function buildDatabase(cacheKeys: string[]) {
  const gate = Promise.withResolvers<void>();
  class Driver extends DummyDriver {
    override async acquireConnection() {
      const connection = await super.acquireConnection();
      connection.executeQuery = async () => {
        await gate.promise;
        return {
          rows: cacheKeys.map((key, index) => ({ id: String(index), cache_key: key })) as never[],
        };
      };
      return connection;
    }
  }
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { kysely, answer: gate.resolve, fail: gate.reject };
}

describe("cache key index", () => {
  it("excludes no cache key before all keys are read, then exactly the unknown ones", async () => {
    const { kysely, answer } = buildDatabase(["old"]);
    const keys = createCaptureKeys(kysely);
    expect(keys.mayHave("unknown")).toBe(true);
    keys.add("new");
    answer();
    await expect.poll(() => keys.mayHave("unknown")).toBe(false);
    expect([keys.mayHave("old"), keys.mayHave("new")]).toEqual([true, true]);
  });

  it("excludes no cache key when there are too many to remember", async () => {
    const { kysely, answer } = buildDatabase([]);
    const keys = createCaptureKeys(kysely, { maxKeys: 2 });
    keys.mayHave("x");
    answer();
    await expect.poll(() => keys.mayHave("unknown")).toBe(false);
    for (const key of ["1", "2", "3"]) keys.add(key);
    expect(keys.mayHave("unknown")).toBe(true);
  });

  it("excludes no cache key when the limit is exceeded while the keys are read", async () => {
    const { kysely, answer } = buildDatabase(["old"]);
    const keys = createCaptureKeys(kysely, { maxKeys: 2 });
    keys.mayHave("x");
    for (const key of ["1", "2", "3"]) keys.add(key);
    answer();
    for (let turn = 0; turn < 20; turn += 1) {
      await Promise.resolve();
      expect(keys.mayHave("3")).toBe(true);
    }
  });

  it("excludes no cache key after reading the keys failed", async () => {
    const { kysely, fail } = buildDatabase([]);
    const keys = createCaptureKeys(kysely);
    keys.mayHave("x");
    fail(new Error("gone"));
    for (let turn = 0; turn < 20; turn += 1) {
      await Promise.resolve();
      expect(keys.mayHave("unknown")).toBe(true);
    }
  });
});
