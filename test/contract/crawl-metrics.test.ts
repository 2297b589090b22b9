// Crawl metrics while a crawl runs and after it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCrawls, crawl, openOwnCrawls, page, serve, service } from "../crawls.ts";
import { isRemote } from "../service.ts";

beforeAll(openOwnCrawls);
afterAll(closeCrawls);

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
});
