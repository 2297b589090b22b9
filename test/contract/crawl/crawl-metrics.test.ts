// Crawl metrics while a crawl runs and after it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCrawls, crawl, openOwnCrawls, page, serve, service } from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(() => openOwnCrawls());
afterAll(closeCrawls);

const valueOf = async (name: string): Promise<number> =>
  Number((await metrics()).find((line) => line.startsWith(`${name} `))?.split(" ")[1]);

const metrics = async (): Promise<string[]> =>
  (await service.ask("/metrics", { key: null })).text.split("\n");

describe.skipIf(isRemote)("crawl metrics", () => {
  it("reports running and waiting jobs and the outcomes of jobs and pages", async () => {
    const asked = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    const start = serve({
      "/": page("start", ["a", "b", "c", "../elsewhere"]),
      "/a": (request, response) => {
        asked.resolve();
        void answering.promise.then(() => page("a")(request, response));
      },
    });
    const running = crawl(`${start}/`, { limit: 2 });
    await asked.promise;
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        'quarry_jobs_running{kind="crawl"} 1',
        'quarry_jobs_running{kind="batch_scrape"} 0',
        'quarry_frontier_urls{kind="crawl",state="waiting"} 0',
        'quarry_frontier_urls{kind="crawl",state="active"} 1',
        'quarry_frontier_urls{kind="crawl",state="held"} 2',
        "quarry_webhook_events_waiting 0",
        'quarry_job_pages_total{fate="fetched"} 1',
      ]),
    );
    answering.resolve();
    expect((await running).completed).toBe(2);
    // Credits are settled after the end of the job.
    await expect
      .poll(metrics)
      .toContain('quarry_jobs_ended_total{kind="crawl",state="completed"} 1');
    expect(await metrics()).toEqual(
      expect.arrayContaining([
        'quarry_jobs_running{kind="crawl"} 0',
        'quarry_frontier_urls{kind="crawl",state="active"} 0',
        'quarry_frontier_urls{kind="crawl",state="held"} 0',
        'quarry_job_pages_total{fate="fetched"} 2',
      ]),
    );
  });

  it("counts the attempts of each engine by outcome", async () => {
    const base = serve({
      "/": page("start"),
      "/gone": (_request, response) =>
        void response.writeHead(404).end("<p>There is no such page.</p>"),
      "/cut": (request) => void request.socket.destroy(),
      "/table.csv": (_request, response) => {
        response.writeHead(200, { "content-type": "text/csv" }).end("tea,price\ngreen,4.20\n");
      },
    });
    const scrape = (path: string, more: object = {}) =>
      service.scrape({ url: `${base}${path}`, formats: ["markdown"], ...more });
    const countOf = (engine: string, outcome: string): Promise<number> =>
      valueOf(`quarry_engine_attempts_total{engine="${engine}",outcome="${outcome}"}`);
    await scrape("/");
    const before = await countOf("http", "content");
    await scrape("/", { maxAge: 0 });
    await scrape("/", { maxAge: 3_600_000 });
    await scrape("/gone", { maxAge: 0, proxy: "basic" });
    await scrape("/table.csv", { maxAge: 0 });
    await scrape("/cut", { maxAge: 0, proxy: "basic" });
    expect(await countOf("http", "content")).toBe(before + 2);
    expect(await countOf("cache", "hit")).toBe(1);
    expect(await countOf("http", "error_page")).toBeGreaterThan(0);
    expect(await countOf("document", "parsed")).toBe(1);
    expect(await countOf("http", "SCRAPE_SITE_ERROR")).toBeGreaterThan(0);
    expect(await valueOf('quarry_engine_attempt_seconds_count{engine="document"}')).toBe(1);
  });

  it("reports what is stored and the free places", async () => {
    const start = serve({
      "/": page("a page with a body of its own", [`../${"long".repeat(400)}`]),
    });
    await service.scrape({ url: `${start}/`, formats: ["markdown"], maxAge: 0 });
    await expect.poll(() => valueOf("quarry_blobs")).toBeGreaterThanOrEqual(0);
    expect(await valueOf("quarry_database_bytes")).toBeGreaterThan(1_000_000);
    expect(await valueOf("quarry_database_log_bytes")).toBeGreaterThan(0);
    expect(await valueOf("quarry_database_checkpoint_age_seconds")).toBeLessThan(3_600);
    expect(await valueOf("quarry_job_slots")).toBeGreaterThan(0);
    expect(await valueOf('quarry_queue_age_seconds{kind="crawl"}')).toBe(0);
    expect(await valueOf('quarry_hosts_paused{work="crawl"}')).toBe(0);
  });
});
