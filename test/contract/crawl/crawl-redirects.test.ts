// Redirects of crawled pages are checked against scope and robots.txt before anything is sent.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  closeCrawls,
  crawl,
  openCrawls,
  page,
  redirect,
  service,
  type Answer,
} from "../../crawls.ts";
import { openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

/** A site that records its requests. */
async function openPlaces(pages: (base: string) => Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const { base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    asked.push(`${request.headers.host?.replace(/:.*/, "") ?? ""}${path}`);
    const answer = pages(base)[path];
    if (answer === undefined) response.writeHead(404, { "content-type": "text/plain" }).end("no");
    else answer(request, response);
  });
  return { base, asked };
}

const robots =
  (text: string): Answer =>
  (_request, response) =>
    void response.writeHead(200, { "content-type": "text/plain" }).end(text);
const refresh = (to: string): Answer =>
  page("moved", [], `<meta http-equiv="refresh" content="0; url=${to}">`);

async function ledger(id: string | undefined) {
  const found: Record<string, { fate: string; reason: string | undefined }> = {};
  for await (const { url, fate, reason } of service.client.crawlJob(id ?? "").ledgerEntries())
    found[new URL(url).pathname] = { fate, reason };
  return found;
}

describe.skipIf(isRemote)("redirects in a crawl", () => {
  it("does not follow a redirect out of scope or blocked by robots.txt and records why", async () => {
    const { base, asked } = await openPlaces((here) => {
      const other = here.replace("127.0.0.1", "localhost");
      return {
        "/robots.txt": robots("User-agent: *\nDisallow: /private"),
        "/": page("start", ["out", "twice", "in", "sent", "hidden"]),
        "/out": redirect(`${other}/out-there`),
        "/twice": redirect("/out"),
        "/sent": refresh(`${other}/sent-there`),
        "/hidden": redirect("/private/page"),
        "/in": redirect("/inside"),
        "/inside": page("inside"),
        "/private/page": page("private"),
        "/out-there": page("there"),
        "/sent-there": page("there"),
      };
    });
    const job = await crawl(`${base}/`);
    expect(job.documents).toHaveLength(2);
    const found = await ledger(job.id);
    for (const path of ["/out", "/twice", "/sent"]) {
      expect(found[path]?.fate).toBe("scope");
      expect(found[path]?.reason).toMatch(
        /^redirects out of scope to http:\/\/localhost:\d+\/(?:out|sent)-there: localhost:\d+ is another site/,
      );
    }
    expect(found["/hidden"]?.fate).toBe("robots");
    expect(found["/hidden"]?.reason).toMatch(/^redirects to .*\/private\/page: line 2: Disallow/);
    expect(asked.filter((url) => /^localhost|private/.test(url))).toEqual([]);
    expect(asked).toContain("127.0.0.1/inside");
  });

  it("follows the start URL to another host and checks its robots.txt", async () => {
    const { base, asked } = await openPlaces((here) => {
      const other = here.replace("127.0.0.1", "localhost");
      return {
        "/robots.txt": robots("User-agent: *\nDisallow: /closed"),
        "/open": redirect(`${other}/home`),
        "/shut": redirect(`${other}/closed`),
        "/home": page("home"),
        "/closed": page("closed"),
      };
    });
    expect((await crawl(`${base}/open`)).documents).toHaveLength(1);
    const shut = await crawl(`${base}/shut`);
    expect(shut.documents).toHaveLength(0);
    expect((await ledger(shut.id))["/shut"]?.fate).toBe("robots");
    expect(asked).not.toContain("localhost/closed");
    const ignoring = await crawl(`${base}/shut`, { ignoreRobotsTxt: true });
    expect(ignoring.documents).toHaveLength(1);
  });

  it("follows redirects of plain scrapes and batches as usual", async () => {
    const { base } = await openPlaces((here) => ({
      "/out": redirect(`${here.replace("127.0.0.1", "localhost")}/there`),
      "/there": page("there"),
    }));
    const document = await service.client.scrape(`${base}/out`);
    expect(document.markdown).toContain("page called there");
    const { documents } = await service.client.batch([`${base}/out`]);
    expect(documents[0]?.markdown).toContain("page called there");
  });
});
