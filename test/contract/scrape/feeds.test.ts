// Feeds of list pages, and feeds and sitemaps of crawls.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NotFoundError } from "../../../client/errors.ts";
import { parseFeed } from "../../../src/feeds/read-feed.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

let base: string;
let service: Service;

const POSTS = [
  ["pier", "The old pier reopens", "2026-03-04T09:00:00Z"],
  ["tide", "Spring tide & warning", "2026-03-06"],
  ["ferry", "Ferry fares rise", "2026-02-11"],
] as const;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const path = request.url ?? "/";
    const post = POSTS.find(([slug]) => path === `/${slug}?a=1&b=2`);
    if (path === "/feed.xml") {
      response.writeHead(200, { "content-type": "application/rss+xml" });
      response.end(
        `<rss version="2.0"><channel><title>Tides</title><link>${base}/</link><item><title>High water</title><link>/high</link><pubDate>Wed, 04 Mar 2026 09:00:00 GMT</pubDate><description>&lt;p&gt;At nine.&lt;/p&gt;&lt;p&gt;Bring boots.&lt;/p&gt;</description></item></channel></rss>`,
      );
      return;
    }
    response.writeHead(path === "/gone" ? 404 : 200, { "content-type": "text/html" });
    if (post !== undefined) {
      const [, title, date] = post;
      response.end(
        `<title>${title}</title><meta name="description" content="About: ${title}"><meta property="article:published_time" content="${date}"><main><h1>${title}</h1><p>${"The harbour office announces what changes for walkers and boats. ".repeat(5)}</p></main>`,
      );
      return;
    }
    response.end(
      `<html lang="en"><title>Harbour news</title><main><h1>News</h1>${POSTS.map(([slug, title, date]) => `<article><h2><a href="/${slug}?a=1&amp;b=2">${title}</a></h2><time datetime="${date}">then</time><p>What there is to know about ${slug} in a sentence.</p></article>`).join("")}<a href="/gone">x</a></main></html>`,
    );
  }));
  service = await shareService();
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

const toUrl = (slug: string): string => `${base}/${slug}?a=1&b=2`;

describe.skipIf(isRemote)("feeds", () => {
  it("the format feed returns the entries of a list page with title, date and summary", async () => {
    const { feed, warning } = await service.client.scrape(`${base}/`, { formats: ["feed"] });
    expect(warning ?? undefined).toBeUndefined();
    expect(feed).toEqual({
      title: "News",
      url: `${base}/`,
      language: "en",
      items: POSTS.map(([slug, title, date]) => ({
        url: toUrl(slug),
        title,
        date,
        summary: `What there is to know about ${slug} in a sentence.`,
      })),
    });
  });

  it("the format feed reads a page that is a feed", async () => {
    const { feed } = await service.client.scrape(`${base}/feed.xml`, { formats: ["feed"] });
    expect(feed).toMatchObject({
      title: "Tides",
      items: [
        {
          url: `${base}/high`,
          title: "High water",
          date: "2026-03-04T09:00:00Z",
          summary: "At nine. Bring boots.",
        },
      ],
    });
  });

  it("the format feed is missing with a warning on a page without a list", async () => {
    const document = await service.client.scrape(toUrl("pier"), { formats: ["feed"] });
    expect(document.feed).toBeUndefined();
    expect(document.warning).toContain("no list of at least three entries");
  });

  it("a crawl's pages are a feed, newest first, and a sitemap with dates", async () => {
    const job = await service.client.startCrawl(`${base}/`, { limit: 10, sitemap: "skip" });
    await job.wait();
    const atom = parseFeed(await job.feed("atom"), "application/atom+xml");
    expect(atom?.title).toBe("News");
    expect(atom?.items.map(({ link }) => link)).toEqual([
      toUrl("tide"),
      toUrl("pier"),
      toUrl("ferry"),
    ]);
    const two = JSON.parse(await job.feed("json", { limit: 2 })) as {
      items: { title: string; summary: string }[];
    };
    expect(two.items.map(({ title, summary }) => [title, summary])).toEqual([
      ["Spring tide & warning", "About: Spring tide & warning"],
      ["The old pier reopens", "About: The old pier reopens"],
    ]);
    let sitemap = "";
    for await (const part of job.sitemap()) sitemap += part;
    expect(sitemap).toContain(
      `<url><loc>${base}/pier?a=1&amp;b=2</loc><lastmod>2026-03-04T09:00:00Z</lastmod></url>`,
    );
    expect(sitemap.match(/<loc>/g)).toHaveLength(4);
    expect(sitemap).not.toContain("/gone");
    await expect(
      (async () => {
        for await (const _ of job.sitemap({ part: 2 }));
      })(),
    ).rejects.toThrow("This sitemap has 1 parts, but no part 2.");
  }, 60_000);

  it("the feed and the sitemap of an unknown job answer 404", async () => {
    const job = service.client.crawlJob("0199f0c1-0000-7000-8000-000000000000");
    await expect(job.feed()).rejects.toBeInstanceOf(NotFoundError);
    await expect(job.sitemap().next()).rejects.toBeInstanceOf(NotFoundError);
  });
});
