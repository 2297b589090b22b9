import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toHtml } from "../parse/serialize.ts";
import { readText } from "../parse/tree.ts";
import { findByModel } from "../../../test/find-by-model.ts";

const buildParagraph = (topic: string): string =>
  `<p>${topic} was discussed at length by the committee, which met on Tuesday, and several members asked for a second reading before the vote could take place in the spring.</p>`;

const PAGE = `<html><body>
<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a></li></ul></nav>
<main><article class="post-content"><h1>The budget passed</h1>
${buildParagraph("The budget")}<figure><img src="/vote.jpg" alt="The vote"><figcaption>The vote on Tuesday.</figcaption></figure>
${buildParagraph("The new bridge")}
<h2>What it costs</h2>
${buildParagraph("The cost of the bridge")}
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2024</td><td>1</td></tr><tr><td>2025</td><td></td></tr></table>
<pre><code>first line
second line
third line</code></pre>
${buildParagraph("The school")}</article></main>
<aside class="sidebar related"><h3>Related stories</h3><ul><li><a href="/a">Ten things to know</a></li><li><a href="/b">What comes next</a></li></ul></aside>
<footer class="site-footer"><p>Copyright 2025. All rights reserved. <a href="/privacy">Privacy</a></p></footer>
<script>window.secretScript = 1</script></body></html>`;

function reduce(html: string): { text: string; html: string } & ReturnType<typeof findByModel> {
  const root = parseHtml(html);
  const url = "https://example.com/news/the-budget-passed";
  const found = findByModel(root, { url, explain: true });
  return { ...found, html: toHtml(root), text: readText(root).replaceAll(/\s+/g, " ").trim() };
}

describe("findMainContent", () => {
  it("keeps the article and drops everything around it", () => {
    const { text, level } = reduce(PAGE);
    expect(level).toBe("model");
    for (const kept of ["The budget passed", "The new bridge", "What it costs", "The school"])
      expect(text).toContain(kept);
    for (const dropped of ["About us", "Ten things", "Privacy"])
      expect(text).not.toContain(dropped);
  });

  it("keeps images between kept text, whole tables and whole code blocks", () => {
    const { html } = reduce(PAGE);
    expect(html).toContain("/vote.jpg");
    expect(html.match(/<t[hd]>/g)).toHaveLength(6);
    expect(html).toContain("first line\nsecond line\nthird line");
  });

  it("reports every removed part with step, path and sample", () => {
    const { removals } = reduce(PAGE);
    expect(removals.map(({ path }) => path).join("\n")).toMatch(/nav\.menu/);
    for (const removal of removals) {
      expect(removal.step).toBe("main-content");
      expect(removal.sample.length).toBeLessThanOrEqual(80);
      expect(removal.words).toBeGreaterThan(0);
    }
  });

  it("keeps paragraphs that differ only in a number", () => {
    const rows = Array.from(
      { length: 200 },
      (_, index) =>
        `<p>Paragraph ${index} has several words in a sentence that goes on, as sentences do.</p>`,
    );
    const { keptWords, words } = reduce(`<main><h1>Paragraphs</h1>${rows.join("")}</main>`);
    expect(keptWords / words).toBeGreaterThan(0.95);
  });

  it("returns the same result each time for one page", () => {
    expect(reduce(PAGE)).toEqual(reduce(PAGE));
  });

  it("never returns the text of scripts", () => {
    expect(reduce(PAGE).text).not.toContain("secretScript");
  });

  it.each([
    "hello",
    "<nav><a href='/'>Home</a></nav>",
    "<footer>Imprint</footer>",
    "<ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul>",
    "<div hidden>nothing to see</div>",
    "<table><tr><td>x</td></tr></table>",
  ])("keeps some text of %s", (html) => {
    expect(reduce(html).text).not.toBe("");
  });

  it.each(["", "<html></html>", "<img src=a.png>", "<script>x()</script>"])(
    "returns a page without text as a whole: %s",
    (html) => {
      expect(reduce(html)).toMatchObject({ level: "whole-page", removals: [] });
    },
  );

  it("handles 100,000 nested elements", () => {
    const { text } = reduce(`${"<div>".repeat(100_000)}deep text${"</div>".repeat(100_000)}`);
    expect(text).toBe("deep text");
  });
});
