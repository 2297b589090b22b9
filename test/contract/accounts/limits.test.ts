// Keys, credits, rates and slots, and the team routes about them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import { isRemote, startService, type Answer, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let page: string;
beforeAll(async () => {
  if (isRemote) return;
  site = await startSite();
  service = await startService(site, { maxConcurrency: 20 });
  page = `${site.url}/tiny`;
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await site.close();
});

type Caller = {
  readonly id: string;
  readonly key: string;
  readonly client: QuarryClient;
  readonly scrape: (body: object, signal?: AbortSignal) => Promise<Answer>;
  readonly left: () => Promise<number>;
};

async function caller(limits: Record<string, number> = {}): Promise<Caller> {
  const { id, key } = await service.createKey(limits);
  const client = new QuarryClient({ apiUrl: service.url, apiKey: key, retries: 0 });
  return {
    id,
    key,
    client,
    scrape: (body, signal) =>
      service.scrape(body, { key, ...(signal === undefined ? {} : { signal }) }),
    left: async () => (await client.creditUsage()).remainingCredits,
  };
}

const seen = (url: string): boolean => site.requests.some((request) => request.url === url);

describe.skipIf(isRemote)("keys", () => {
  it("creates keys, lists them without secrets, and revokes them at once", async () => {
    const made = await service.admin("POST", "/admin/keys", { name: "desk", creditBudget: 7 });
    expect(made.status).toBe(200);
    const { id, key, ...view } = made.body.data as unknown as Record<string, string>;
    expect(key).toMatch(/^qy-[\w-]{43}$/);
    expect(view).not.toHaveProperty("hash");
    const list = await service.admin("GET", "/admin/keys");
    expect(list.text).toContain(String(id));
    expect(list.text).not.toContain(String(key));
    expect(list.text).not.toContain('"hash"');
    const asks = (): Promise<Answer> => service.ask("/v2/team/credit-usage", { key: key ?? "" });
    expect((await asks()).status).toBe(200);
    expect((await service.admin("DELETE", `/admin/keys/${id}`)).body.success).toBe(true);
    const revoked = await asks();
    expect(revoked.status).toBe(401);
    expect(revoked.body.error).toMatch(/^Unauthorized: Invalid token\. /);
  });

  it("rotates a key: the old secret works for the grace period, the new one at once", async () => {
    const { id, key } = await service.createKey({ creditBudget: 9 });
    const status = async (candidate: string): Promise<number> =>
      (await service.ask("/v2/team/credit-usage", { key: candidate })).status;
    const rotate = async (graceMs?: number): Promise<string> => {
      const answer = await service.admin(
        "POST",
        `/admin/keys/${id}/rotate`,
        graceMs === undefined ? {} : { graceMs },
      );
      return (answer.body.data as unknown as { key: string }).key;
    };
    const second = await rotate();
    expect([await status(key), await status(second)]).toEqual([200, 200]);
    const third = await rotate(0);
    expect([await status(key), await status(second), await status(third)]).toEqual([401, 401, 200]);
    const usage = await service.ask("/v2/team/credit-usage", { key: third });
    expect(usage.body.data).toMatchObject({ remainingCredits: 9, planCredits: 9 });
  });

  it("rejects an expired key", async () => {
    const { key } = await service.createKey({ expiresAt: Date.now() - 1 });
    expect((await service.ask("/v2/team/credit-usage", { key })).status).toBe(401);
  });

  it("rejects invalid key options by field and unknown keys with 404", async () => {
    const bad = await service.admin("POST", "/admin/keys", { name: "", requestsPerMinute: 0 });
    expect(bad.status).toBe(400);
    expect(bad.body.details?.map(({ path }) => path[0]).toSorted()).toEqual([
      "name",
      "requestsPerMinute",
    ]);
    const unknown = "0199f0c0-0000-7000-8000-00000000ffff";
    expect((await service.admin("DELETE", `/admin/keys/${unknown}`)).status).toBe(404);
    expect((await service.admin("DELETE", "/admin/keys/not-an-id")).status).toBe(404);
  });
});

describe.skipIf(isRemote)("credits", () => {
  it("reduces the balance by the credits of each scrape", async () => {
    const { scrape, left } = await caller({ creditBudget: 100 });
    let balance = 100;
    for (const [name, body, cost] of [
      ["a page", { url: page, maxAge: 0 }, 1],
      ["another", { url: page, maxAge: 0 }, 1],
      ["a cache hit", { url: page }, 1],
      ["zero data retention", { url: page, zeroDataRetention: true }, 2],
      ["an error page", { url: `${site.url}/status/500` }, 1],
      ["a failure", { url: `${site.url}/hang-up` }, 0],
      ["a refused address", { url: "http://10.0.0.1/" }, 0],
      ["a body that does not fit", { url: 7 }, 0],
      ["a format that is missing", { url: page, formats: ["video"] }, 0],
      ["an unresolved name", { url: "http://nowhere.invalid/" }, 1],
      ["nothing in the cache", { url: `${page}?none`, minAge: 1 }, 0],
      ["nothing in the cache under lockdown", { url: `${page}?none`, lockdown: true }, 1],
      ["a cache hit under lockdown", { url: page, lockdown: true }, 5],
      ["a timeout", { url: `${site.url}/slow/never`, timeout: 1_000 }, 0],
    ] as const) {
      const { body: answer } = await scrape(body);
      if (answer.data !== undefined) expect(answer.data.metadata.creditsUsed, name).toBe(cost);
      balance -= cost;
      expect(await left(), name).toBe(balance);
    }
  });

  it("answers 402 with the expected text without a request to the site when credits run out", async () => {
    const { scrape, left } = await caller({ creditBudget: 2 });
    expect((await scrape({ url: page })).status).toBe(200);
    expect((await scrape({ url: page })).status).toBe(200);
    const answer = await scrape({ url: `${site.url}/hits?key=unpaid` });
    expect(answer.status).toBe(402);
    expect(answer.body.success).toBe(false);
    expect(answer.body.error).toMatch(/^Insufficient credits to perform this request\./);
    expect(seen("/hits?key=unpaid")).toBe(false);
    expect(await left()).toBe(0);
  });

  it("never overspends credits with concurrent requests", async () => {
    const { scrape, left } = await caller({ creditBudget: 5 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => scrape({ url: `${page}?n=${index}` })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 402)).toHaveLength(15);
    expect(await left()).toBe(0);
  });

  it("reports many credits and null dates without a budget, and fifteen tokens per credit", async () => {
    const unlimited = await caller();
    const usage = await unlimited.client.creditUsage();
    expect(usage.remainingCredits).toBeGreaterThan(1_000_000);
    expect(usage).toMatchObject({
      planCredits: usage.remainingCredits,
      billingPeriodStart: null,
      billingPeriodEnd: null,
    });
    const { client } = await caller({ creditBudget: 10 });
    expect(await client.tokenUsage()).toMatchObject({ remainingTokens: 150, planTokens: 150 });
  });
});

describe.skipIf(isRemote)("rate limits", () => {
  it("answers 429 with Retry-After and counts for the limited key only", async () => {
    const { client, key } = await caller({ requestsPerMinute: 3 });
    const ask = () => service.ask("/v2/scrape", { method: "POST", key, body: {} });
    for (let count = 0; count < 3; count += 1) expect((await ask()).status).toBe(400);
    const answer = await ask();
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ success: false, code: "RATE_LIMITED" });
    expect(answer.body.error).toMatch(/3 of 3 .*0 remaining.*\d{4}-\d\d-\d\dT/);
    const retryAfter = Number(answer.headers.get("retry-after"));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect((await service.ask("/v2/team/queue-status")).status).toBe(200);
    await client.queueStatus();
  });

  it("lets a key with a low rate limit poll its crawl", async () => {
    const { client } = await caller({ requestsPerMinute: 1 });
    const job = await client.startCrawl(page, { limit: 1 });
    for (let count = 0; count < 4; count += 1) await job.status();
    expect((await job.wait()).status).toBe("completed");
  });
});

describe.skipIf(isRemote)("concurrency slots", () => {
  it("reports a waiting scrape in the answer, queue-status and concurrency-check", async () => {
    const { scrape, client } = await caller({ concurrency: 1 });
    const path = "/slow/headers?milliseconds=700&key=slots";
    const first = scrape({ url: site.url + path, maxAge: 0 });
    await expect.poll(() => seen(path)).toBe(true);
    const second = scrape({ url: page, maxAge: 0 });
    await expect
      .poll(() => client.queueStatus())
      .toMatchObject({
        jobsInQueue: 2,
        activeJobsInQueue: 1,
        waitingJobsInQueue: 1,
        maxConcurrency: 1,
      });
    expect(await client.concurrency()).toMatchObject({ concurrency: 1, maxConcurrency: 1 });
    const running = (await first).body.data?.metadata;
    expect(running).toMatchObject({ concurrencyLimited: false });
    expect(running).not.toHaveProperty("concurrencyQueueDurationMs");
    const waited = (await second).body.data;
    expect(waited?.metadata.concurrencyLimited).toBe(true);
    const waitedMs = waited?.metadata.concurrencyQueueDurationMs;
    expect(Number.isInteger(waitedMs)).toBe(true);
    expect(waitedMs).toBeGreaterThan(100);
    expect(waited?.warning).toContain("waited");
    expect(await client.concurrency()).toMatchObject({ concurrency: 0 });
  });

  it("answers 408 CONCURRENCY_QUEUE_TIMEOUT free of charge after two thirds of the timeout", async () => {
    const { scrape, left } = await caller({ concurrency: 1, creditBudget: 10 });
    const path = "/slow/headers?milliseconds=3000&key=queue";
    const first = scrape({ url: site.url + path, maxAge: 0 });
    await expect.poll(() => seen(path)).toBe(true);
    const started = performance.now();
    const answer = await scrape({ url: page, timeout: 1_000 });
    expect(performance.now() - started).toBeGreaterThan(600);
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(answer.status).toBe(408);
    expect(answer.body).toMatchObject({ success: false, code: "CONCURRENCY_QUEUE_TIMEOUT" });
    expect((await first).status).toBe(200);
    expect(await left()).toBe(9);
  });

  it("frees slot, credits and the site's connection when a caller hangs up", async () => {
    const { scrape, client, left } = await caller({ concurrency: 1, creditBudget: 10 });
    const controller = new AbortController();
    const path = "/slow/never?key=hang-up";
    const given = scrape({ url: site.url + path, maxAge: 0 }, controller.signal);
    await expect.poll(() => seen(path)).toBe(true);
    controller.abort();
    await expect(given).rejects.toThrow();
    await expect.poll(() => client.concurrency()).toMatchObject({ concurrency: 0 });
    await expect.poll(left).toBe(10);
    expect((await scrape({ url: page })).status).toBe(200);
  });
});

describe.skipIf(isRemote)("history and activity", () => {
  it("sums usage by period and by key name", async () => {
    const made = await service.admin("POST", "/admin/keys", { name: "historian" });
    const { key } = made.body.data as unknown as { key: string };
    for (const zeroDataRetention of [false, true])
      await service.scrape({ url: page, zeroDataRetention }, { key });
    const history = async (query: string): Promise<Record<string, unknown>[]> => {
      const { body } = await service.ask(`/v2/team/credit-usage/historical${query}`, { key });
      return body["periods"] as Record<string, unknown>[];
    };
    const mine = (await history("?byApiKey=true")).filter(({ apiKey }) => apiKey === "historian");
    expect(mine).toHaveLength(1);
    expect(mine[0]).toMatchObject({ creditsUsed: 3, totalCredits: 3 });
    expect(String(mine[0]?.["startDate"])).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
    const months = await history("");
    expect(Number(months.at(-1)?.["creditsUsed"])).toBeGreaterThanOrEqual(3);
    expect(months.at(-1)).not.toHaveProperty("apiKey");
    const days = await history("?timeRange=day");
    expect(String(days.at(-1)?.["startDate"])).toBe(
      `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
    );
    const tokens = await service.client.tokenUsageHistory({ byApiKey: true });
    expect(tokens.find(({ apiKey }) => apiKey === "historian")).toMatchObject({
      tokensUsed: 45,
      totalTokens: 45,
    });
    const hours = await service.client.usage({ unit: "hour", byApiKey: true });
    expect(hours.filter(({ apiKey }) => apiKey?.name === "historian")).toMatchObject([
      {
        startDate: expect.stringMatching(/T\d\d:00:00\.000Z$/),
        apiKey: { id: (made.body.data as unknown as { id: string }).id },
        creditsUsed: 3,
        pages: 2,
        failed: 0,
        browserPages: 0,
        latency: { p50: expect.any(Number), p95: expect.any(Number) },
      },
    ]);
    expect((await service.client.usage()).at(-1)?.apiKey).toBeUndefined();
    expect(await service.client.usage({ since: Date.now() + 86_400_000 })).toEqual([]);
    const wrong = await service.ask("/v2/team/usage?unit=year");
    expect([wrong.status, wrong.body.error]).toEqual([400, expect.stringContaining("month")]);
    const both = await service.ask("/v2/team/credit-usage/historical?byApiKey=true&timeRange=day");
    expect(both.status).toBe(400);
  });

  it("counts pages of scrapes and jobs by outcome, and cache hits without bytes", async () => {
    const made = await service.admin("POST", "/admin/keys", { name: "meter" });
    const { key } = made.body.data as unknown as { key: string };
    const url = `${site.url}/articles/77`;
    const fresh = await service.scrape({ url, formats: ["rawHtml"] }, { key });
    await service.scrape({ url }, { key });
    await service.scrape({ url: `${site.url}/missing` }, { key });
    await service.scrape({ url: `${site.url}/hang-up` }, { key });
    const batch = await service.ask("/v2/batch/scrape", {
      method: "POST",
      body: { urls: [`${site.url}/articles/78`], maxAge: 0 },
      key,
    });
    const id = String(batch.body["id"]);
    await expect
      .poll(async () => (await service.ask(`/v2/batch/scrape/${id}`, { key })).body["status"])
      .toBe("completed");
    const hours = await service.client.usage({ unit: "hour", byApiKey: true });
    const [hour] = hours.filter(({ apiKey }) => apiKey?.name === "meter");
    expect(hour).toMatchObject({ pages: 5, failed: 2, blocked: 0, cacheHits: 1, creditsUsed: 4 });
    // Nothing answered the page that hangs up.
    expect(hour).toMatchObject({ httpPages: 3, browserPages: 0, documentPages: 0 });
    const bytes = Buffer.byteLength(fresh.body.data?.rawHtml ?? "");
    expect(hour?.bytes).toBeGreaterThan(bytes);
    expect(hour?.bytes).toBeLessThan(4 * bytes);
  });

  it("names the key of an activity, and returns the request of a scrape without header values", async () => {
    const made = await service.admin("POST", "/admin/keys", { name: "colleague" });
    const { key, id: keyId } = made.body.data as unknown as { key: string; id: string };
    const { body } = await service.scrape(
      {
        url: page,
        formats: ["links"],
        timeout: 20_000,
        headers: { "X-Secret": "do not show me" },
      },
      { key, headers: { "x-quarry-explain": "1" } },
    );
    const id = String(body.data?.metadata.scrapeId);
    const { data } = await service.client.activity({ limit: 5 });
    expect(data.find((entry) => entry.id === id)?.api_key).toEqual({
      id: keyId,
      name: "colleague",
    });
    const request = await service.client.scrapeRequest(id);
    expect(request).toMatchObject({
      id,
      url: page,
      headerNames: ["X-Secret"],
      options: { timeout: 20_000, formats: [{ type: "links" }] },
    });
    expect(JSON.stringify(request)).not.toContain("do not show me");
    expect(request.options).not.toHaveProperty("headers");
    expect(request.explanation).toMatchObject({
      plan: { attempts: expect.arrayContaining([{ engine: "http", proxy: "basic" }]) },
      attempts: [{ engine: "http", outcome: "captured" }],
      timings: { fetch: expect.any(Number), derive: expect.any(Number) },
    });
    expect(request.explanation?.trace?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["engine.fetch", "http.first_byte", "convert"]),
    );
    expect(JSON.stringify(request.explanation)).not.toContain("do not show me");
  });

  it("pages activity newest first without gaps, duplicates or zero-retention targets", async () => {
    const ids: unknown[] = [];
    for (let number = 1; number <= 5; number += 1) {
      const { body } = await service.scrape({ url: `${site.url}/articles/${number}` });
      ids.unshift(body.data?.metadata.scrapeId);
    }
    const hidden = await service.scrape({
      url: `${site.url}/articles/6`,
      zeroDataRetention: true,
    });
    ids.unshift(hidden.body.data?.metadata.scrapeId);
    const found: { id: string; target: string | null }[] = [];
    let cursor: string | undefined;
    do {
      const list = await service.client.activity({
        limit: 4,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(list.data.length).toBeLessThanOrEqual(4);
      found.push(...list.data);
      expect(list.has_more).toBe(list.cursor !== null);
      cursor = list.cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found.slice(0, 6).map(({ id }) => id)).toEqual(ids);
    expect(found.slice(0, 3).map(({ target }) => target)).toEqual([
      null,
      `${site.url}/articles/5`,
      `${site.url}/articles/4`,
    ]);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const { data } = await service.client.activity({ endpoint: "scrape", limit: 1 });
    expect(data[0]).toMatchObject({ endpoint: "scrape", api_version: "v2" });
    expect(data[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await service.client.activity({ endpoint: "map" })).data).toEqual([]);
  });

  it("answers 400 for an unknown activity endpoint or cursor and defaults an invalid limit", async () => {
    for (const query of ["endpoint=poem", "cursor=not-a-cursor"])
      expect((await service.ask(`/v2/team/activity?${query}`)).status, query).toBe(400);
    for (const limit of ["0", "101", "many", "-1"])
      expect((await service.ask(`/v2/team/activity?limit=${limit}`)).status, limit).toBe(200);
  });

  it("queue-status reports the last success", async () => {
    await service.page({ url: page });
    const { mostRecentSuccess } = await service.client.queueStatus();
    expect(Date.now() - Date.parse(mostRecentSuccess ?? "")).toBeLessThan(60_000);
  });

  it("writes no API key to the log", async () => {
    const { key } = await service.createKey();
    await service.ask("/v2/team/credit-usage", { key });
    await service.ask(`/v2/team/activity?cursor=${key}`, { key });
    expect(service.log()).not.toContain(key);
    expect(service.log()).not.toMatch(/qy-[\w-]{20}/);
  });
});
