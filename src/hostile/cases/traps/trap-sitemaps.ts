// Sitemap indexes that list themselves, a sitemap of a million URLs with entities, and one that is
// a gzip bomb.
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { endlessSite } from "../../families/crawl-trap.ts";
import { reportBroke, reportHeld, type HostileCase } from "../../hostile-case.ts";
import { describeReply } from "../../target.ts";

export const trapSitemaps: HostileCase = {
  ...endlessSite,
  name: "trap-sitemaps",
  attack:
    "A sitemap index holds itself and thousands of others; one is a bomb, one has a million addresses.",
  promise: "The map is answered in time.",
  needs: ["map"],
  async run({ target, site, isSmall }) {
    let requests = 0;
    // Sent in pieces: one write would block this process.
    const bomb = await promisify(gzip)(Buffer.alloc((isSmall ? 40 : 600) * 1_048_576, " "), {
      level: 1,
    });
    const buildIndex = (links: readonly string[]): string =>
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
      response.end(
        buildIndex(Array.from({ length: 1_000 }, () => `${maps.url}${Math.random()}.xml`)),
      );
    });
    site.serveExact("/robots.txt", (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end(`User-agent: *\nAllow: /\nSitemap: ${site.origin}/sitemap.xml\n`);
    });
    site.serveExact("/sitemap.xml", (_request, response) => {
      requests += 1;
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(
        buildIndex([
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
    if (reply.status === 0)
      return reportBroke(`${describeReply(reply)} after ${requests} sitemaps`);
    if (requests === 0) return reportBroke(`no sitemap was asked for: ${describeReply(reply)}`);
    return reportHeld(`${describeReply(reply)} after ${requests} sitemaps`);
  },
};
