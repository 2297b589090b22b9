// Server-side request forgery in a crawl: links, robots.txt, sitemaps and a webhook that lead to
// loopback. Passes if the canary is not reached although the site was crawled.
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import { describeReply } from "../../target.ts";
import { waitForJob } from "../../wait-for-job.ts";

export const ssrfCrawl: HostileCase = {
  name: "ssrf-crawl",
  attack:
    "A crawl meets links, sitemaps and robots.txt that lead to loopback; its webhook does, too.",
  promise: "Nothing a crawl finds, and no webhook, is sent to loopback.",
  severity: "critical",
  needs: ["crawl"],
  budgetMs: 120_000,
  async run({ target, site, canary, signal }) {
    site.serveExact("/robots.txt", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end(`User-agent: *\nAllow: /\nSitemap: ${canary.url}/sitemap.xml\n`);
    });
    site.serveExact("/sitemap.xml", (_request, response) => {
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(
        `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${canary.url}/inner.xml</loc></sitemap></sitemapindex>`,
      );
    });
    const start = site.serve(
      "crawl",
      `<h1>Start</h1><p>Words of the start page.</p><a href="${canary.url}/link">in</a><a href="//127.0.0.1:${canary.port}/link">in</a>`,
    );
    const hooked = await target.post(
      "/v2/crawl",
      { url: start.url, limit: 5, allowExternalLinks: true, webhook: `${canary.url}/webhook` },
      20_000,
    );
    const plain = await target.post(
      "/v2/crawl",
      { url: start.url, limit: 5, allowExternalLinks: true },
      20_000,
    );
    for (const { body } of [hooked, plain])
      if (typeof body["id"] === "string")
        await waitForJob(target, `/v2/crawl/${body["id"]}`, { timeoutMs: 60_000, signal });
    const hits = canary.hits();
    if (hits.length > 0)
      return reportBroke(`the canary was reached: ${hits.slice(0, 3).join("; ")}`);
    if (start.requests() === 0)
      return reportBroke(`the crawl never asked for its start page: ${describeReply(plain)}`);
    return reportHeld(`the start page was asked for ${start.requests()} times, the canary was not`);
  },
};
