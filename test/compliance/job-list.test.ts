// The list of an account's jobs of all kinds on both databases.
import { sql } from "kysely";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { JOB_LIST_KINDS } from "../../src/contract/jobs/kinds.ts";
import { createLogger } from "../../src/logger.ts";
import type { JobListQuery, ListedJob } from "../../src/store/jobs/job-list.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { buildFound, buildJob } from "../jobs.ts";

const HOUR = 3_600_000;
const KEY = "0199f0c1-0000-7000-8000-00000000000a";

describeDatabases("job list", (configure) => {
  let store: Store;
  let clock = Date.now() - 1_000_000;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  const nextId = (): string => v7({ msecs: (clock += 10) });
  const list = (accountId: string, query: Partial<JobListQuery> = {}) =>
    store.jobList.list(accountId, { kinds: JOB_LIST_KINDS, limit: 50, ...query });
  const idsOf = (jobs: readonly ListedJob[]): string[] => jobs.map(({ id }) => id);

  async function makePages(
    accountId: string,
    kind: "crawl" | "batch_scrape",
    url: string | null,
    keyId = KEY,
  ): Promise<string> {
    const id = nextId();
    const times = { createdAt: clock, expiresAt: clock + 24 * HOUR };
    const job = buildJob({ id, accountId, kind, url, keyId, ...times });
    await store.jobs.create(job, [buildFound(1), buildFound(2)]);
    return id;
  }
  async function makeExtract(accountId: string): Promise<string> {
    const id = nextId();
    const job = buildJob({
      id,
      accountId,
      kind: "extract",
      url: null,
      keyId: KEY,
      options: { urls: ["https://shop.example/a"], prompt: "the price" },
      seeding: true,
      run: { dueAt: clock },
      createdAt: clock,
      expiresAt: clock + 24 * HOUR,
    });
    await store.jobs.create(job);
    return id;
  }
  async function makeAgent(accountId: string): Promise<string> {
    const id = nextId();
    const job = buildJob({
      id,
      accountId,
      kind: "agent",
      url: null,
      keyId: KEY,
      options: { prompt: "Find every lamp that costs less than 20 dollars." },
      seeding: true,
      run: { dueAt: clock },
      createdAt: clock,
      expiresAt: clock + 24 * HOUR,
    });
    await store.jobs.create(job);
    return id;
  }

  it("lists jobs of every kind newest first with URL, prompt and counters", async () => {
    const accountId = v7();
    const crawl = await makePages(accountId, "crawl", "https://docs.example/");
    const batch = await makePages(accountId, "batch_scrape", null);
    const extract = await makeExtract(accountId);
    const lease = { worker: "one", leaseMs: HOUR };
    await store.runs.claim({ kind: "extract", max: 1 }, lease, clock);
    const counters = { pending: 1, completed: 1, failed: 1, creditsUsed: 3 };
    await store.runs.save(extract, "one", { progress: [], counters }, clock);
    const agent = await makeAgent(accountId);
    await makePages(v7(), "crawl", "https://other.example/");
    const { jobs, cursor } = await list(accountId);
    expect(cursor).toBeUndefined();
    expect(jobs).toMatchObject(
      [
        { id: agent, kind: "agent", state: "running", url: null, prompt: /less than 20/ },
        { id: extract, kind: "extract", pending: 1, completed: 1, failed: 1, creditsUsed: 3 },
        { id: batch, kind: "batch", url: buildFound(1).url, pending: 2, keyId: KEY },
        { id: crawl, kind: "crawl", url: "https://docs.example/", pending: 2, completed: 0 },
      ].map((job) =>
        "prompt" in job ? { ...job, prompt: expect.stringMatching(job.prompt) } : job,
      ),
    );
    expect(jobs[1]).toMatchObject({ url: "https://shop.example/a", prompt: "the price" });
  });

  it("filters jobs by kind, state, key, host, text and time", async () => {
    const accountId = v7();
    const other = "0199f0c1-0000-7000-8000-00000000000b";
    const crawl = await makePages(accountId, "crawl", "https://WWW.Docs.example:8080/Guide_1");
    const batch = await makePages(accountId, "batch_scrape", null, other);
    const from = clock + 5;
    const extract = await makeExtract(accountId);
    const agent = await makeAgent(accountId);
    await store.runs.end(crawl, { state: "cancelled" }, clock);
    await store.runs.end(agent, { state: "cancelled" }, clock);
    const found = async (query: Partial<JobListQuery>) =>
      idsOf((await list(accountId, query)).jobs);
    expect(await found({ kinds: ["batch", "agent"] })).toEqual([agent, batch]);
    expect(await found({ state: "cancelled" })).toEqual([agent, crawl]);
    expect(await found({ state: "failed" })).toEqual([]);
    expect(await found({ state: "running" })).toEqual([extract, batch]);
    expect(await found({ keyIds: [other] })).toEqual([batch]);
    expect(await found({ keyIds: [] })).toEqual([]);
    expect(await found({ host: "docs.example" })).toEqual([crawl]);
    expect(await found({ host: "ocs.example" })).toEqual([]);
    expect(await found({ text: "guide_" })).toEqual([crawl]);
    expect(await found({ text: "guide%" })).toEqual([]);
    expect(await found({ text: "LAMP" })).toEqual([agent]);
    expect(await found({ since: from })).toEqual([agent, extract]);
    expect(await found({ until: from })).toEqual([batch, crawl]);
    expect(await store.jobList.countJobs(accountId, JOB_LIST_KINDS)).toEqual({
      running: 2,
      completed: 0,
      failed: 0,
      cancelled: 2,
    });
    const loaded = await store.jobList.load(accountId, [batch, agent]);
    expect(loaded.map(({ kind }) => kind).toSorted()).toEqual(["agent", "batch"]);
    expect(await store.jobList.load(v7(), [batch, agent])).toEqual([]);
  });

  it("returns each job on exactly one page while new jobs are created", async () => {
    const accountId = v7();
    const made: string[] = [];
    for (let round = 0; round < 4; round++)
      made.unshift(
        await makeAgent(accountId),
        await makePages(accountId, "crawl", "https://a.example/"),
        await makeExtract(accountId),
      );
    const expected = made.toSorted().toReversed();
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await list(accountId, { limit: 5, before });
      seen.push(...idsOf(page.jobs));
      before = page.cursor;
      await makeAgent(accountId);
    } while (before !== undefined);
    expect(seen).toEqual(expected);
  });

  it("leaves out ended and expired jobs", async () => {
    const accountId = v7();
    const gone = await makePages(accountId, "crawl", "https://a.example/");
    const running = await makePages(accountId, "crawl", "https://a.example/");
    await store.runs.end(gone, { state: "cancelled" }, clock);
    const later = clock + 100 * 24 * HOUR;
    const query = { kinds: JOB_LIST_KINDS, limit: 50 };
    expect(idsOf((await store.jobList.list(accountId, query, later)).jobs)).toEqual([running]);
    expect(await store.jobList.countJobs(accountId, JOB_LIST_KINDS, later)).toMatchObject({
      running: 1,
      cancelled: 0,
    });
  });

  it("takes the same time with 100,000 old jobs as with few for every filter", async () => {
    const accountId = v7();
    const { kysely } = store.database;
    await sql`
      with made as (
        insert into jobs (id, account_id, key_id, kind, url, options, max_concurrency, zero_data_retention,
          created_at, expires_at, life_ms)
        select ('01900000-' || lpad(to_hex(n / 4096), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-'
          || left(md5(n::text), 12))::uuid, ${accountId}::uuid, ${KEY}::uuid, 'crawl', 'https://old.example/' || n,
          '{}', 1, false, 1717000000000, 9999999999999, 1000
        from generate_series(1, 100000) as n returning id, account_id
      ) insert into job_progress (job_id, owner_id, job_kind, seeding, settled, state)
      select id, account_id, 'crawl', false, true, 'completed' from made`.execute(kysely);
    const newest = await makePages(accountId, "crawl", "https://new.example/");
    const queries: Partial<JobListQuery>[] = [
      {},
      { state: "running" },
      { state: "failed" },
      { kinds: ["batch"] },
      { text: "nowhere" },
      { host: "new.example" },
      { keyIds: [] },
      { before: "01900000-0010-7000-8000-000000000000" },
    ];
    for (const query of queries) {
      const beganAt = performance.now();
      const page = await list(accountId, query);
      const tookMs = performance.now() - beganAt;
      expect(page.jobs.length, JSON.stringify(query)).toBeLessThanOrEqual(50);
      // Each takes below 100 ms on an idle machine; reading all jobs takes seconds.
      expect(tookMs, JSON.stringify(query)).toBeLessThan(1_000);
    }
    expect(idsOf((await list(accountId, { state: "running" })).jobs)).toEqual([newest]);
    expect(await store.jobList.countJobs(accountId, JOB_LIST_KINDS)).toEqual({
      running: 1,
      completed: 1_000,
      failed: 0,
      cancelled: 0,
    });
    // A job that matches only far back is found by following the cursor.
    let before: string | undefined;
    let hops = 0;
    const seen: string[] = [];
    do {
      const page = await list(accountId, { text: "old.example/77", before, limit: 100 });
      seen.push(...idsOf(page.jobs));
      before = page.cursor;
      hops += 1;
    } while (before !== undefined && seen.length < 1_000_000);
    expect(seen.length).toBe(1 + 10 + 100 + 1_000);
    expect(hops).toBeGreaterThan(10);
  });
});
