// Live sessions and profile writers on both databases.
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const log = createLogger("silent");

function buildSession(overrides: object = {}) {
  const now = Date.now();
  const session = {
    id: v7(),
    accountId: v7(),
    keyId: v7(),
    scrapeId: null,
    worker: "w1",
    streamWebView: true,
    createdAt: now,
    lastActivity: now,
    expiresAt: now + 60_000,
  };
  return { ...session, ...overrides };
}

describeDatabases("browser sessions", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
  });
  afterAll(() => store.close());

  describe("sessions", () => {
    it("limits the sessions of an account to the maximum and of a scrape to one, and ending one frees its place", async () => {
      const { browserSessions } = store;
      const accountId = v7();
      const scrapeId = v7();
      const first = buildSession({ accountId, scrapeId });
      expect(await browserSessions.open(first, 2)).toEqual({ kind: "opened" });
      expect(await browserSessions.open(buildSession({ accountId, scrapeId }), 2)).toEqual({
        kind: "taken",
      });
      expect(await browserSessions.open(buildSession({ accountId }), 2)).toEqual({
        kind: "opened",
      });
      expect(await browserSessions.open(buildSession({ accountId }), 2)).toEqual({ kind: "full" });
      expect(await browserSessions.open(buildSession(), 2)).toEqual({ kind: "opened" });
      await browserSessions.end(first.id, "expired");
      await browserSessions.end(first.id, "ended");
      expect(await browserSessions.find(first.id)).toMatchObject({
        endReason: "expired",
        scrapeId,
      });
      expect(await browserSessions.open(buildSession({ accountId, scrapeId }), 2)).toEqual({
        kind: "opened",
      });
      expect((await browserSessions.findOfScrape(scrapeId))?.endedAt).toBeNull();
      expect(await browserSessions.list(accountId)).toHaveLength(3);
    });

    it("marks the sessions of a dead process as lost", async () => {
      const { browserSessions } = store;
      const mine = buildSession({ worker: "mine" });
      const other = buildSession({ worker: "other" });
      await browserSessions.open(mine, 20);
      await browserSessions.open(other, 20);
      await browserSessions.keepAlive("mine", new Map([[mine.id, 5]]));
      await browserSessions.endForeign("mine");
      expect(await browserSessions.find(mine.id)).toMatchObject({ endedAt: null, lastActivity: 5 });
      expect(await browserSessions.find(other.id)).toMatchObject({ endReason: "lost" });
      expect(await browserSessions.find(v7())).toBeUndefined();
    });

    it("reports sessions ended by another process to their own process only", async () => {
      const { browserSessions } = store;
      const [byAccount, byKey, open, expired] = [1, 2, 3, 4].map(() =>
        buildSession({ worker: "asked" }),
      );
      if (!byAccount || !byKey || !open || !expired) throw new Error("four were built");
      for (const session of [byAccount, byKey, open, expired])
        await browserSessions.open(session, 20);
      await browserSessions.endOwnedBy({ accountId: byAccount.accountId });
      await browserSessions.endOwnedBy({ keyId: byKey.keyId });
      await browserSessions.end(expired.id, "expired");
      const ids = [byAccount, byKey, open, expired].map(({ id }) => [id, Date.now()] as const);
      const ended = await browserSessions.keepAlive("asked", new Map(ids));
      expect(ended.sort()).toEqual([byAccount.id, byKey.id].sort());
      expect(await browserSessions.keepAlive("asked", new Map())).toEqual([]);
    });
  });

  describe("profiles", () => {
    it("allows one profile writer and many readers within an account", async () => {
      const { profiles } = store;
      const accountId = v7();
      const writing = { name: "../x'; drop", saveChanges: true };
      const reading = { ...writing, saveChanges: false };
      const writer = await profiles.borrow({ accountId }, writing, 60_000);
      expect(writer.state).toBeUndefined();
      await expect(profiles.borrow({ accountId }, writing, 60_000)).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await expect(profiles.remove(accountId, writing.name)).rejects.toMatchObject({
        code: "CONFLICT",
      });
      const early = await profiles.borrow({ accountId }, reading, 60_000);
      await writer.save('{"cookies":[1]}');
      expect(early.state).toBeUndefined();
      await early.save("ignored");
      await writer.close();
      expect((await profiles.borrow({ accountId }, reading, 60_000)).state).toBe('{"cookies":[1]}');
      expect((await profiles.borrow({ accountId: v7() }, reading, 60_000)).state).toBeUndefined();
      expect(await profiles.remove(v7(), writing.name)).toBe(false);
      expect(await profiles.remove(accountId, writing.name)).toBe(true);
      expect((await profiles.borrow({ accountId }, reading, 60_000)).state).toBeUndefined();
    });

    it("replaces a dead profile writer, which can then no longer save", async () => {
      const { profiles } = store;
      const accountId = v7();
      const profile = { name: "p", saveChanges: true };
      const gone = await profiles.borrow({ accountId }, profile, -1);
      const next = await profiles.borrow({ accountId }, profile, 60_000);
      await expect(gone.save("{}")).rejects.toMatchObject({ code: "CONFLICT" });
      await gone.close();
      await gone.extend(60_000);
      await next.save('{"mine":true}');
      await next.close();
      expect((await profiles.borrow({ accountId }, profile, 1)).state).toBe('{"mine":true}');
    });

    it("shares a profile between the pages of a job and keeps it between them", async () => {
      const { profiles } = store;
      const accountId = v7();
      const profile = { name: "j", saveChanges: true };
      const holder = { accountId, jobId: v7() };
      const first = await profiles.borrow(holder, profile, 60_000);
      await first.save("[1]");
      await first.close();
      await expect(profiles.borrow({ accountId }, profile, 1)).rejects.toMatchObject({
        code: "CONFLICT",
      });
      await expect(profiles.borrow({ accountId, jobId: v7() }, profile, 1)).rejects.toMatchObject({
        code: "CONFLICT",
      });
      const second = await profiles.borrow(holder, profile, 60_000);
      expect(second.state).toBe("[1]");
      await second.save("[2]");
      await second.close();
      const reader = { ...profile, saveChanges: false };
      expect((await profiles.borrow({ accountId }, reader, 1)).state).toBe("[2]");
    });

    it("stores profiles encrypted in the database", async () => {
      const accountId = v7();
      const loan = await store.profiles.borrow(
        { accountId },
        { name: "s", saveChanges: true },
        60_000,
      );
      await loan.save("a secret that would be seen");
      const row = await store.database.kysely
        .selectFrom("browser_profiles")
        .select("state")
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      expect(Buffer.from(row.state ?? []).length).toBeGreaterThan(20);
      expect(Buffer.from(row.state ?? []).includes("secret")).toBe(false);
      await expect(loan.save("x".repeat(11 * 1024 * 1024))).rejects.toMatchObject({
        code: "PAYLOAD_TOO_LARGE",
      });
    });
  });
});
