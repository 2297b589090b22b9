// Endless sites: calendars, session ids, growing links, recursive sitemaps. Passes if the job ends
// at its limit without many more requests.
import { gzipSync } from "node:zlib";
import { broke, held, type CaseContext, type Finding, type HostileCase } from "../hostile-case.ts";
import type { Handle } from "../hostile-site.ts";
import { describeReply } from "../target.ts";
import { waitForJob } from "../wait-for-job.ts";

const LIMIT = 15;

async function crawl({ target, site, signal }: CaseContext, handle: Handle): Promise<Finding> {
  const page = site.serve("trap", handle);
  const begun = await target.post(
    "/v2/crawl",
    { url: page.url, limit: LIMIT, sitemap: "skip" },
    20_000,
  );
  if (typeof begun.body["id"] !== "string") return broke(`no crawl began: ${describeReply(begun)}`);
  const ended = await waitForJob(target, `/v2/crawl/${begun.body["id"]}`, {
    timeoutMs: 60_000,
    signal,
  });
  if (ended === undefined)
    return broke(`the crawl did not end; the site was asked ${page.requests()} times`);
  if (page.requests() > LIMIT * 3)
    return broke(`${page.requests()} requests for a limit of ${LIMIT} pages`);
  if (page.requests() === 0) return broke("the site was never asked");
  return held(
    `the crawl ended as ${String(ended.body["status"])} after ${page.requests()} requests for a limit of ${LIMIT} pages`,
  );
}

const html = (links: readonly string[]): string =>
  `<!doctype html><title>Trap</title><main><p>Page ${Math.random()} with words that differ.</p>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main>`;

const respond =
  (links: (path: string) => readonly string[]): Handle =>
  (request, response) =>
    void response
      .writeHead(200, { "content-type": "text/html" })
      .end(html(links(request.url ?? "/")));

const common = {
  promise: "The job ends by its limit, and the site is not asked for much more.",
  severity: "medium",
  needs: ["crawl"],
  budgetMs: 90_000,
} as const;

export const crawlTraps: readonly HostileCase[] = [
  {
    ...common,
    name: "trap-calendar",
    attack: "A calendar links to the next month without end.",
    run: (context) =>
      crawl(
        context,
        respond((path) => {
          const month = Number(/month=(\d+)/.exec(path)?.[1] ?? 0);
          return [1, 2, 3].map((step) => `?month=${month + step}`);
        }),
      ),
  },
  {
    ...common,
    name: "trap-sessions",
    attack: "Every link carries a new session id.",
    run: (context) =>
      crawl(
        context,
        respond(() =>
          Array.from({ length: 20 }, () => `?sid=${Math.random().toString(36).slice(2)}`),
        ),
      ),
  },
  {
    ...common,
    name: "trap-growing-paths",
    attack: "Every page links below itself, so that paths grow without end.",
    run: (context) =>
      crawl(
        context,
        respond((path) => (path.length > 4_000 ? [] : ["a/", "b/", "a/b/a/b/"])),
      ),
  },
  {
    ...common,
    name: "trap-sitemaps",
    attack:
      "A sitemap index holds itself and thousands of others; one is a bomb, one has a million addresses.",
    promise: "The map is answered in time.",
    needs: ["map"],
    async run({ target, site, isSmall }) {
      let requests = 0;
      const bomb = gzipSync(Buffer.alloc((isSmall ? 40 : 600) * 1_048_576, " "));
      const index = (links: readonly string[]): string =>
        `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${links.map((link) => `<sitemap><loc>${link}</loc></sitemap>`).join("")}</sitemapindex>`;
      const maps = site.serve("maps", (request, response) => {
        requests += 1;
        if (request.url?.endsWith("bomb.xml.gz") === true) {
          response.writeHead(200, { "content-type": "application/gzip" }).end(bomb);
          return;
        }
        if (request.url?.endsWith("many.xml") === true) {
          const count = isSmall ? 10_000 : 1_000_000;
          const urls = Array.from(
            { length: count },
            (_, place) => `<url><loc>${site.origin}/m/${place}</loc></url>`,
          );
          response.writeHead(200, { "content-type": "application/xml" });
          response.end(
            `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join("")}</urlset>`,
          );
          return;
        }
        response.writeHead(200, { "content-type": "application/xml" });
        response.end(index(Array.from({ length: 1_000 }, () => `${maps.url}${Math.random()}.xml`)));
      });
      site.serveExact("/robots.txt", (_request, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        response.end(`User-agent: *\nAllow: /\nSitemap: ${site.origin}/sitemap.xml\n`);
      });
      site.serveExact("/sitemap.xml", (_request, response) => {
        requests += 1;
        response.writeHead(200, { "content-type": "application/xml" });
        response.end(
          index([
            `${site.origin}/sitemap.xml`,
            `${maps.url}bomb.xml.gz`,
            `${maps.url}many.xml`,
            `${maps.url}index.xml`,
          ]),
        );
      });
      const reply = await target.post(
        "/v2/map",
        { url: site.origin, limit: 100, timeout: isSmall ? 6_000 : 30_000 },
        45_000,
      );
      if (reply.status === 0) return broke(`${describeReply(reply)} after ${requests} sitemaps`);
      if (requests === 0) return broke(`no sitemap was asked for: ${describeReply(reply)}`);
      return held(`${describeReply(reply)} after ${requests} sitemaps`);
    },
  },
];
