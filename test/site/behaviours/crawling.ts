import { gzipSync } from "node:zlib";
import { type Behaviour, queryNumber } from "../behaviour.ts";
import { htmlPage } from "../html-page.ts";

const LIST_PAGES = 5;

const urlSet = (addresses: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((address) => `<url><loc>${address}</loc><lastmod>2024-05-14</lastmod></url>`).join("")}</urlset>`;

/** Input for crawlers: robots.txt, sitemaps, paginated lists. */
export const crawling: readonly Behaviour[] = [
  {
    path: "/robots.txt",
    about: "rules for robots",
    answer: ({ origin, respond }) =>
      respond({
        type: "text/plain",
        body: `User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 0\n\nUser-agent: BadBot\nDisallow: /\n\nSitemap: ${origin}/sitemap.xml\n`,
      }),
  },
  {
    path: "/private/*",
    about: "what robots.txt forbids, except /private/open",
    answer: ({ respond }) =>
      respond({
        body: htmlPage({
          title: "Private",
          body: "<h1>Private</h1><p>Robots were asked to stay out of here.</p>",
        }),
      }),
  },
  {
    path: "/sitemap.xml",
    about: "a sitemap index: a plain part, a packed part, and itself",
    answer: ({ origin, respond }) =>
      respond({
        type: "application/xml",
        body: `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["/sitemaps/plain.xml", "/sitemaps/packed.xml.gz", "/sitemap.xml", "/sitemaps/missing.xml"].map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join("")}</sitemapindex>`,
      }),
  },
  {
    path: "/sitemaps/plain.xml",
    about: "addresses, one of them foreign",
    answer: ({ origin, respond }) =>
      respond({
        type: "application/xml",
        body: urlSet([
          `${origin}/article`,
          `${origin}/documentation`,
          `${origin}/list?page=1&amp;order=new`,
          "https://elsewhere.example/page",
        ]),
      }),
  },
  {
    path: "/sitemaps/packed.xml.gz",
    about: "twenty addresses in a gzip file",
    answer: ({ origin, respond }) =>
      respond({
        type: "application/x-gzip",
        body: gzipSync(
          urlSet(Array.from({ length: 20 }, (_, index) => `${origin}/articles/${index + 1}`)),
        ),
      }),
  },
  {
    path: "/sitemaps/*",
    about: "no such sitemap",
    answer: ({ respond }) => respond({ status: 404, type: "text/plain", body: "No such sitemap" }),
  },
  {
    path: "/list",
    about: "an archive of five pages tied by rel=next",
    answer: (exchange) => {
      const page = Math.max(1, Math.floor(queryNumber(exchange, "page", 1, LIST_PAGES)));
      const items = Array.from({ length: 10 }, (_, index) => (page - 1) * 10 + index + 1);
      const next = page < LIST_PAGES ? `<a rel="next" href="/list?page=${page + 1}">Older</a>` : "";
      const previous = page > 1 ? `<a rel="prev" href="/list?page=${page - 1}">Newer</a>` : "";
      const head = page < LIST_PAGES ? `<link rel="next" href="/list?page=${page + 1}">` : "";
      const list = items
        .map((number) => `<li><a href="/articles/${number}">Harbour note ${number}</a></li>`)
        .join("");
      exchange.respond({
        body: htmlPage({
          title: `Archive, page ${page}`,
          head,
          body: `<h1>Archive, page ${page}</h1><ul>${list}</ul><p>${previous} ${next}</p>`,
        }),
      });
    },
  },
  {
    path: "/trap/*",
    about: "a calendar without end",
    answer: ({ path, respond }) => {
      const day = Number(path.slice("/trap/".length)) || 0;
      respond({
        body: htmlPage({
          title: `Day ${day}`,
          body: `<h1>Day ${day}</h1><p><a href="/trap/${day + 1}">Tomorrow</a> <a href="/trap/${day - 1}">Yesterday</a></p>`,
        }),
      });
    },
  },
];
