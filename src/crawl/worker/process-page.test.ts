// Pages that are retried: when this process had no time for them, and when their host postpones
// them.
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  buildBatchWork,
  buildLeased,
  buildPageParts,
  buildPoliteness,
  buildScraped,
} from "../../../test/crawl-work.ts";
import { LimitError, TargetError } from "../../errors.ts";
import type { PageRequest, ScrapedPage } from "../../scrape/page.ts";
import type { FinishedPage } from "../../store/jobs/finish.ts";
import { processPage } from "./process-page.ts";

const URL_TEXT = "http://site.example/page";

/** The answers to a page: requests with these statuses. */
const put = (...statuses: number[]): ScrapedPage => buildScraped(URL_TEXT, { statuses });

const timedOut = ({ deadline }: PageRequest): LimitError =>
  new LimitError(
    "SCRAPE_TIMEOUT",
    `Timed out after ${Math.ceil(deadline.getTimeLeftMs() / 1_000)} s.`,
  );

/** Work of an attempt before it times out. */
const TRIES = {
  queued: async (request: PageRequest): Promise<ScrapedPage> => {
    await request.watch.measure("derive", async () => undefined);
    throw timedOut(request);
  },
  busy: async (request: PageRequest): Promise<ScrapedPage> => {
    const until = performance.now() + 60;
    while (performance.now() < until);
    throw timedOut(request);
  },
  hanging: async (request: PageRequest): Promise<ScrapedPage> => {
    await pause(250);
    throw timedOut(request);
  },
  fine: async (): Promise<ScrapedPage> => buildScraped(URL_TEXT),
  later: async (): Promise<ScrapedPage> => put(429),
  laterTwice: async (): Promise<ScrapedPage> => put(403, 429),
  broken: async (): Promise<ScrapedPage> => {
    throw new TargetError("SCRAPE_SITE_ERROR", "site.example closed the connection.");
  },
};

/**
 * Processes one page of a batch with the named attempts; the first `refused` of them meet a host
 * that refuses all pages. Returns how it ended and the timeout of each attempt.
 */
async function work(
  tries: readonly (keyof typeof TRIES)[],
  refusing = 0,
): Promise<FinishedPage & { readonly timesMs: number[]; readonly fresh: boolean[] }> {
  const timesMs: number[] = [];
  const fresh: boolean[] = [];
  const parts = buildPageParts(
    async (request) => {
      const which = tries[timesMs.length] ?? "fine";
      timesMs.push(request.deadline.getTimeLeftMs());
      fresh.push(request.options.maxAge === 0);
      return await TRIES[which](request);
    },
    { politeness: buildPoliteness({ isRefusing: () => timesMs.length <= refusing }) },
  );
  const page = buildLeased(URL_TEXT, { source: "batch" });
  const { signal } = new AbortController();
  const finished = await processPage(parts, page, buildBatchWork(URL_TEXT, 2_000), signal);
  return { ...finished, timesMs, fresh };
}

describe("page that ran out of time", () => {
  it("retries a page that timed out waiting for conversion, with at least ten seconds", async () => {
    const { outcome, timesMs, fresh } = await work(["queued", "fine"]);
    expect(outcome).toMatchObject({ type: "document", document: { markdown: "here" } });
    expect(timesMs).toHaveLength(2);
    expect(timesMs[0]).toBeLessThanOrEqual(2_000);
    expect(timesMs[1]).toBeGreaterThan(9_000);
    expect(fresh).toEqual([false, true]);
  });

  it("retries a page that timed out while this process was busy", async () => {
    const { outcome, timesMs } = await work(["busy", "fine"]);
    expect(outcome.type).toBe("document");
    expect(timesMs).toHaveLength(2);
  });

  it("fails a page at once when its host was silent", async () => {
    const { outcome, timesMs } = await work(["hanging", "fine"]);
    expect(outcome).toMatchObject({ type: "failed", error: { code: "SCRAPE_TIMEOUT" } });
    expect(timesMs).toHaveLength(1);
  });

  it.each(["busy", "hanging"] as const)(
    "fails a page on its second timeout (%s) and reports the caller's timeout",
    async (second) => {
      const { outcome, timesMs } = await work(["queued", second, "fine"]);
      expect(outcome).toMatchObject({
        type: "failed",
        error: { code: "SCRAPE_TIMEOUT", message: "Timed out after 2 s." },
      });
      expect(timesMs).toHaveLength(2);
    },
  );
});

describe("error of a postponed page that was given up", () => {
  const later = (count: number): "later"[] => Array.from({ length: count }, () => "later" as const);

  it.each([
    ["one a try", later(9), 0, "answered 429 to each of 6 requests", 6],
    [
      "a second one at the first try",
      ["laterTwice", ...later(8)],
      0,
      "answered 403 or 429 to each of 7 requests",
      6,
    ],
    ["tries that were the host's matter", later(9), 2, "answered 429 to each of 8 requests", 8],
    ["one without an answer", ["broken", ...later(8)], 0, "answered 429 to 5 of 6 requests", 6],
  ] as const)(
    "reports the number of requests sent: %s",
    async (_what, tries, refusing, said, count) => {
      const { outcome, timesMs } = await work(tries, refusing);
      expect(outcome).toMatchObject({ type: "failed", error: { code: "SCRAPE_RETRY_LIMIT" } });
      expect(outcome.type === "failed" && outcome.error.message).toMatch(
        new RegExp(`^site\\.example ${said} within [\\d.]+ s\\.$`),
      );
      expect(timesMs).toHaveLength(count);
    },
  );
});
