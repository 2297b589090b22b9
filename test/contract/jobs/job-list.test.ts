// GET /v2/jobs over HTTP and through the client: an account's jobs of all kinds with filters and
// pages.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobEvent } from "../../../client/wire.ts";
import { jobListResponseSchema } from "../../../src/contract/jobs/job-list.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

let base: string;
let service: Service;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    if (request.url === "/missing") return void request.socket.destroy();
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<title>T</title><main><p>${"Some words. ".repeat(20)}</p></main>`);
  }));
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

describe.skipIf(isRemote)("job list", () => {
  it("returns an empty job list on a new server", async () => {
    expect(await service.client.listJobs()).toEqual({
      success: true,
      jobs: [],
      totals: { running: 0, completed: 0, failed: 0, cancelled: 0 },
      cursor: null,
    });
  });

  it("lists crawls, batches, extractions and agent runs with counters and key names", async () => {
    const { client } = service;
    const crawl = await client.crawl(`${base}/`, { sitemap: "skip" });
    const batch = await client.batch([`${base}/`, `${base}/missing`]);
    const extractId = await client.startExtract({ urls: [`${base}/`], prompt: "the title" });
    const agent = await client.agents.start("Collect the titles", { urls: [`${base}/`] });
    await agent.cancel();
    const list = await client.listJobs();
    expect(jobListResponseSchema.parse(list)).toEqual(list);
    expect(list.jobs.map(({ id }) => id)).toEqual([agent.id, extractId, batch.id, crawl.id]);
    const [run, , second, first] = list.jobs;
    expect(run).toMatchObject({ kind: "agent", prompt: "Collect the titles", url: `${base}/` });
    expect(second).toMatchObject({ kind: "batch", url: `${base}/`, total: 2, failed: 1 });
    expect(first).toMatchObject({
      kind: "crawl",
      state: "completed",
      path: `/v2/crawl/${crawl.id}`,
      completed: 1,
      creditsUsed: 1,
      apiKey: { name: "first" },
      error: null,
    });
    for (const { path } of list.jobs) expect((await service.ask(path)).status, path).toBe(200);
    const sum = Object.values(list.totals ?? {}).reduce((left, right) => left + right, 0);
    expect(sum).toBe(4);
  });

  it("filters and pages jobs by the query", async () => {
    const { client } = service;
    const kinds = async (query: Parameters<typeof client.listJobs>[0]) =>
      (await client.listJobs(query)).jobs.map(({ kind }) => kind);
    expect(await kinds({ kind: ["crawl", "batch"] })).toEqual(["batch", "crawl"]);
    expect(await kinds({ kind: "crawl", state: "completed", key: "first" })).toEqual(["crawl"]);
    expect(await kinds({ key: "nobody" })).toEqual([]);
    expect(await kinds({ host: "127.0.0.1", kind: "crawl" })).toEqual(["crawl"]);
    expect(await kinds({ text: "collect the" })).toEqual(["agent"]);
    expect(await kinds({ since: Date.now() + 60_000 })).toEqual([]);
    expect(await kinds({ until: "2026-01-01T00:00:00Z" })).toEqual([]);
    const first = await client.listJobs({ limit: 3 });
    const second = await client.listJobs({ limit: 3, cursor: first.cursor ?? "" });
    expect([first.jobs.length, second.jobs.length, second.cursor]).toEqual([3, 1, null]);
    expect(second.totals).toBeUndefined();
  });

  it("rejects invalid job filters and lists the valid ones", async () => {
    for (const [query, message] of [
      ["kind=crawls", "crawl, batch, extract, agent"],
      ["state=done", '"running"'],
      ["since=yesterday", "2026-01-31T12:00:00Z"],
      ["limit=0", "from 1 to 100"],
      ["cursor=abc", "cursor"],
    ] as const) {
      const { status, body } = await service.ask(`/v2/jobs?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(body.details?.[0]?.message, query).toContain(message);
    }
    expect((await service.ask("/v2/jobs", { key: null })).status).toBe(401);
  });

  it("streams a snapshot, then created, progressing and ended jobs", async () => {
    const { client } = service;
    const events = client.watchJobs();
    const first = (await events.next()).value as JobEvent;
    if (first.type !== "snapshot") throw new Error("No snapshot came first.");
    expect(first.jobs).toHaveLength(4);
    expect(first.totals.running + first.totals.completed).toBeGreaterThan(0);
    const job = await client.startCrawl(`${base}/?stream`, { sitemap: "skip" });
    const changes: string[] = [];
    for await (const event of events) {
      if (event.type !== "job" || event.job.id !== job.id) continue;
      expect(event.job.kind).toBe("crawl");
      changes.push(event.change);
      if (event.change === "ended") {
        expect(event.job).toMatchObject({ state: "completed", completed: 1 });
        break;
      }
    }
    expect(changes.at(-1)).toBe("ended");
    expect(changes.filter((change) => change === "ended")).toHaveLength(1);
  });

  it("rejects a stream without a key and beyond the account's limit", async () => {
    expect((await service.ask("/v2/jobs/events", { key: null })).status).toBe(401);
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${service.key}` };
    const open = () =>
      fetch(`${service.url}/v2/jobs/events`, { headers, signal: controller.signal });
    const responses = await Promise.all(Array.from({ length: 20 }, open));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(responses[0]?.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const refused = await open();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
    controller.abort();
    // Closed streams free their place.
    await expect
      .poll(
        async () => {
          const again = new AbortController();
          const { status } = await fetch(`${service.url}/v2/jobs/events`, {
            headers,
            signal: again.signal,
          });
          again.abort();
          return status;
        },
        { timeout: 10_000 },
      )
      .toBe(200);
  });

  it("ends job streams when the server stops", async () => {
    const own = await startService(undefined);
    const response = await fetch(`${own.url}/v2/jobs/events`, {
      headers: { authorization: `Bearer ${own.key}` },
    });
    const text = response.text();
    const beganAt = performance.now();
    await own.close();
    expect(await text).toContain("event: snapshot");
    // Half of the time that a stopping server gives its requests.
    expect(performance.now() - beganAt).toBeLessThan(1_500);
  });
});
