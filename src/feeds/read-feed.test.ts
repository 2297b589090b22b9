import { describe, expect, it } from "vitest";
import { toMarkdown } from "../html/markdown/markdown.ts";
import { parseHtml } from "../html/parse/parse.ts";
import { readFeed } from "./read-feed.ts";
import { cost } from "../../test/growth.ts";

const markdownOf = (text: string, mimeType = "application/xml"): string => {
  const html = readFeed(text, mimeType);
  return html === undefined
    ? ""
    : toMarkdown(parseHtml(html), { base: "https://a.example/feed", removeBase64Images: true });
};

describe("readFeed", () => {
  it("reads RSS 2.0 with the full content of its items if present", () => {
    const feed = `<?xml version="1.0"?><rss version="2.0" xmlns:content="c"><channel><title>Gazette</title>
      <item><title>A &amp; B</title><link>https://a.example/1?a=1&b=2</link><dc:creator>Ann</dc:creator>
      <pubDate>Tue, 14 May 2024 05:30:00 +0200</pubDate><description>Short.</description>
      <content:encoded><![CDATA[<p>Long, with a <a href="https://a.example/x">link</a>.</p>]]></content:encoded></item>
      <item><description>No title, &lt;b&gt;bold&lt;/b&gt;.</description><guid>https://a.example/2</guid>
      <enclosure url="https://a.example/2.mp3" type="audio/mpeg" length="1"/></item></channel></rss>`;
    expect(markdownOf(feed)).toBe(
      [
        "# Gazette",
        "## [A & B](https://a.example/1?a=1&b=2)",
        "2024-05-14 03:30 UTC · Ann",
        "Long, with a [link](https://a.example/x).",
        "## [https://a.example/2](https://a.example/2)",
        "No title, **bold**.",
        "[audio/mpeg](https://a.example/2.mp3)",
      ].join("\n\n"),
    );
  });

  it("reads Atom with the alternate link, XHTML unchanged and text as text", () => {
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Blatt</title><link rel="self" href="https://a.example/feed"/>
      <link href="https://a.example/"/><entry><title type="html">&lt;i&gt;Eins&lt;/i&gt;</title><link href="https://a.example/1"/>
      <updated>2024-05-14T00:00:00Z</updated><content type="xhtml"><div><p>Ein <em>Satz</em>.</p></div></content></entry>
      <entry><title>Zwei</title><summary>a &lt; b</summary></entry></feed>`;
    expect(markdownOf(feed)).toBe(
      [
        "# [Blatt](https://a.example/)",
        "## [Eins](https://a.example/1)",
        "2024-05-14",
        "Ein *Satz*.",
        "## Zwei",
        "a < b",
      ].join("\n\n"),
    );
    expect(readFeed(feed, "application/atom+xml")).toContain('<html lang="de">');
  });

  it("reads RSS 1.0 and OPML outlines", () => {
    const rdf = `<rdf:RDF><channel><title>Old</title></channel><item><title>One</title><link>https://a.example/1</link></item></rdf:RDF>`;
    expect(markdownOf(rdf)).toBe("# Old\n\n## [One](https://a.example/1)");
    const opml = `<opml><head><title>Reading</title></head><body><outline text="News"><outline text="Gazette" xmlUrl="https://a.example/feed"/></outline></body></opml>`;
    expect(markdownOf(opml)).toBe("# Reading\n\n- News\n  - [Gazette](https://a.example/feed)");
  });

  it("reads JSON Feed only under its own MIME type", () => {
    const feed = JSON.stringify({
      version: "https://jsonfeed.org/version/1.1",
      title: "Gazette",
      items: [
        { id: "1", url: "https://a.example/1", title: "One", content_text: "Two < three\n\nFour" },
        {
          id: "2",
          content_html: "<p>Said</p>",
          attachments: [{ url: "/2.mp3", mime_type: "audio/mpeg" }],
        },
      ],
    });
    expect(markdownOf(feed, "application/feed+json")).toBe(
      "# Gazette\n\n## [One](https://a.example/1)\n\nTwo < three\n\nFour\n\nSaid\n\n[audio/mpeg](https://a.example/2.mp3)",
    );
    expect(readFeed(feed, "application/json")).toBeUndefined();
  });

  it("reads a feed that is labelled as HTML, but not a page about feeds", () => {
    const feed =
      '<?xml version="1.0"?>\n<!-- made -->\n<rss><channel><title>Gazette</title></channel></rss>';
    expect(markdownOf(feed, "text/html")).toBe("# Gazette");
    expect(readFeed("<!doctype html><p>An <rss> feed", "text/html")).toBeUndefined();
    expect(readFeed("<tides><rss/></tides>", "application/xml")).toBeUndefined();
  });

  it("reads a broken feed as far as possible and does not expand its entities", () => {
    const cut = "<rss><channel><title>Gazette</title><item><title>One</title><desc";
    expect(markdownOf(cut)).toBe("# Gazette\n\n## One");
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>`;
    expect(markdownOf(bomb)).not.toContain("aaaa");
    const deep = `<rss><channel><title>Deep</title>${"<x>".repeat(100_000)}`;
    expect(markdownOf(deep)).toBe("# Deep");
  });
});

describe("readFeed cost", () => {
  const item = (inside: string): string => `<rss><channel><item>${inside}</item></channel></rss>`;
  it.each([
    [
      "signs that open no tag",
      (count: number) =>
        `<rss><channel><description>${"&lt;".repeat(count * 3)}</description></channel></rss>`,
    ],
    [
      "tags without an end",
      (count: number) => item(`<description>${"&lt;a".repeat(count * 3)}</description>`),
    ],
    [
      "files",
      (count: number) =>
        item(Array.from({ length: count }, (_, at) => `<media:content url="/${at}"/>`).join("")),
    ],
    [
      "authors",
      (count: number) =>
        item(Array.from({ length: count }, (_, at) => `<author>n${at}</author>`).join("")),
    ],
  ])("reads a feed in linear time: %s", (_, build) => {
    const costOf = (count: number): number => {
      const text = build(count);
      return cost(() => void readFeed(text, "application/rss+xml"));
    };
    costOf(2_000);
    const small = Math.max(costOf(8_000), 20);
    // Eight times the input: linear is 8, quadratic is 64.
    expect(costOf(64_000) / small).toBeLessThan(24);
  });
});
