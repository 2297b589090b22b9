// Crawls of sites that ask to retry later.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  closeCrawls,
  crawl,
  openCrawls,
  page,
  listPaths,
  service,
  type Answer,
} from "../../crawls.ts";
import { openSite } from "../../http-fetching.ts";
import { isRemote, startService } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

const NAMES = Array.from({ length: 8 }, (_, index) => `page-${index}`);

/** A site that records requests and answers with `answer` if it returns something. */
async function openImpatient(
  answer: (asked: readonly number[]) => Answer | undefined,
  names = NAMES,
) {
  const asked: number[] = [];
  const { base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    if (path === "/robots.txt") return void response.writeHead(404).end();
    if (path === "/") return page("start", names)(request, response);
    asked.push(Date.now());
    (answer(asked) ?? page(path))(request, response);
  });
  return { base, asked };
}

const later =
  (status: number, headers: Record<string, string>): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end("later");

/** A block page, which a browser might not get. */
const blocked: Answer = (_request, response) => {
  response.writeHead(429, { "content-type": "text/html", "retry-after": "0" });
  response.end("<title>Access denied</title><p>Your address is on our list.</p>");
};

describe.skipIf(isRemote)("crawl of a loopback site that throttles", () => {
  it.each([429, 503])("waits as long as a %i asks, then fetches every page", async (status) => {
    let restUntil = 0;
    let tooEarly = 0;
    const { base } = await openImpatient((asked) => {
      const now = asked.at(-1) ?? 0;
      // Pages already in flight get the same answer.
      if (restUntil === 0) restUntil = now + 1_000;
      else if (now < restUntil && asked.length > NAMES.length) tooEarly += 1;
      return now < restUntil ? later(status, { "retry-after": "1" }) : undefined;
    });
    const job = await crawl(`${base}/`);
    expect(listPaths(job)).toEqual(["/", ...NAMES.map((name) => `/${name}`)].toSorted());
    expect(tooEarly).toBe(0);
    expect(Date.now()).toBeGreaterThan(restUntil);
  });

  it("fetches every page of a site that serves one page at a time", async () => {
    let free = 0;
    const { base } = await openImpatient((asked) => {
      const now = asked.at(-1) ?? 0;
      if (now < free) return later(429, {});
      free = now + 100;
      return undefined;
    });
    const job = await crawl(`${base}/`);
    expect(listPaths(job)).toHaveLength(NAMES.length + 1);
  });

  it("loses no page when all are postponed longer than the attempts of one", async () => {
    let closedUntil = 0;
    const { base } = await openImpatient((asked) => {
      const now = asked.at(-1) ?? 0;
      if (closedUntil === 0) closedUntil = now + 3_500;
      return now < closedUntil ? later(503, {}) : undefined;
    });
    const job = await crawl(`${base}/`);
    expect(listPaths(job)).toHaveLength(NAMES.length + 1);
  });

  it("gives up a host that serves nothing and reports it", async () => {
    const own = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      crawlPatienceSeconds: 2,
    });
    onTestFinished(() => own.close());
    const names = Array.from({ length: 300 }, (_, index) => `page-${index}`);
    const { base, asked } = await openImpatient(() => later(503, {}), names);
    const { host } = new URL(base);
    const job = await own.client.crawl(`${base}/`, { sitemap: "skip", maxConcurrency: 20 });
    expect(job).toMatchObject({ status: "completed", completed: 1 });
    expect(job.warning).toContain(`${host} was given up`);
    const { errors } = await own.client.crawlJob(job.id ?? "").errors();
    expect(errors).toHaveLength(names.length);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["SCRAPE_RETRY_LIMIT"]));
    expect(errors.at(-1)?.error).toMatch(
      new RegExp(String.raw`^${host} served none of \d+ requests .* within \d+ s and was given up`),
    );
    // One by one it would be three times the number of pages.
    expect(asked.length).toBeLessThan(names.length / 2);
    const { sums } = await own.client.crawlJob(job.id ?? "").ledger({ limit: 1 });
    expect(sums).toEqual({ fetched: 1, error: names.length });
    // The next crawl asks again.
    const again = await own.client.crawl(`${base}/`, { sitemap: "skip", limit: 1 });
    expect(again).toMatchObject({ status: "completed", completed: 1 });
  });

  it("gives up a page that is always postponed after pauses and reports how often", async () => {
    const { base, asked } = await openImpatient(() => later(503, {}), ["closed"]);
    const job = await crawl(`${base}/`);
    const { errors } = await service.client.crawlJob(job.id ?? "").errors();
    const [error] = errors;
    expect(error).toMatchObject({ code: "SCRAPE_RETRY_LIMIT" });
    expect(error?.error).toMatch(/answered 503 to each of 3 requests within [\d.]+ s/);
    expect(asked).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(1_990);
  });

  it.each<[string, Answer, number]>([
    ["says that it is too early", later(429, { "retry-after": "0" }), 6],
    ["is blocked, and is opened in a browser once", blocked, 7],
  ])("gives up a page that %s by the number of its requests", async (_how, answer, requests) => {
    const { base, asked } = await openImpatient(() => answer, ["closed"]);
    const job = await crawl(`${base}/`);
    const { entries } = await service.client.crawlJob(job.id ?? "").ledger({ fate: "error" });
    expect(entries[0]?.reason).toMatch(
      new RegExp(`answered 429 to each of ${requests} requests within`),
    );
    expect(asked).toHaveLength(requests);
  });

  it.each<[string, Answer]>([
    ["asks for long pauses", later(429, { "retry-after": "60" })],
    ["does not answer", () => undefined],
  ])("fetches pages of other hosts long before those of a host that %s", async (_how, answer) => {
    const bad = await openImpatient(() => answer);
    const good = await openImpatient(() => undefined);
    const urls = (base: string, count: number): string[] =>
      Array.from({ length: count }, (_, index) => `${base}/page-${index}`);
    const options = { maxConcurrency: 4, timeout: 3_000 };
    const { job } = await service.client.startBatch(
      [...urls(bad.base, 600), ...urls(good.base, 40)],
      options,
    );
    onTestFinished(() => job.cancel().then(() => undefined));
    const completed = async () => (await job.status({ limit: 1 })).completed;
    await expect.poll(completed, { timeout: 100_000 }).toBe(40);
    expect(good.asked).toHaveLength(40);
    expect(bad.asked.length).toBeLessThan(20);
  });
});
