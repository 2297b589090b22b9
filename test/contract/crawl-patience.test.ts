// Crawls of sites that ask for patience.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCrawls, crawl, openCrawls, page, pathsOf, service, type Answer } from "../crawls.ts";
import { openSite } from "../http-fetching.ts";
import { isRemote } from "../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

const NAMES = Array.from({ length: 8 }, (_, index) => `page-${index}`);

/** A site that notes when it was asked for a page, and answers with `answer` instead where that says so. */
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

describe.skipIf(isRemote)("a crawl of a loopback site that asks for patience", () => {
  it.each([429, 503])("waits as long as a %i says, then brings every page", async (status) => {
    let restUntil = 0;
    let tooEarly = 0;
    const { base } = await openImpatient((asked) => {
      const now = asked.at(-1) ?? 0;
      // Pages that were under way with the first one are told the same.
      if (restUntil === 0) restUntil = now + 1_000;
      else if (now < restUntil && asked.length > NAMES.length) tooEarly += 1;
      return now < restUntil ? later(status, { "retry-after": "1" }) : undefined;
    });
    const job = await crawl(`${base}/`);
    expect(pathsOf(job)).toEqual(["/", ...NAMES.map((name) => `/${name}`)].toSorted());
    expect(tooEarly).toBe(0);
    expect(Date.now()).toBeGreaterThan(restUntil);
  });

  it("gets every page of a site that serves one page in a while", async () => {
    let free = 0;
    const { base } = await openImpatient((asked) => {
      const now = asked.at(-1) ?? 0;
      if (now < free) return later(429, {});
      free = now + 100;
      return undefined;
    });
    const job = await crawl(`${base}/`);
    expect(pathsOf(job)).toHaveLength(NAMES.length + 1);
  });

  it("gives up a page that is always put off after pauses, and says how many", async () => {
    const { base, asked } = await openImpatient(() => later(503, {}), ["closed"]);
    const job = await crawl(`${base}/`);
    const { errors } = await service.client.crawlJob(job.id ?? "").errors();
    const [error] = errors;
    expect(error).toMatchObject({ code: "SCRAPE_RETRY_LIMIT" });
    expect(error?.error).toMatch(/answered 503 to each of 3 tries within [\d.]+ s/);
    const [first = 0, second = 0, third = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(990);
    expect(third - second).toBeGreaterThanOrEqual(1_990);
  });
});
