// Request rates over several processes on one database.
import { afterAll, beforeAll, expect, it } from "vitest";
import { UNLIMITED, type Identity } from "../../src/account/identity.ts";
import type { RequestKind } from "../../src/account/rate.ts";
import { createSharedRateLimiter } from "../../src/account/shared-rate.ts";
import { LimitError } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const START = Date.UTC(2031, 0, 1);

describeDatabases("shared rates", (configure) => {
  let store: Store;
  let clock = START;
  let queries = 0;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(async () => {
    await store.close();
  });

  /** A limiter with its own state, like a separate process. */
  const startProcess = () => {
    const { rateWindows } = store;
    const counting: typeof rateWindows = {
      take: async (...given) => {
        queries += 1;
        return await rateWindows.take(...given);
      },
      giveBack: async (...given) => {
        queries += 1;
        await rateWindows.giveBack(...given);
      },
    };
    const limiter = createSharedRateLimiter({ windows: async () => counting, now: () => clock });
    return async (identity: Identity, kind: RequestKind = "work"): Promise<boolean> => {
      try {
        await limiter.take(identity, kind);
        return true;
      } catch (error) {
        if (error instanceof LimitError && error.code === "RATE_LIMITED") return false;
        throw error;
      }
    };
  };
  const identityOf = (
    keyId: string,
    requestsPerMinute: number | null,
    ofAccount: number | null = null,
  ): Identity => ({
    accountId: `account of ${keyId}`,
    keyId,
    keyName: keyId,
    limits: { ...UNLIMITED, requestsPerMinute },
    accountLimits: { ...UNLIMITED, requestsPerMinute: ofAccount },
  });
  const countPassed = async (tries: readonly Promise<boolean>[]): Promise<number> =>
    (await Promise.all(tries)).filter(Boolean).length;

  it("two processes together make as many requests as the limit allows", async () => {
    const [one, two] = [startProcess(), startProcess()];
    const identity = identityOf("both", 500);
    const tries: Promise<boolean>[] = [];
    for (let index = 0; index < 400; index += 1) tries.push(one(identity), two(identity));
    const passed = await countPassed(tries);
    expect(passed).toBeLessThanOrEqual(500);
    expect(passed).toBeGreaterThanOrEqual(490);
  });

  it("one process can use more than nine tenths of the limit over many seconds", async () => {
    const [one, two] = [startProcess(), startProcess()];
    const identity = identityOf("mostly one", 1_000);
    await two(identity);
    let passed = 0;
    queries = 0;
    for (let second = 0; second < 50; second += 1) {
      clock += 1_000;
      const tries = Array.from({ length: 25 }, () => one(identity));
      passed += await countPassed(tries);
    }
    expect(passed).toBeLessThanOrEqual(999);
    expect(passed).toBeGreaterThanOrEqual(900);
    expect(queries / 1_250).toBeLessThan(0.6);
  });

  it("never exceeds the limit in any minute for any distribution of requests", async () => {
    const processes = [startProcess(), startProcess(), startProcess()];
    const identity = identityOf("spread", 40);
    const passedAt: number[] = [];
    for (let step = 0; step < 150; step += 1) {
      clock += 1_000;
      const process = processes[step % 3];
      if (process !== undefined && (await process(identity))) passedAt.push(clock);
    }
    expect(passedAt.length).toBeGreaterThan(80);
    for (const from of passedAt)
      expect(passedAt.filter((at) => at >= from && at < from + 60_000).length).toBeLessThan(41);
  });

  it("counts reads apart from other calls, and limits both the key and its account", async () => {
    const [one, two] = [startProcess(), startProcess()];
    const identity = identityOf("account", 3, 4);
    const sibling = { ...identityOf("sibling", null, 4), accountId: identity.accountId };
    expect(await countPassed([one(identity), one(identity), one(identity), one(identity)])).toBe(3);
    expect(await two(sibling)).toBe(true);
    expect(await two(sibling)).toBe(false);
    expect(await two(sibling, "read")).toBe(true);
    clock += 60_000;
    expect(await two(sibling)).toBe(true);
  });

  it("makes no query for keys without a limit", async () => {
    queries = 0;
    expect(await startProcess()(identityOf("free", null))).toBe(true);
    expect(queries).toBe(0);
  });
});
