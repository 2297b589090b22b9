import fc from "fast-check";
import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import type { PageFeed } from "../contract/page/feed.ts";
import { parseFeed } from "./read-feed.ts";
import { writeFeed } from "./write-feed.ts";
import { writeSitemap, writeSitemapIndex } from "./write-sitemap.ts";

const readAt = Date.parse("2026-03-10T12:00:00Z");
const target = { readAt, feedUrl: "https://quarry.test/feed/https://site.test/news" };

const FEED: PageFeed = {
  title: 'News & "views" of the day',
  url: "https://site.test/news?a=1&b=2",
  language: "en",
  items: [
    {
      url: "https://site.test/a?x=1&y=2",
      title: "Ropes & sails: 1 < 2",
      date: "2026-03-04",
      summary: "Tar ]]> and \u0000 <b>oil</b>",
    },
    { url: "https://site.test/b", title: "No date" },
    { url: "https://site.test/c", title: "Evening", date: "2026-03-03T19:30:00+01:00" },
    { url: "https://site.test/d", title: "To come", date: "2026-06-01" },
  ],
};

/** Texts by the name of their element; throws for text that is not well-formed. */
function readStrictly(xml: string): Record<string, string[]> {
  const texts: Record<string, string[]> = {};
  const open: { name: string; text: string }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => open.push({ name, text: "" }));
  parser.on("text", (text) => {
    const last = open.at(-1);
    if (last !== undefined) last.text += text;
  });
  parser.on("closetag", () => {
    const { name, text } = open.pop() ?? { name: "", text: "" };
    (texts[name] ??= []).push(text);
  });
  parser.write(xml).close();
  return texts;
}

const MIME = {
  rss: "application/rss+xml",
  atom: "application/atom+xml",
  json: "application/feed+json",
};

describe("writeFeed", () => {
  it.each(["rss", "atom", "json"] as const)("%s is read back with all entries", (kind) => {
    const text = writeFeed(FEED, kind, target);
    if (kind !== "json") expect(() => readStrictly(text)).not.toThrow();
    const feed = parseFeed(text, MIME[kind]);
    expect(feed).toMatchObject({ kind, title: FEED.title, link: FEED.url });
    expect(feed?.items.map(({ title, link }) => [title, link])).toEqual(
      FEED.items.map(({ title, url }) => [title, url]),
    );
    expect(feed?.items[0]?.date).toBe("2026-03-04T00:00:00Z");
    expect(feed?.items[2]?.date).toBe("2026-03-03T18:30:00Z");
  });

  it("writes no publication date for entries without one or with one to come", () => {
    const { pubDate } = readStrictly(writeFeed(FEED, "rss", target));
    expect(pubDate).toEqual(["Wed, 04 Mar 2026 00:00:00 GMT", "Tue, 03 Mar 2026 18:30:00 GMT"]);
    const atom = writeFeed(FEED, "atom", target);
    expect(atom.match(/<published>/g)).toHaveLength(2);
    // RFC 4287 section 4.1.2 requires a date of every entry.
    expect(atom.match(/<updated>2026-03-10T12:00:00.000Z<\/updated>/g)).toHaveLength(2);
  });

  it("shows markup in summaries as text, because descriptions of RSS are HTML", () => {
    expect(readStrictly(writeFeed(FEED, "rss", target))["description"]?.at(-1)).toBe(
      "Tar ]]&gt; and \uFFFD &lt;b&gt;oil&lt;/b&gt;",
    );
    expect(readStrictly(writeFeed(FEED, "atom", target))["summary"]).toEqual([
      "Tar ]]> and \uFFFD <b>oil</b>",
    ]);
  });

  it("writes the required fields of JSON Feed 1.1", () => {
    expect(JSON.parse(writeFeed(FEED, "json", target))).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      title: FEED.title,
      home_page_url: FEED.url,
      feed_url: target.feedUrl,
      items: FEED.items.map(({ url, title }) => ({
        id: url,
        url,
        title,
        content_text: expect.any(String) as string,
      })),
    });
  });

  it("any text gives well-formed XML with the same texts", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", minLength: 1 }),
        fc.string({ unit: "grapheme" }),
        (title, summary) => {
          const item = { url: "https://site.test/a", title, summary };
          for (const kind of ["rss", "atom"] as const) {
            const text = writeFeed(
              { title, url: "https://site.test/", items: [item] },
              kind,
              target,
            );
            expect(() => readStrictly(text)).not.toThrow();
            expect(parseFeed(text, MIME[kind])?.items).toHaveLength(1);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("writeSitemap", () => {
  const collect = async (
    groups: readonly (readonly { url: string; changed?: string }[])[],
  ): Promise<string> => {
    async function* stream() {
      for (const group of groups) yield group;
    }
    let text = "";
    for await (const part of writeSitemap(stream())) text += part;
    return text;
  };

  it("writes escaped URLs, and dates only in the form that the protocol allows", async () => {
    const text = await collect([
      [
        { url: "https://site.test/?a=1&b='2'", changed: "2026-03-04" },
        { url: "https://site.test/b", changed: "4 March" },
      ],
      [{ url: "https://site.test/c", changed: "2026-03-04T10:00:00+01:00" }],
    ]);
    expect(readStrictly(text)).toMatchObject({
      loc: ["https://site.test/?a=1&b='2'", "https://site.test/b", "https://site.test/c"],
      lastmod: ["2026-03-04", "2026-03-04T10:00:00+01:00"],
    });
  });

  it("writes an index of parts", () => {
    const text = writeSitemapIndex(["https://q.test/s?part=1", "https://q.test/s?part=2"]);
    expect(readStrictly(text)["loc"]).toEqual([
      "https://q.test/s?part=1",
      "https://q.test/s?part=2",
    ]);
  });
});
