// Titles and descriptions of pages in sitemaps and feeds.
import { describe, expect, it } from "vitest";
import { readFeedText } from "./feed-text.ts";
import { SitemapReader, type SitemapEntry } from "./sitemap-reader.ts";

function read(...pieces: string[]): SitemapEntry[] {
  const reader = new SitemapReader();
  const parts = pieces.map((piece) => reader.write(piece));
  return [...parts, reader.end()].flatMap(({ pages }) => pages);
}

describe("SitemapReader titles and descriptions", () => {
  it.each<[string, string, [string | undefined, string | undefined]]>([
    [
      "RSS with HTML as text",
      "<rss><channel><description>All</description><item><title> On \n foxes &amp;amp; hares </title><link>/a</link>" +
        "<description>&lt;p&gt;They &lt;b&gt;run&lt;/b&gt;.&lt;/p&gt;&lt;p&gt;Fast.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description></item></channel></rss>",
      ["On foxes & hares", "They run. Fast."],
    ],
    [
      "RSS with CDATA",
      "<rss><channel><item><title><![CDATA[Ours & a < b]]></title><link>/a</link><description><![CDATA[<img src=x> R&amp;D]]></description></item></channel></rss>",
      ["Ours & a < b", "R&D"],
    ],
    [
      "RSS with the whole post and a short text",
      "<rss><channel><item><content:encoded>Long</content:encoded><link>/a</link><description>Short</description></item></channel></rss>",
      [undefined, "Short"],
    ],
    [
      "RSS with the whole post only",
      `<rss><channel><item><content:encoded>${"word ".repeat(900)}</content:encoded><link>/a</link></item></channel></rss>`,
      [undefined, `${"word ".repeat(98)}word…`],
    ],
    [
      "RSS 1.0",
      "<rdf:RDF><item rdf:about='x'><title>A</title><link>/a</link><dc:description>B</dc:description></item></rdf:RDF>",
      ["A", "B"],
    ],
    [
      "Atom with XHTML",
      "<feed><subtitle>All</subtitle><entry><title type='html'>A &lt;i&gt;b&lt;/i&gt;</title><link href='/a'/><author><name>N</name><title>T</title></author>" +
        "<summary type='xhtml'><div><p>One <b>two</b>.</p><p>Three</p></div></summary><content>Whole</content></entry></feed>",
      ["A b", "One two. Three"],
    ],
    [
      "a news sitemap",
      "<urlset><url><loc>/a</loc><news:news><news:publication><news:name>N</news:name></news:publication><news:title>On foxes</news:title></news:news></url></urlset>",
      ["On foxes", undefined],
    ],
    ["an item without words", "<rss><item><link>/a</link></item></rss>", [undefined, undefined]],
  ])("reads titles and descriptions of %s", (_, body, [title, description]) => {
    const expected = [{ address: "/a", title, description }];
    expect(read(body)).toEqual(expected);
    // In one piece and split.
    expect(read(...body.split(/(?<=;)/))).toEqual(expected);
  });

  it("assigns titles and descriptions to their own items", () => {
    const items = ["a", "b"].map(
      (name) => `<item><title>${name}</title><link>/${name}</link></item>`,
    );
    const bare = "<item><link>/c</link></item>";
    expect(read(`<rss>${items.join("")}${bare}</rss>`).map(({ title }) => title)).toEqual([
      "a",
      "b",
      undefined,
    ]);
  });
});

describe("readFeedText", () => {
  it.each([
    ["the <table> element", "the <table> element"],
    ["1 &lt; 2", "1 < 2"],
    ["a<br>b", "a b"],
    ["<style>p{}</style> ", ""],
    [`${"x".repeat(499)}😀`, `${"x".repeat(499)}…`],
  ])("converts to plain text: %s", (written, expected) => {
    expect(readFeedText(written)).toBe(expected);
  });
});
