// Accounts over a real store, on both databases: their keys and budgets.
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccounts, type Accounts } from "../../src/account/accounts.ts";
import { createCredits, type Credits } from "../../src/account/credits.ts";
import { UNLIMITED, type Identity } from "../../src/account/identity.ts";
import { createKeyring, type Keyring } from "../../src/account/keys.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

describeDatabases("accounts", (configure) => {
  let store: Store;
  let accounts: Accounts;
  let keyring: Keyring;
  let credits: Credits;
  let clock = Date.UTC(2031, 4, 20, 12);
  const now = (): number => clock;

  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
    const { keys, ledger } = store;
    accounts = createAccounts({ accounts: store.accounts, ledger, now });
    keyring = await createKeyring({ keys, accounts, ledger, now });
    credits = createCredits({ ledger, now });
  });
  afterAll(async () => {
    await keyring.close();
    await store.close();
  });

  const job = (): { jobId: string; endpoint: string } => ({ jobId: v7(), endpoint: "scrape" });

  describe("keys", () => {
    it("lists an account's keys for it only, with its limits, scopes and hosts", async () => {
      const account = await accounts.create({ name: "tenant", limits: { concurrency: 2 } });
      const { key, record } = await keyring.create({
        name: "theirs",
        account: "tenant",
        scopes: ["scrape"],
        allowHosts: ["example.com"],
      });
      expect(record.accountId).toBe(account.id);
      expect(await keyring.verify(key)).toMatchObject({
        accountId: account.id,
        accountLimits: { ...UNLIMITED, concurrency: 2 },
        scopes: ["scrape"],
        allowHosts: ["example.com"],
      });
      expect((await keyring.list(account.id)).map(({ id }) => id)).toEqual([record.id]);
      expect((await keyring.list()).map(({ id }) => id)).not.toContain(record.id);
      await expect(accounts.create({ name: "tenant" })).rejects.toMatchObject({ code: "CONFLICT" });
      await expect(keyring.create({ name: "x", account: "nobody" })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    it("rejects the keys of a disabled account at once and accepts them when it is enabled", async () => {
      await accounts.create({ name: "closed" });
      const { key } = await keyring.create({ name: "locked out", account: "closed" });
      expect(await keyring.verify(key)).toBeDefined();
      await accounts.setDisabled("closed", true);
      await expect(keyring.verify(key)).rejects.toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining('"closed" of this key is disabled') as string,
      });
      await accounts.setDisabled("closed", false);
      expect(await keyring.verify(key)).toBeDefined();
    });

    it("rejects the keys of an account disabled by another process after 10 s", async () => {
      const { id } = await accounts.create({ name: "closed elsewhere" });
      const { key } = await keyring.create({ name: "late", account: id });
      await keyring.verify(key);
      await store.accounts.saveDisabled(id, clock);
      clock += 10_000;
      await expect(keyring.verify(key)).rejects.toMatchObject({ code: "FORBIDDEN" });
    });
  });

  describe("budget of an account", () => {
    const openAccount = async (
      name: string,
      creditBudget: number,
      keyBudgets: (number | null)[],
    ): Promise<{ accountId: string; identities: Identity[] }> => {
      const { id } = await accounts.create({ name, limits: { creditBudget } });
      const identities = await Promise.all(
        keyBudgets.map(async (budget, number) => {
          const limits = { creditBudget: budget };
          const { key } = await keyring.create({ name: `${number}`, account: id, limits });
          const identity = await keyring.verify(key);
          if (identity === undefined) throw new Error("a new key must be accepted");
          return identity;
        }),
      );
      return { accountId: id, identities };
    };

    it("shares an account budget between its keys, with or without key budgets", async () => {
      const { accountId, identities } = await openAccount("shared budget", 10, [null, 6]);
      const [free, limited] = identities as [Identity, Identity];
      const hold = await credits.hold(free, 3, job());
      expect(await credits.getRemaining(limited)).toBe(6);
      const second = await credits.hold(limited, 5, job());
      expect(await credits.getRemaining(free)).toBe(2);
      expect(await credits.getRemaining(limited)).toBe(1);
      await expect(credits.hold(limited, 2, job())).rejects.toThrow("the key has 1 left");
      await expect(credits.hold(free, 3, job())).rejects.toThrow("the account has 2 left");
      await hold.settle(1);
      await second.settle(4);
      expect(await credits.getRemaining(free)).toBe(5);
      expect(await credits.getRemaining(limited)).toBe(2);
      for (const owner of [accountId, limited.keyId])
        expect(await store.ledger.sum(owner)).toBe((await store.ledger.balance(owner))?.balance);
    });

    it("concurrent requests never overdraw an account budget", async () => {
      const { accountId, identities } = await openAccount("race", 20, [15, null, 15]);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 60 }, async (_, number) => {
          const identity = identities[number % 3] as Identity;
          const hold = await credits.hold(identity, 1, job());
          await hold.settle(1);
        }),
      );
      const failures = outcomes.filter(({ status }) => status === "rejected");
      expect(failures).toHaveLength(40);
      for (const failure of failures)
        expect((failure as PromiseRejectedResult).reason).toMatchObject({
          code: "INSUFFICIENT_CREDITS",
        });
      expect(await store.ledger.balance(accountId)).toEqual({ granted: 20, balance: 0 });
      expect(await store.ledger.sum(accountId)).toBe(0);
    });

    it("returns unsettled holds to the account budget", async () => {
      const { accountId, identities } = await openAccount("lost holds", 10, [8]);
      await credits.hold(identities[0] as Identity, 4, { ...job(), lifeMs: 1 });
      clock += 2;
      await store.ledger.releaseExpired(clock);
      expect((await store.ledger.balance(accountId))?.balance).toBe(10);
      expect((await store.ledger.balance((identities[0] as Identity).keyId))?.balance).toBe(8);
    });
  });
});
