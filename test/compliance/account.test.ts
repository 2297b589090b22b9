// Keys, credits and usage over a real store, on both databases.
import fc from "fast-check";
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Secret } from "../../src/settings/secret.ts";
import { LimitError, RequestError } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";
import { createAccounts, type Accounts } from "../../src/account/accounts.ts";
import { createCredits, type Credits, type Hold } from "../../src/account/credits.ts";
import { START_KEY_ID, UNLIMITED, type Identity } from "../../src/account/identity.ts";
import { createKeyring, type Keyring } from "../../src/account/keys.ts";
import { createSlots } from "../../src/account/slots.ts";
import { createUsage, UNLIMITED_CREDITS, type Usage } from "../../src/account/usage.ts";
import { NO_PAGES } from "../../src/store/accounts/page-counts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describeDatabases("account", (configure) => {
  let store: Store;
  let accounts: Accounts;
  let keyring: Keyring;
  let credits: Credits;
  let usage: Usage;
  let clock = Date.UTC(2031, 4, 20, 12);
  const now = (): number => clock;
  const slots = createSlots({ maxConcurrency: 7 });

  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
    const { keys, ledger, activity, pageUsage: pages } = store;
    accounts = createAccounts({ accounts: store.accounts, ledger, now });
    const startKey = new Secret("start-key");
    keyring = await createKeyring({ keys, accounts, ledger, now, startKey });
    credits = createCredits({ ledger, now });
    usage = createUsage({ credits, ledger, pages, keys, activity, slots, now });
  });
  afterAll(async () => {
    await keyring.close();
    await store.close();
  });

  const identify = async (creditBudget: number | null): Promise<Identity> => {
    const { key } = await keyring.create({
      name: `budget ${creditBudget} ${v7()}`,
      limits: { creditBudget },
    });
    const identity = await keyring.verify(key);
    if (identity === undefined) throw new Error("a new key must be accepted");
    return identity;
  };
  const job = (): { jobId: string; endpoint: string } => ({ jobId: v7(), endpoint: "scrape" });

  describe("keys", () => {
    it("shows a key once and never stores it", async () => {
      const { key, record } = await keyring.create({ name: "one" });
      expect(key).toMatch(/^qy-[A-Za-z0-9_-]{43}$/);
      const rows = JSON.stringify(
        await store.database.kysely.selectFrom("api_keys").selectAll().execute(),
      );
      expect(rows).not.toContain(key.slice(8));
      expect(rows).toContain(record.hash);
    });

    it("returns the account and limits of a key, and rejects other tokens", async () => {
      const { key, record } = await keyring.create({ name: "two", limits: { concurrency: 3 } });
      expect(await keyring.verify(key)).toEqual({
        accountId: record.accountId,
        keyId: record.id,
        keyName: "two",
        limits: { ...UNLIMITED, concurrency: 3 },
        accountLimits: { ...UNLIMITED, indexPages: null },
        scopes: ["read", "scrape", "jobs"],
        allowHosts: undefined,
      });
      for (const wrong of [`${key}x`, key.slice(0, -1), "", record.hash, key.toUpperCase()])
        expect(await keyring.verify(wrong)).toBeUndefined();
    });

    it("accepts the key from the settings without storing it", async () => {
      expect(await keyring.verify("start-key")).toMatchObject({ keyId: START_KEY_ID });
      expect((await keyring.list()).map(({ id }) => id)).not.toContain(START_KEY_ID);
    });

    it("rejects a revoked key at once and an expired key", async () => {
      const revoked = await keyring.create({ name: "revoked" });
      const brief = await keyring.create({ name: "brief", expiresAt: clock + 1_000 });
      expect(await keyring.verify(revoked.key)).toBeDefined();
      expect(await keyring.verify(brief.key)).toBeDefined();
      await keyring.revoke(revoked.record.id);
      clock += 1_000;
      expect(await keyring.verify(revoked.key)).toBeUndefined();
      expect(await keyring.verify(brief.key)).toBeUndefined();
      await expect(keyring.revoke(v7())).rejects.toThrow(RequestError);
    });

    it("rotates a key under the same id and accepts the old secret until the grace period ends", async () => {
      const { key, record } = await keyring.create({ name: "turn" });
      const next = await keyring.rotate(record.id, HOUR);
      expect(next.key).not.toBe(key);
      expect((await keyring.verify(key))?.keyId).toBe(record.id);
      expect((await keyring.verify(next.key))?.keyId).toBe(record.id);
      clock += HOUR;
      expect(await keyring.verify(key)).toBeUndefined();
      expect(await keyring.verify(next.key)).toBeDefined();
      await keyring.revoke(record.id);
      await expect(keyring.rotate(record.id)).rejects.toMatchObject({ code: "CONFLICT" });
    });

    it("rejects a key revoked by another process after the cache expires", async () => {
      const { key, record } = await keyring.create({ name: "elsewhere" });
      await keyring.verify(key);
      await store.keys.revoke(record.id, clock);
      clock += 10_000;
      expect(await keyring.verify(key)).toBeUndefined();
    });

    it("records when keys were used", async () => {
      const { key, record } = await keyring.create({ name: "used" });
      await keyring.verify(key);
      await keyring.flush();
      expect((await store.keys.find(record.id))?.lastUsedAt).toBe(clock);
    });

    it("lists keys with their latest use", async () => {
      const { key, record } = await keyring.create({ name: "just used" });
      await keyring.verify(key);
      const listed = (await keyring.list()).find(({ id }) => id === record.id);
      expect(listed?.lastUsedAt).toBe(clock);
    });

    it("creates no first key when a key exists", async () => {
      const file = { load: async () => undefined, save: async () => expect.unreachable() };
      expect(await keyring.createFirst(file)).toBeUndefined();
    });
  });

  describe("credits", () => {
    it("never rejects a key without a budget and counts its charges", async () => {
      const identity = await identify(null);
      const hold = await credits.hold(identity, 1_000_000, job());
      await hold.settle(5);
      await hold.settle(7);
      expect(await credits.getRemaining(identity)).toBeNull();
      expect(await store.ledger.sum(identity.keyId)).toBe(-5);
      expect(await usage.credits(identity)).toEqual({
        remainingCredits: UNLIMITED_CREDITS,
        planCredits: UNLIMITED_CREDITS,
        billingPeriodStart: null,
        billingPeriodEnd: null,
      });
    });

    it("rejects a hold beyond the budget with the expected text and changes nothing", async () => {
      const identity = await identify(4);
      const refusal = credits.hold(identity, 5, job());
      await expect(refusal).rejects.toThrow(/^Insufficient credits to perform this request\./);
      await expect(refusal).rejects.toMatchObject({ code: "INSUFFICIENT_CREDITS", status: 402 });
      expect(await credits.getRemaining(identity)).toBe(4);
    });

    it("concurrent holds never exceed the budget", async () => {
      const identity = await identify(10);
      const holds = await Promise.allSettled(
        Array.from({ length: 20 }, () => credits.hold(identity, 1, job())),
      );
      expect(holds.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
      expect(await credits.getRemaining(identity)).toBe(0);
    });

    it("releases the credits of a dead process and still settles late charges exactly", async () => {
      const identity = await identify(100);
      await credits.hold(identity, 30, { ...job(), lifeMs: 1_000 });
      const late = await credits.hold(identity, 20, { ...job(), lifeMs: 1_000 });
      await credits.hold(identity, 7, { ...job(), lifeMs: DAY });
      expect(await credits.getRemaining(identity)).toBe(43);
      expect(await store.ledger.releaseExpired(clock + 2_000)).toBe(2);
      expect(await store.ledger.releaseExpired(clock + 2_000)).toBe(0);
      expect(await credits.getRemaining(identity)).toBe(93);
      await late.settle(20);
      expect(await credits.getRemaining(identity)).toBe(73);
      expect(await store.ledger.sum(identity.keyId)).toBe(73);
    });

    it("applies a changed budget and keeps what was spent", async () => {
      const identity = await identify(10);
      await (await credits.hold(identity, 4, job())).settle(4);
      await keyring.saveLimits(identity.keyId, { ...UNLIMITED, creditBudget: 25 });
      expect(await credits.getRemaining(identity)).toBe(21);
      await keyring.saveLimits(identity.keyId, { ...UNLIMITED, creditBudget: 5 });
      expect(await credits.getRemaining(identity)).toBe(1);
      expect(await store.ledger.sum(identity.keyId)).toBe(1);
    });

    it("the ledger rows sum to the balance after any holds, settlements, releases and crashes", async () => {
      const step = fc.oneof(
        fc.record({
          do: fc.constant("hold" as const),
          amount: fc.nat(20),
          lifeMs: fc.constantFrom(10, 10_000),
        }),
        fc.record({ do: fc.constant("settle" as const), which: fc.nat(5), credits: fc.nat(25) }),
        fc.record({ do: fc.constant("release" as const), which: fc.nat(5) }),
        fc.record({ do: fc.constant("expire" as const), ms: fc.nat(20) }),
      );
      await fc.assert(
        fc.asyncProperty(fc.nat(60), fc.array(step, { maxLength: 14 }), async (budget, steps) => {
          const identity = await identify(budget);
          // The model: charged credits, and what each open hold keeps.
          const open = new Map<Hold, { amount: number; expiresAt: number; ended: boolean }>();
          let charged = 0;
          const heldBack = (): number =>
            [...open.values()].reduce((sum, { amount, ended }) => sum + (ended ? 0 : amount), 0);
          for (const action of steps) {
            const [hold, state] =
              [...open][("which" in action ? action.which : 0) % Math.max(1, open.size)] ?? [];
            if (action.do === "hold") {
              const covered = budget - charged - heldBack() >= action.amount;
              try {
                const made = await credits.hold(identity, action.amount, {
                  ...job(),
                  lifeMs: action.lifeMs,
                });
                expect(covered).toBe(true);
                open.set(made, {
                  amount: action.amount,
                  expiresAt: clock + action.lifeMs,
                  ended: false,
                });
              } catch (error) {
                expect(error).toBeInstanceOf(LimitError);
                expect(covered).toBe(false);
              }
            } else if (action.do === "expire") {
              clock += action.ms;
              await store.ledger.releaseExpired(clock);
              for (const entry of open.values()) if (entry.expiresAt < clock) entry.ended = true;
            } else if (hold !== undefined && state !== undefined) {
              const cost = action.do === "settle" ? action.credits : 0;
              await hold.settle(cost);
              charged += cost;
              open.delete(hold);
            }
            expect(await credits.getRemaining(identity)).toBe(budget - charged - heldBack());
          }
          expect(await store.ledger.sum(identity.keyId)).toBe(budget - charged - heldBack());
        }),
        { numRuns: 25 },
      );
    });
  });

  describe("usage", () => {
    it("sums charges by UTC month and by key", async () => {
      const one = await identify(null);
      const two = await identify(null);
      const charge = async (identity: Identity, at: number, amount: number): Promise<void> => {
        const other = createCredits({ ledger: store.ledger, now: () => at });
        await (await other.hold(identity, amount, job())).settle(amount);
      };
      await charge(one, Date.UTC(2021, 0, 1), 1);
      await charge(one, Date.UTC(2021, 0, 31, 23, 59, 59, 999), 2);
      await charge(two, Date.UTC(2021, 0, 15), 4);
      await charge(one, Date.UTC(2021, 1, 1), 8);
      const past = (period: { startDate: string }): boolean => period.startDate < "2022";
      expect((await usage.getHistory(one)).filter(past)).toEqual([
        { startDate: "2021-01-01T00:00:00.000Z", endDate: "2021-02-01T00:00:00.000Z", credits: 7 },
        { startDate: "2021-02-01T00:00:00.000Z", endDate: "2021-03-01T00:00:00.000Z", credits: 8 },
      ]);
      const byKey = (await usage.getHistory(one, { byApiKey: true })).filter(past);
      expect(byKey.map(({ credits: spent }) => spent).sort((a, b) => a - b)).toEqual([3, 4, 8]);
      expect(byKey[0]?.apiKey).toMatch(/^budget null /);
      const days = (await usage.getHistory(one, { timeRange: "day" })).filter(past);
      expect(days.map(({ credits: spent }) => spent)).toEqual([1, 4, 2, 8]);
      expect(days[0]?.endDate).toBe("2021-01-02T00:00:00.000Z");
      const weeks = await usage.listPeriods(one, { unit: "week", byApiKey: true, since: 0 });
      expect(weeks.filter(past)).toMatchObject([
        { startDate: "2020-12-28T00:00:00.000Z", credits: 1, apiKey: { id: one.keyId } },
        { startDate: "2021-01-11T00:00:00.000Z", credits: 4, apiKey: { id: two.keyId } },
        { startDate: "2021-01-25T00:00:00.000Z", credits: 2, apiKey: { id: one.keyId } },
        { endDate: "2021-02-08T00:00:00.000Z", credits: 8, apiKey: { id: one.keyId } },
      ]);
      expect((await usage.listPeriods(one, { unit: "day" })).filter(past)).toEqual([]);
      await expect(
        usage.getHistory(one, { byApiKey: true, timeRange: "day" }),
      ).rejects.toMatchObject({ status: 400 });
    });

    it("adds up pages by period and key, with and without charges", async () => {
      const one = await identify(null);
      const two = await identify(null);
      const hour = Date.UTC(2022, 4, 2, 9);
      const counts = { ...NO_PAGES, pages: 4, failed: 1, cacheHits: 2, bytes: 3_000_000_000 };
      const row = { ...counts, accountId: one.accountId, latency: NO_PAGES.latency.with(1, 4) };
      const of = (keyId: string, at: number) => ({ ...row, keyId, hour: at });
      await store.pageUsage.add([of(two.keyId, hour), of(one.keyId, hour)]);
      await store.pageUsage.add([of(one.keyId, hour), of(one.keyId, hour + HOUR)]);
      const charged = createCredits({ ledger: store.ledger, now: () => hour + 5 });
      await (await charged.hold(one, 7, job())).settle(7);
      const from = { since: hour, byApiKey: true };
      const until = ({ startDate }: { startDate: string }): boolean => startDate < "2023";
      const hours = (await usage.listPeriods(one, { ...from, unit: "hour" })).filter(until);
      const doubled = {
        pages: 8,
        blocked: 0,
        thin: 0,
        failed: 2,
        cacheHits: 4,
        httpPages: 0,
        browserPages: 0,
        documentPages: 0,
        bytes: 6_000_000_000,
        latency: { p50: 75, p95: 98 },
      };
      const first = "2022-05-02T09:00:00.000Z";
      expect(hours.find(({ apiKey }) => apiKey?.id === one.keyId)).toMatchObject({
        startDate: first,
        credits: 7,
        pages: doubled,
      });
      expect(hours.find(({ apiKey }) => apiKey?.id === two.keyId)).toMatchObject({
        startDate: first,
        credits: 0,
        pages: { pages: 4, bytes: 3_000_000_000 },
      });
      expect(hours).toHaveLength(3);
      const months = await usage.listPeriods(one, { since: hour, unit: "month" });
      expect(months.filter(until)).toMatchObject([
        { startDate: "2022-05-01T00:00:00.000Z", credits: 7, pages: { pages: 16, failed: 4 } },
      ]);
      await store.retention.cleanUp({ now: hour + 400 * DAY + HOUR });
      const left = await usage.listPeriods(one, { ...from, unit: "hour" });
      expect(left.filter(until).map(({ startDate, pages }) => [startDate, pages.pages])).toEqual([
        [first, 0],
        ["2022-05-02T10:00:00.000Z", 4],
      ]);
    });

    it("reports the rest of a budget in credits and tokens", async () => {
      const identity = await identify(50);
      await (await credits.hold(identity, 9, job())).settle(9);
      expect(await usage.credits(identity)).toMatchObject({
        remainingCredits: 41,
        planCredits: 50,
      });
      expect(await usage.getTokens(identity)).toMatchObject({
        remainingTokens: 615,
        planTokens: 750,
      });
    });

    it("pages activity and rejects foreign cursors", async () => {
      const identity = { ...(await identify(null)), accountId: v7() };
      for (let index = 0; index < 5; index += 1)
        store.activity.record({
          id: v7(),
          accountId: identity.accountId,
          keyId: identity.keyId,
          endpoint: "scrape",
          apiVersion: "v2",
          target: "https://example.com",
          succeeded: true,
          createdAt: clock - index * 1_000,
        });
      const first = await usage.listActivity(identity, { limit: "2" });
      expect(first.data).toHaveLength(2);
      expect(first.has_more).toBe(true);
      const second = await usage.listActivity(identity, { limit: 3, cursor: first.cursor ?? "" });
      expect(second).toMatchObject({ cursor: null, has_more: false });
      expect(second.data).toHaveLength(3);
      expect((await usage.listActivity(identity, { limit: "-4" })).data).toHaveLength(5);
      await expect(usage.listActivity(identity, { endpoint: "nope" })).rejects.toMatchObject({
        status: 400,
      });
      await expect(usage.listActivity(identity, { cursor: "nope" })).rejects.toMatchObject({
        status: 400,
      });
      expect(await usage.getQueueStatus(identity)).toEqual({
        jobsInQueue: 0,
        activeJobsInQueue: 0,
        waitingJobsInQueue: 0,
        maxConcurrency: 7,
        mostRecentSuccess: new Date(clock).toISOString(),
      });
    });
  });
});
