import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toMarkdown, toMarkdownBlocks } from "./markdown.ts";
import type { MarkdownOptions } from "./markdown-options.ts";

const write = (html: string, options: MarkdownOptions = {}): string =>
  toMarkdown(parseHtml(html), { base: "https://site.example/", ...options });

const LINKED = `<p>See <a href="/tides" title="Of the sea">the tides</a>, <a href="/moon">the moon</a>
  and <a href="/tides" title="Of the sea">tides again</a> [1].</p>`;

describe("Markdown options", () => {
  it("writes each target of reference links once, at the end", () => {
    expect(write(LINKED, { links: "reference", linkTitles: false })).toBe(
      "See [the tides][link:1], [the moon][link:2] and [tides again][link:1] [1].\n\n[link:1]: https://site.example/tides\n[link:2]: https://site.example/moon",
    );
    expect(write(LINKED, { links: "reference" })).toContain(
      '[link:1]: https://site.example/tides "Of the sea"',
    );
  });

  it("keeps the text of links without their targets", () => {
    expect(write(LINKED, { links: "text" })).toBe("See the tides, the moon and tides again [1].");
    const named = `<a href="/cart" aria-label="Cart"><svg></svg></a>`;
    expect(write(named, { links: "text" })).toBe("Cart");
  });

  it("leaves out links with their text, but keeps the words of headings and linked blocks", () => {
    expect(write(LINKED, { links: "none" })).not.toMatch(/tides|moon/);
    expect(write(`<h2><a href="/a">Harbours</a></h2>`, { links: "none" })).toBe("## Harbours");
    const list = `<p>See</p><ul><li><a href="/a">one</a></li><li><a href="/b">two</a>, large<ul><li><a href="/c">x</a></li></ul></li></ul>`;
    expect(write(list, { links: "none" })).toBe("See\n\n- , large");
    const menu = `<p>See</p><ul><li><a href="/a">one</a><ul><li><a href="/b">two</a></li></ul></li></ul><p>End</p>`;
    expect(write(menu, { links: "none" })).toBe("See\n\nEnd");
    expect(write(`<a href="/a"><h3>Piers</h3><p>Of wood.</p></a>`, { links: "none" })).toBe(
      "### Piers\n\nOf wood.",
    );
  });

  it("keeps only the descriptions of images, or leaves images out", () => {
    const html = `<p>Before<img src="a.png" alt="a *red* boat">after</p><p><img src="b.png"></p>`;
    expect(write(html, { images: "alt" })).toBe("Before a \\*red\\* boat after");
    const close = `<p>See <img src="/a" alt="Red boat">, glued<img src="/b" alt="Third">words and <img src="/c" alt="pier">.</p>`;
    expect(write(close, { images: "alt" })).toBe("See Red boat, glued Third words and pier.");
    expect(write(html, { images: "none" })).toBe("Beforeafter");
  });

  it("leaves out titles of links and images", () => {
    const html = `<p><a href="/a" title="More">one</a> <img src="/b.png" alt="two" title="More"></p>`;
    expect(write(html)).toContain('"More"');
    expect(write(html, { linkTitles: false })).toBe(
      "[one](https://site.example/a) ![two](https://site.example/b.png)",
    );
  });

  it("moves all headings with the first one, between levels 1 and 6", () => {
    const html = "<h3>a</h3><h4>b</h4><h1>c</h1><h6>d</h6>";
    expect(write(html, { firstHeadingLevel: 2 })).toBe("## a\n\n### b\n\n# c\n\n##### d");
    expect(write(html, { firstHeadingLevel: 6 })).toBe(
      "###### a\n\n###### b\n\n#### c\n\n###### d",
    );
  });

  it("writes the ids of headings, of their anchors and of the sections that they start", () => {
    const html = `<h1 id="top">a</h1>
      <h2><a name="inner"></a>b</h2>
      <a id="before"></a><h2>c</h2>
      <section id="whole"><div><h2>d</h2><p>text</p><h3>e</h3></div></section>
      <section id="spaced"><span id="old"></span><h2>f<a class="headerlink" href="#new">¶</a></h2></section>
      <section id="part"><div></div><h2>g</h2></section>
      <h2 id="two words">h</h2>`;
    expect(write(html, { anchors: "written" })).toBe(
      "# a {#top}\n\n## b {#inner}\n\n## c {#before}\n\n## d {#whole}\n\ntext\n\n### e\n\n## f {#new}\n\n## g {#part}\n\n## h",
    );
  });
});

describe("toMarkdownBlocks", () => {
  it("returns the top-level blocks, which joined by empty lines are the whole Markdown", () => {
    const html = `<h2 id=x>A <code>b</code></h2><ul><li>one<p>two</p><li><h3>in</h3></ul><dl><dt>t<dd>d<dt>u<dd>e</dl>
      <pre>x\n\n  y\n</pre><blockquote><h4>q</h4><p>p</blockquote><table><tr><th>h<tr><td>c</table><p>end`;
    const blocks = toMarkdownBlocks(parseHtml(html), { anchors: "known" });
    expect(blocks.map(({ text }) => text).join("\n\n")).toBe(write(html));
    expect(blocks.map(({ kind }) => kind)).toContain("table");
    expect(blocks.flatMap(({ heading }) => heading ?? [])).toEqual([
      { level: 2, text: "A b", anchor: "x" },
    ]);
  });
});
