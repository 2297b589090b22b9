import { describe, expect, it } from "vitest";
import { createMetrics } from "../metrics.ts";
import type { PageOutcome } from "../store/jobs/finish.ts";
import { countFates, reportBacklog } from "./backlog.ts";

const page = (outcome: PageOutcome) => ({ outcome });
const refusedFor = (fate: "robots" | "trap") =>
  page({ type: "refused", refusal: { fate, reason: "refused" }, credits: 0 });
const DOCUMENT = page({
  type: "document",
  scrapeId: "s",
  finalUrl: "http://site.example/",
  statusCode: 200,
  document: { metadata: {} },
  same: { target: { identity: 1n, by: "redirect" } },
  credits: 1,
});

describe("job metrics", () => {
  it("counts written pages by fate and skips pages that another worker holds", async () => {
    const metrics = createMetrics();
    const pages = [
      DOCUMENT,
      DOCUMENT,
      DOCUMENT,
      page({
        type: "failed",
        error: { code: "SCRAPE_SITE_ERROR", message: "no answer" },
        credits: 0,
      }),
      refusedFor("robots"),
      refusedFor("trap"),
    ];
    countFates(metrics, pages, {
      pages: ["fetched", "duplicate", "lost", "failed", "refused", "lost"],
    });
    const { values } = await metrics.jobPages.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.fate, value]))).toEqual({
      fetched: 1,
      duplicate: 1,
      error: 1,
      robots: 1,
    });
  });

  it("shares one backlog query between concurrent readers and keeps the last values when it fails", async () => {
    const metrics = createMetrics();
    const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    const read = reportBacklog(
      {
        backlog: async () => {
          await answers[reads++]?.promise;
          const urls = { waiting: 5, active: 2, held: 1, oldestAt: 1_000 };
          return { jobs: [{ kind: "crawl", running: 3, ...urls }], events: 7 };
        },
      },
      metrics,
      () => 4_500,
    );
    const stop = metrics.onRead(read);
    const both = Promise.all([metrics.registry.metrics(), metrics.registry.metrics()]);
    answers[0]?.resolve();
    await both;
    expect(reads).toBe(1);
    answers[1]?.reject(new Error("the database is closed"));
    const text = await metrics.registry.metrics();
    expect(reads).toBe(2);
    for (const line of [
      'quarry_jobs_running{kind="crawl"} 3',
      'quarry_jobs_running{kind="batch_scrape"} 0',
      'quarry_frontier_urls{kind="crawl",state="active"} 2',
      'quarry_frontier_urls{kind="batch_scrape",state="active"} 0',
      'quarry_queue_age_seconds{kind="crawl"} 3.5',
      'quarry_queue_age_seconds{kind="batch_scrape"} 0',
      "quarry_webhook_events_waiting 7",
    ])
      expect(text).toContain(line);
    stop();
    await metrics.registry.metrics();
    expect(reads).toBe(2);
  });
});
