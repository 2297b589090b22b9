// Page histories on both databases: a decision on an outdated state writes nothing.
import { v7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Capture } from "../../src/capture.ts";
import { scrapeRequestSchema } from "../../src/contract/page/scrape.ts";
import { Deadline } from "../../src/deadline.ts";
import { createLogger } from "../../src/logger.ts";
import { createTrackChanges, type TrackingScope } from "../../src/scrape/track-changes.ts";
import type { NewVersion } from "../../src/store/captures/change-histories.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { PageOutcome } from "../../src/store/jobs/finish.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { describeDatabases } from "../databases.ts";
import { buildFinished, buildFound, buildJob, FAILED } from "../jobs.ts";

const log = createLogger("silent");
const NO_MODELS = { role: () => undefined, inputTokens: 1_000 };
const URL_A = "https://a.test/page";

const compareTexts = (one: string, other: string): number => (one < other ? -1 : 1);

const buildVersion = (overrides: Partial<NewVersion> = {}): NewVersion => ({
  fetchedAt: 1_000,
  jobId: null,
  textHash: "one",
  madeWith: "options",
  body: { markdown: "# One" },
  ...overrides,
});

describeDatabases("change histories", (configure) => {
  let store: Store;
  let accountId: string;
  beforeAll(async () => {
    store = await openStore(await configure(), log);
    accountId = await addAccount();
  });
  afterAll(() => store.close());

  async function addAccount(): Promise<string> {
    const id = v7();
    const account = { id, name: id, created_at: 1 };
    await store.database.kysely.insertInto("accounts").values(account).execute();
    return id;
  }

  describe("histories", () => {
    it("separates histories by account, URL and tag, with null, empty and named tags distinct", async () => {
      const { changeHistories } = store;
      const other = await addAccount();
      const scopes = [
        { accountId, url: URL_A, tag: null },
        { accountId, url: URL_A, tag: "" },
        { accountId, url: URL_A, tag: "daily" },
        { accountId, url: `${URL_A}/`, tag: null },
        { accountId: other, url: URL_A, tag: null },
      ];
      for (const [index, scope] of scopes.entries()) {
        expect(await changeHistories.load(scope)).toEqual({ revision: 0, versions: [] });
        const version = buildVersion({ body: { markdown: `version ${index}` } });
        expect(await changeHistories.save(scope, 0, { version, drop: [] })).toBe(true);
      }
      for (const [index, scope] of scopes.entries()) {
        const { revision, versions } = await changeHistories.load(scope);
        expect([revision, versions.length]).toEqual([1, 1]);
        expect(await versions[0]?.load()).toEqual({ markdown: `version ${index}` });
      }
    });

    it("returns the newest version by fetch time in any order of writing", async () => {
      const { changeHistories } = store;
      const scope = { accountId, url: "https://a.test/order", tag: null };
      for (const [revision, fetchedAt] of [3_000, 1_000, 2_000].entries())
        await changeHistories.save(scope, revision, {
          version: buildVersion({ fetchedAt }),
          drop: [],
        });
      const { versions } = await changeHistories.load(scope);
      expect(versions.map(({ fetchedAt }) => fetchedAt)).toEqual([3_000, 2_000, 1_000]);
      const [, middle] = versions;
      await changeHistories.save(scope, 3, { drop: [middle?.id ?? ""] });
      const left = await changeHistories.load(scope);
      expect(left.versions.map(({ fetchedAt }) => fetchedAt)).toEqual([3_000, 1_000]);
    });

    it("accepts one of two changes based on the same revision", async () => {
      const { changeHistories } = store;
      const scope = { accountId, url: "https://a.test/race", tag: null };
      for (const revision of [0, 1]) {
        const saved = await Promise.all(
          [1, 2, 3].map((fetchedAt) =>
            changeHistories.save(scope, revision, {
              version: buildVersion({ fetchedAt }),
              drop: [],
            }),
          ),
        );
        expect(saved.filter(Boolean)).toHaveLength(1);
        expect((await changeHistories.load(scope)).versions).toHaveLength(revision + 1);
      }
    });

    it("stores large texts as blobs that the clean-up keeps and removes with their account", async () => {
      const { changeHistories, database, retention, blobs } = store;
      const gone = await addAccount();
      const scope = { accountId: gone, url: URL_A, tag: null };
      const body = { markdown: Array.from({ length: 9_000 }, () => v7()).join("\n") };
      const seen = { crawlKey: "k", jobId: v7() };
      await changeHistories.save(scope, 0, { version: buildVersion({ body }), drop: [], seen });
      const later = Date.now() + 3 * 3_600_000;
      await retention.cleanUp({ now: later, sweep: true });
      const [kept] = (await changeHistories.load(scope)).versions;
      expect(await kept?.load()).toEqual(body);
      const countBlobs = async (): Promise<number> => {
        let count = 0;
        for await (const _ of blobs.list()) count += 1;
        return count;
      };
      const before = await countBlobs();
      await database.kysely.deleteFrom("accounts").where("id", "=", gone).execute();
      expect(await changeHistories.load(scope)).toEqual({ revision: 0, versions: [] });
      expect(await changeHistories.unseen(gone, { crawlKey: "k", jobId: v7() }, 9)).toEqual([]);
      await retention.cleanUp({ now: later, sweep: true });
      expect(await countBlobs()).toBe(before - 1);
    });

    it("lists the pages that an earlier crawl of the same key saw and this one did not", async () => {
      const { changeHistories } = store;
      const [first, second] = [v7(), v7()];
      const visit = async (name: string, jobId: string, crawlKey = "site"): Promise<void> => {
        const scope = { accountId, url: `https://b.test/${name}`, tag: null };
        const { revision } = await changeHistories.load(scope);
        const seen = { crawlKey, jobId };
        await changeHistories.save(scope, revision, { version: buildVersion(), drop: [], seen });
      };
      for (const name of ["a", "b", "c"]) await visit(name, first);
      await visit("d", first, "another site");
      await visit("a", second);
      const unseen = () =>
        changeHistories.unseen(accountId, { crawlKey: "site", jobId: second }, 9);
      expect(await unseen()).toEqual(["https://b.test/b", "https://b.test/c"]);
      const scope = { accountId, url: "https://b.test/b", tag: null };
      const gone = { crawlKey: "site", jobId: second };
      await changeHistories.save(scope, 1, { drop: [], gone });
      expect(await unseen()).toEqual(["https://b.test/c"]);
    });
  });

  describe("crawl that checks pages of an earlier one", () => {
    const start = async (overrides: Partial<NewJob> = {}, count = 1): Promise<NewJob> => {
      const job = buildJob({ revisits: true, ...overrides });
      const found = Array.from({ length: count }, (_, index) => buildFound(index, { depth: 0 }));
      await store.jobs.create(job, found);
      return job;
    };
    const finishAll = async ({ id }: NewJob, outcome?: PageOutcome) => {
      const pages = await store.frontier.claim({ worker: "w", max: 9, leaseMs: 1e6, jobs: [id] });
      return await store.finish(
        id,
        "w",
        pages.map((page) => buildFinished(page, [], outcome)),
      );
    };

    /** Claims the run of the job, as the process called `worker`. */
    const claimRun = async ({ id }: NewJob, worker: string, now: number): Promise<NewJob> => {
      const found = await store.runs.claim({ kind: "crawl", max: 99 }, { worker, leaseMs: 9 }, now);
      const run = found.find((one) => one.id === id);
      if (run === undefined) throw new Error("no run is due");
      return run;
    };

    it("starts the check when everything is fetched, survives a crash, and ends once", async () => {
      const job = await start();
      expect(await finishAll(job)).toMatchObject({
        state: "scraping",
        revisits: true,
        ended: false,
      });
      const now = Date.now();
      expect(await claimRun(job, "killed", now)).toMatchObject({ isRevisiting: true });
      expect(await claimRun(job, "other", now + 10)).toMatchObject({ isRevisiting: true });
      expect(await store.runs.finish(job.id, "killed", now + 11)).toBeUndefined();
      await store.frontier.add(job.id, [buildFound(9)]);
      expect(await store.runs.finish(job.id, "other", now + 12)).toEqual({
        state: "scraping",
        ended: false,
      });
      expect(await finishAll(job)).toMatchObject({ state: "completed", ended: true });
      expect(await store.runs.finish(job.id, "other", now + 13)).toBeUndefined();
    });

    it("ends at once without pages to check, starts after the sitemaps, and respects the limit", async () => {
      const now = Date.now();
      const seeding = await start({ seeding: true, run: { dueAt: now } });
      expect(await finishAll(seeding)).not.toHaveProperty("revisits");
      await claimRun(seeding, "w", now);
      expect(await store.runs.finish(seeding.id, "w", now)).toMatchObject({ revisits: true });
      expect(await claimRun(seeding, "w", now)).toMatchObject({ isRevisiting: true });
      expect(await store.runs.finish(seeding.id, "w", now)).toEqual({
        state: "completed",
        ended: true,
      });
      const limited = await start({ limit: 1 }, 2);
      expect(await finishAll(limited)).toMatchObject({ state: "completed", ended: true });
      const failed = await start();
      expect(await finishAll(failed, FAILED)).not.toHaveProperty("revisits");
    });
  });

  describe("tracking", () => {
    const build = (markdown: string, fetchedAt: number, overrides: Partial<Capture> = {}) => {
      const url = "https://c.test/page";
      const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"] }];
      const options = scrapeRequestSchema.parse({ url, formats });
      const capture = {
        statusCode: 200,
        fetchedAt,
        warnings: [],
        ...overrides,
      } as unknown as Capture;
      const verdict = { kind: "content", reason: "words", escalate: false } as const;
      return { options, url: new URL(url), capture, verdict, markdown, fromCache: false };
    };
    const scopeOf = async (): Promise<TrackingScope> => ({ accountId: await addAccount() });

    it("concurrent scrapes of a page report one new version and each change once without loss", async () => {
      const track = createTrackChanges({ store: async () => store, models: NO_MODELS, log });
      const scope = await scopeOf();
      const run = async (markdown: string, fetchedAt: number) => {
        using deadline = Deadline.start(20_000);
        return await track({ ...build(markdown, fetchedAt), deadline }, scope);
      };
      const statuses = async (markdown: string, from: number): Promise<unknown[]> => {
        const tracked = await Promise.all(
          [0, 1, 2, 3, 4].map((index) => run(markdown, from + index)),
        );
        expect(tracked.flatMap(({ warnings }) => warnings)).toEqual([]);
        return tracked
          .map(({ changeTracking }) => String(changeTracking?.changeStatus))
          .toSorted(compareTexts);
      };
      expect(await statuses("one", 1_000)).toEqual(["new", "same", "same", "same", "same"]);
      expect(await statuses("two", 2_000)).toEqual(["changed", "same", "same", "same", "same"]);
      const where = { accountId: scope.accountId, url: "https://c.test/page", tag: null };
      const { revision, versions } = await store.changeHistories.load(where);
      expect(revision).toBe(10);
      expect(new Set(versions.map(({ textHash }) => textHash)).size).toBe(2);
    });

    it("keeps a bounded number of versions, the first and last of equal ones", async () => {
      const track = createTrackChanges({ store: async () => store, models: NO_MODELS, log });
      const scope = await scopeOf();
      const where = { accountId: scope.accountId, url: "https://c.test/page", tag: null };
      using deadline = Deadline.start(20_000);
      for (let index = 1; index <= 5; index++)
        await track({ ...build("same", index), deadline }, scope);
      const times = async (): Promise<number[]> =>
        (await store.changeHistories.load(where)).versions.map(({ fetchedAt }) => fetchedAt);
      expect(await times()).toEqual([5, 1]);
      for (let index = 6; index <= 40; index++)
        await track({ ...build(`text ${index}`, index), deadline }, scope);
      expect(await times()).toHaveLength(16);
      expect((await times())[0]).toBe(40);
    });

    it("a page fetched again by its job after a crash reports the same change", async () => {
      const track = createTrackChanges({ store: async () => store, models: NO_MODELS, log });
      const scope = await scopeOf();
      using deadline = Deadline.start(20_000);
      const run = async (markdown: string, fetchedAt: number, jobId?: string) =>
        (await track({ ...build(markdown, fetchedAt), deadline }, { ...scope, jobId }))
          .changeTracking;
      await run("one", 1);
      const jobId = v7();
      const first = await run("two", 2, jobId);
      const again = await run("two", 3, jobId);
      expect(first?.changeStatus).toBe("changed");
      expect(again).toEqual(first);
      expect((await run("two", 4, v7()))?.previousScrapeAt).toBe(new Date(3).toISOString());
    });

    it("a cached page is compared with what was known at its fetch and creates no second version", async () => {
      const track = createTrackChanges({ store: async () => store, models: NO_MODELS, log });
      const scope = await scopeOf();
      using deadline = Deadline.start(20_000);
      const run = async (markdown: string, fetchedAt: number, fromCache = false) =>
        (await track({ ...build(markdown, fetchedAt), fromCache, deadline }, scope)).changeTracking;
      await run("one", 1);
      await run("two", 5);
      await run("three", 9);
      expect(await run("two", 5, true)).toMatchObject({ changeStatus: "same" });
      expect(await run("two b", 6, true)).toMatchObject({
        changeStatus: "changed",
        previousScrapeAt: new Date(5).toISOString(),
      });
      expect(await run("three", 10)).toMatchObject({
        changeStatus: "same",
        previousScrapeAt: new Date(9).toISOString(),
      });
      const where = { accountId: scope.accountId, url: "https://c.test/page", tag: null };
      const { versions } = await store.changeHistories.load(where);
      expect(versions.map(({ fetchedAt }) => fetchedAt)).toEqual([10, 9, 6, 5, 1]);
    });
  });
});
