// Endless sites. Passes if the job ends at its limit without many more requests.
import {
  reportBroke,
  reportHeld,
  type CaseContext,
  type Finding,
  type HostileCase,
} from "../hostile-case.ts";
import type { Handle } from "../hostile-site.ts";
import { describeReply } from "../target.ts";
import { waitForJob } from "../wait-for-job.ts";

const MAX_CRAWL_PAGES = 15;

/** Crawls a site that `handle` serves with a small limit, and counts its requests. */
export async function runTrapCrawl(
  { target, site, signal }: CaseContext,
  handle: Handle,
): Promise<Finding> {
  const page = site.serve("trap", handle);
  const begun = await target.post(
    "/v2/crawl",
    { url: page.url, limit: MAX_CRAWL_PAGES, sitemap: "skip" },
    20_000,
  );
  if (typeof begun.body["id"] !== "string")
    return reportBroke(`no crawl began: ${describeReply(begun)}`);
  const ended = await waitForJob(target, `/v2/crawl/${begun.body["id"]}`, {
    timeoutMs: 60_000,
    signal,
  });
  if (ended === undefined)
    return reportBroke(`the crawl did not end; the site was asked ${page.requests()} times`);
  if (page.requests() > MAX_CRAWL_PAGES * 3)
    return reportBroke(`${page.requests()} requests for a limit of ${MAX_CRAWL_PAGES} pages`);
  if (page.requests() === 0) return reportBroke("the site was never asked");
  return reportHeld(
    `the crawl ended as ${String(ended.body["status"])} after ${page.requests()} requests for a limit of ${MAX_CRAWL_PAGES} pages`,
  );
}

const buildHtml = (links: readonly string[]): string =>
  `<!doctype html><title>Trap</title><main><p>Page ${Math.random()} with words that differ.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main>`;

/** Answers each path with a page of these links. */
export const respondWithLinks =
  (links: (path: string) => readonly string[]): Handle =>
  (request, response) =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(buildHtml(links(request.url ?? "/")));

/** Common parts of the cases. */
export const endlessSite = {
  promise: "The job ends by its limit, and the site is not asked for much more.",
  severity: "medium",
  needs: ["crawl"],
  budgetMs: 90_000,
} as const satisfies Partial<HostileCase>;
