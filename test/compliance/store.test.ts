// One suite for the store on both databases: PGlite and PostgreSQL behave the same.
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Capture } from "../../src/capture.ts";
import { createLogger } from "../../src/logger.ts";
import { createRowId, type KeyRecord } from "../../src/store/accounts/accounts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { ScrapeRecord } from "../../src/store/captures/scrapes.ts";
import { describeDatabases } from "../databases.ts";

const log = createLogger("silent");
const ACCOUNT = v7();
const KEY = v7();
const HOUR = 3_600_000;

function buildScrape(overrides: Partial<ScrapeRecord> = {}): ScrapeRecord {
  const now = Date.now();
  return {
    id: v7(),
    accountId: ACCOUNT,
    keyId: KEY,
    requestedUrl: "https://example.com/a",
    finalUrl: "https://www.example.com/a",
    status: "completed",
    statusCode: 200,
    error: null,
    options: { formats: [{ type: "markdown" }] },
    explanation: { cache: "miss", attempts: [], timings: { fetch: 4.5 } },
    credits: 1,
    createdAt: now,
    expiresAt: now + HOUR,
    ...overrides,
  };
}

function buildCapture(overrides: Partial<Capture> = {}): Capture {
  return {
    engine: "http",
    requestedUrl: "https://example.com/a",
    finalUrl: "https://www.example.com/a",
    redirects: ["https://example.com/a"],
    statusCode: 200,
    headers: [
      ["content-type", "text/html"],
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ],
    contentType: "text/html",
    mimeType: "text/html",
    body: Buffer.from("<p>hello</p>"),
    charset: "utf-8",
    fetchedAt: Date.now(),
    proxyUsed: "basic",
    warnings: ["w"],
    ...overrides,
  };
}

function buildKey(accountId: string, overrides: Partial<KeyRecord> = {}): KeyRecord {
  return {
    id: createRowId(),
    accountId,
    name: "test",
    hash: v7().replaceAll("-", "").repeat(2),
    previous: null,
    prefix: "qy-abc",
    limits: { creditBudget: null, requestsPerMinute: 60, concurrency: null },
    scopes: ["read", "jobs"],
    allowHosts: ["*.example.com"],
    createdAt: Date.now(),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    ...overrides,
  };
}

describeDatabases("store", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure({ cacheMaxBytes: 1_000_000 }), log);
  });
  afterAll(() => store.close());

  describe("scrapes", () => {
    it("scrapes are found at once and after the commit with equal contents", async () => {
      const scrape = buildScrape();
      const document = { markdown: "# Tïtle 🎉", metadata: { statusCode: 200, og: null } };
      await store.scrapes.save(scrape, document);
      const read = { ...scrape, headers: {}, headerNames: [], document };
      expect(await store.scrapes.load(scrape.id)).toEqual(read);
      await store.flush();
      expect(await store.scrapes.load(scrape.id)).toEqual(read);
      expect(await store.scrapes.load(scrape.id.toUpperCase())).toBeDefined();
    });

    it("scrapes keep documents too large for a row", async () => {
      const scrape = buildScrape();
      const document = { markdown: Array.from({ length: 40_000 }, () => Math.random()).join(" ") };
      await store.scrapes.save(scrape, document);
      await store.flush();
      expect((await store.scrapes.load(scrape.id))?.document).toEqual(document);
    });

    it("scrapes keep text PostgreSQL rejects: U+0000 becomes U+FFFD in rows and stays in documents", async () => {
      const scrape = buildScrape({
        requestedUrl: "https://example.com/\0\uD800",
        options: { a: "\0" },
      });
      await store.scrapes.save(scrape, { markdown: "a\0b" });
      await store.flush();
      expect(await store.scrapes.load(scrape.id)).toMatchObject({
        requestedUrl: "https://example.com/\uFFFD\uFFFD",
        options: { a: "\uFFFD" },
        document: { markdown: "a\0b" },
      });
    });

    it("failed scrapes keep the error and no document", async () => {
      const error = { code: "SCRAPE_TIMEOUT", message: "late" } as const;
      const scrape = buildScrape({ status: "failed", finalUrl: null, statusCode: null, error });
      await store.scrapes.save(scrape, undefined);
      await store.flush();
      expect(await store.scrapes.load(scrape.id)).toEqual({
        ...scrape,
        headers: {},
        headerNames: [],
        document: undefined,
      });
    });

    it("scrapes are unknown when expired, foreign, or not an id", async () => {
      const scrape = buildScrape({ expiresAt: Date.now() - 1 });
      await store.scrapes.save(scrape, {});
      expect(await store.scrapes.load(scrape.id)).toBeUndefined();
      expect(await store.scrapes.load(v7())).toBeUndefined();
      expect(await store.scrapes.load("../../etc/passwd")).toBeUndefined();
    });

    it("hundreds of concurrent scrapes each keep their own document", async () => {
      const scrapes = Array.from({ length: 300 }, () => buildScrape());
      await Promise.all(scrapes.map((scrape) => store.scrapes.save(scrape, { id: scrape.id })));
      const loaded = await Promise.all(scrapes.map(({ id }) => store.scrapes.load(id)));
      expect(loaded.map((scrape) => scrape?.document)).toEqual(scrapes.map(({ id }) => ({ id })));
      await store.flush();
      const again = await Promise.all(scrapes.map(({ id }) => store.scrapes.load(id)));
      expect(again.map((scrape) => scrape?.document)).toEqual(scrapes.map(({ id }) => ({ id })));
    });
  });

  describe("row the database rejects", () => {
    it("a rejected row does not fail the rows beside it", async () => {
      const good = buildScrape();
      const bad = buildScrape({ statusCode: 1e20 });
      await Promise.all([store.scrapes.save(bad, {}), store.scrapes.save(good, { ok: true })]);
      await store.flush();
      expect((await store.scrapes.load(good.id))?.document).toEqual({ ok: true });
      expect(await store.scrapes.load(bad.id)).toBeUndefined();
    });
  });

  describe("captures", () => {
    const now = Date.now();
    const save = async (key: string, entries: [age: number, status: number][]): Promise<void> => {
      for (const [age, statusCode] of entries)
        await store.captures.save(key, buildCapture({ fetchedAt: now - age, statusCode }));
    };

    it("captures that were fetched again unchanged become younger, others do not", async () => {
      const now = Date.now();
      await store.captures.save("renewed", buildCapture({ fetchedAt: now - 90_000 }));
      await store.flush();
      expect(await store.captures.load("renewed", { maxAgeMs: 60_000 })).toBeUndefined();
      expect(await store.captures.renew("renewed", now - 80_000, now)).toBe(false);
      expect(await store.captures.renew("renewed", now - 90_000, now)).toBe(true);
      const found = await store.captures.load("renewed", { maxAgeMs: 60_000 });
      expect(found?.fetchedAt).toBe(now);
    });

    it("captures are complete before and after the commit", async () => {
      const capture = buildCapture({ body: Buffer.from([0, 255, 1, 254]), charset: undefined });
      await store.captures.save("whole", capture);
      const expected = { ...capture, body: new Uint8Array(capture.body) };
      for (const moment of ["pending", "committed"]) {
        const loaded = await store.captures.load("whole", {});
        expect({ ...loaded, body: new Uint8Array(loaded?.body ?? []) }, moment).toEqual(expected);
        await store.flush();
      }
    });

    for (const moment of ["pending", "committed"] as const)
      describe(moment, () => {
        const key = (name: string): string => `${name}-${moment}`;
        const load = async (name: string, query: object): Promise<[number, number] | undefined> => {
          if (moment === "committed") await store.flush();
          const found = await store.captures.load(key(name), { now, ...query });
          return found === undefined ? undefined : [now - found.fetchedAt, found.statusCode];
        };

        it("captures return the newest that is young enough", async () => {
          await save(key("age"), [
            [5_000, 200],
            [1_000, 200],
            [3_000, 200],
          ]);
          expect(await load("age", { maxAgeMs: 10_000 })).toEqual([1_000, 200]);
          expect(await load("age", { maxAgeMs: 1_000 })).toEqual([1_000, 200]);
          expect(await load("age", { maxAgeMs: 999 })).toBeUndefined();
          expect(await load("age", { maxAgeMs: 1 })).toBeUndefined();
        });

        it("captures return the newest that is old enough for minAge", async () => {
          await save(key("min"), [
            [5_000, 200],
            [1_000, 200],
            [3_000, 200],
          ]);
          expect(await load("min", { minAgeMs: 2_000 })).toEqual([3_000, 200]);
          expect(await load("min", { minAgeMs: 3_000 })).toEqual([3_000, 200]);
          expect(await load("min", { minAgeMs: 5_001 })).toBeUndefined();
          expect(await load("min", { minAgeMs: 2_000, maxAgeMs: 2_500 })).toBeUndefined();
        });

        it("captures prefer a good page over newer error pages until three are newer", async () => {
          await save(key("errors"), [
            [9_000, 200],
            [8_000, 503],
            [7_000, 404],
          ]);
          expect(await load("errors", {})).toEqual([9_000, 200]);
          await save(key("errors"), [[6_000, 500]]);
          expect(await load("errors", {})).toEqual([6_000, 500]);
          await save(key("errors"), [[5_000, 200]]);
          expect(await load("errors", {})).toEqual([5_000, 200]);
        });

        it("captures return an error page when there is nothing else", async () => {
          await save(key("only"), [
            [2_000, 404],
            [1_000, 500],
          ]);
          expect(await load("only", {})).toEqual([1_000, 500]);
        });
      });

    it("the oldest captures are evicted with their blobs when the cache is full", async () => {
      const large = (seed: number, age: number): Capture =>
        buildCapture({
          body: Buffer.from(
            Array.from({ length: 400_000 }, (_, at) => (at * seed * 7919 + at * at) % 251),
          ),
          fetchedAt: now + 10_000 - age,
        });
      const captures = [large(1, 300), large(2, 200), large(3, 100)];
      for (const [index, capture] of captures.entries())
        await store.captures.save(`evict-${index}`, capture);
      await store.flush();
      await store.retention.cleanUp();
      const kept = await Promise.all(
        [0, 1, 2].map((index) => store.captures.load(`evict-${index}`, { now: now + 20_000 })),
      );
      expect(kept.map((capture) => capture !== undefined)).toEqual([false, true, true]);
    });
  });

  describe("retention", () => {
    it("removes expired results, and blobs only without rows after the grace period", async () => {
      const document = {
        markdown: Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 1009).join(" "),
      };
      const soon = buildScrape({ expiresAt: Date.now() + HOUR });
      const later = buildScrape({ expiresAt: Date.now() + 9 * HOUR });
      await store.scrapes.save(soon, document);
      await store.scrapes.save(later, document);
      await store.flush();
      const blobs = async (): Promise<number> => {
        const refs = new Set<string>();
        for await (const { ref } of store.blobs.list()) refs.add(ref);
        return refs.size;
      };
      const before = await blobs();
      const first = await store.retention.cleanUp({ now: Date.now() + 2 * HOUR });
      expect(first.scrapes).toBeGreaterThanOrEqual(1);
      expect((await store.scrapes.load(later.id))?.document).toEqual(document);
      await store.retention.cleanUp({ now: Date.now() + 10 * HOUR });
      expect(await store.scrapes.load(later.id)).toBeUndefined();
      expect(await blobs()).toBeLessThan(before);
    });

    it("sweeps blobs without a row but not young ones", async () => {
      const body = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * at * 31) % 253));
      await store.captures.save("swept", buildCapture({ body }));
      await store.flush();
      const ref = await store.blobs.put(Buffer.from(`orphan ${v7()}`));
      await store.retention.cleanUp({ sweep: true });
      expect(await store.blobs.get(ref)).toBeDefined();
      await store.retention.cleanUp({ sweep: true, now: Date.now() + 2 * HOUR });
      expect(await store.blobs.get(ref)).toBeUndefined();
      expect((await store.captures.load("swept", {}))?.body).toHaveLength(20_000);
    });
  });

  describe("keys", () => {
    it("keys are found by hash, listed in order, and revoked once", async () => {
      const account = await store.keys.ensureAccount();
      expect(await store.keys.ensureAccount()).toBe(account);
      const key = buildKey(account);
      await store.keys.insert(key);
      expect(await store.keys.findByHash(key.hash)).toEqual(key);
      expect(await store.keys.find(key.id)).toEqual(key);
      expect(await store.keys.findByHash("0")).toBeUndefined();
      expect((await store.keys.list(account)).map(({ id }) => id)).toContain(key.id);
      expect(await store.keys.revoke(key.id, 5)).toBe(true);
      expect(await store.keys.revoke(key.id, 6)).toBe(false);
      await store.keys.saveLastUsed(new Map([[key.id, 9]]));
      await store.keys.saveLastUsed(new Map([[key.id, 7]]));
      expect(await store.keys.find(key.id)).toMatchObject({ revokedAt: 5, lastUsedAt: 9 });
    });
  });

  describe("activity", () => {
    it("activity is paged newest first, each entry once", async () => {
      const accountId = v7();
      const at = Date.now();
      const all = Array.from({ length: 25 }, (_, index) => ({
        id: v7(),
        accountId,
        keyId: KEY,
        endpoint: index % 5 === 0 ? "map" : "scrape",
        apiVersion: "v2",
        target: index % 2 === 0 ? "https://example.com" : null,
        succeeded: index !== 24,
        // Several at the same time, so that the id decides.
        createdAt: at - Math.floor(index / 4) * 10,
      }));
      for (const activity of all) store.activity.record(activity);
      const seen: string[] = [];
      let after: { createdAt: number; id: string } | undefined;
      for (;;) {
        const page = await store.activity.list(accountId, {
          since: 0,
          limit: 7,
          ...(after === undefined ? {} : { after }),
        });
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (page.length < 7) break;
      }
      expect(seen).toHaveLength(25);
      expect(new Set(seen)).toEqual(new Set(all.map(({ id }) => id)));
      const maps = await store.activity.list(accountId, { endpoint: "map", since: 0, limit: 50 });
      expect(maps).toHaveLength(5);
      expect(await store.activity.findLastSuccessAt(accountId)).toBe(at);
      expect(await store.activity.findLastSuccessAt(v7())).toBeUndefined();
    });
  });

  describe("settings and idempotency", () => {
    it("concurrent creators of a setting agree on one value", async () => {
      const made = await Promise.all(
        [1, 2, 3].map((n) => store.settings.loadOrCreate("x", () => `v${n}`)),
      );
      expect(new Set(made).size).toBe(1);
      await store.settings.save("x", "w");
      expect(await store.settings.load("x")).toBe("w");
    });

    it("exactly one request per account can claim an idempotency key", async () => {
      const [one, other] = [v7(), v7()];
      const claims = await Promise.all(
        [1, 2, 3].map(() => store.idempotency.claim(one, "k", Date.now())),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await store.idempotency.claim(other, "k", Date.now())).toBe(true);
      await store.idempotency.release(one, "k");
      expect(await store.idempotency.claim(other, "k", Date.now())).toBe(false);
      expect(await store.idempotency.claim(one, "k", Date.now())).toBe(true);
    });
  });
});
