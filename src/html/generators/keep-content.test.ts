import { describe, expect, it } from "vitest";
import type { BlockNote } from "../clean/overlay.ts";
import { parseHtml } from "../parse/parse.ts";
import type { RemovedElement } from "../clean/removal.ts";
import { toHtml } from "../parse/serialize.ts";
import { findGenerator } from "./find-generator.ts";
import { keepContent } from "./keep-content.ts";

const URL = "https://example.org/manual/here.html";

function keep(
  html: string,
  declared = "",
): { html: string; removals: RemovedElement[]; notes: BlockNote[] } {
  const root = parseHtml(html);
  const page = findGenerator(root, declared);
  if (page === undefined) throw new Error("no generator was found");
  const notes: BlockNote[] = [];
  const removals = keepContent(page, {
    url: URL,
    explain: true,
    onBlock: (note) => notes.push(note),
  });
  return { html: toHtml(root), removals, notes };
}

describe("keepContent", () => {
  it("reports what was beside the content and what the generator added to it", () => {
    const { html, removals, notes } = keep(
      `<header>Site menu</header><img src="banner.png"><article class="md-content__inner"><a class="md-content__button">Edit</a><p>Text</p></article>Foot`,
    );
    expect(html).toBe('<article class="md-content__inner"><p>Text</p></article>');
    expect(removals.map(({ rule, words, path }) => [rule, words, path])).toEqual([
      ["beside the content of Material for MkDocs", 2, "header"],
      [
        "a.md-content__button of Material for MkDocs",
        1,
        "article.md-content__inner > a.md-content__button",
      ],
    ]);
    expect(notes.map(({ texts, isKept }) => [texts[0]?.data, isKept])).toEqual([
      ["Site menu", false],
      ["Foot", false],
      ["Edit", false],
    ]);
  });

  it.each([
    ["here.html#two", false],
    ["#two", false],
    ["https://example.org/manual/here.html#two", false],
    ["two.html", true],
    ["two.html#part", true],
    ["../other/here.html#part", true],
  ])(
    "detects a table of contents by its links to the same page: %s is kept: %s",
    (href, isKept) => {
      const page = `<div class="chapter"><h1>Chapter</h1><div class="toc"><a href="#one">One</a><a href="${href}">Two</a></div></div>`;
      expect(keep(page, "DocBook").html.includes("Two")).toBe(isKept);
    },
  );

  it("keeps a table of contents without links", () => {
    const page = `<div class="chapter"><h1>Chapter</h1><div class="toc">Of ships</div></div>`;
    expect(keep(page, "DocBook").html).toContain("Of ships");
  });

  it("keeps the notes below the content", () => {
    const page = `<div id="content">Text [1]</div><div id="footnotes"><p>1. A note</p></div><div id="footer">Foot</div>`;
    expect(keep(page, "Asciidoctor 2.0").html).toBe(
      '<div id="content">Text [1]</div><div id="footnotes"><p>1. A note</p></div>',
    );
  });

  it("keeps the content around a title that is inside it", () => {
    const page = `<div class="contents"><p>Before</p><div class="headertitle"><div class="title">Name</div></div><p>After</p></div>`;
    expect(keep(page, "Doxygen").html).toBe(
      '<div class="contents"><p>Before</p><div class="headertitle"><h1 class="title">Name</h1></div><p>After</p></div>',
    );
  });
});

describe("grids of sibling elements", () => {
  const grid = (cells: string): string =>
    keep(`<main role="main"><h1>A</h1><div class="summary-table">${cells}</div></main>`, "javadoc")
      .html;
  const heads = '<div class="table-header">Type</div><div class="x table-header">Name</div>';

  it("turns a grid of sibling elements into a table", () => {
    expect(grid(`${heads}<div>int</div><div><code>a</code></div>`)).toContain(
      '<table class="summary-table"><tr><th class="table-header">Type</th><th class="x table-header">Name</th></tr><tr><td>int</td><td><code>a</code></td></tr></table>',
    );
  });

  it.each([
    ["cells do not fill the rows", `${heads}<div>int</div>`],
    ["there is one column", '<div class="table-header">Type</div><div>int</div>'],
    ["there are no headings", "<div>int</div><div>a</div>"],
    ["text stands between the cells", `${heads}<div>int</div>, <div>a</div>`],
    ["a cell is something else", `${heads}<div>int</div><pre>a</pre>`],
  ])("leaves a grid unchanged when %s", (_, cells) => {
    expect(grid(cells)).not.toContain("<table");
    expect(grid(cells)).toContain("int");
  });
});

it("turns a table that only aligns code into one line", () => {
  const page = `<div class="contents"><table class="memname"><tr><td>void f</td><td>(</td><td><a href="#t">T</a> </td><td><em>t</em>,</td></tr><tr><td></td><td>)</td></tr></table></div>`;
  const { html } = keep(page, "Doxygen");
  expect(html).toContain('<p class="memname">void f ( <a href="#t">T</a>  <em>t</em>,  ) </p>');
});

it("leaves a table alone that is nested in a cell of an aligned code line", () => {
  const page = `<div class="contents"><table class="memname"><tr><td>f<table><tr><td>a</td><td>b</td></tr></table></td></tr></table><p>After</p></div>`;
  expect(keep(page, "Doxygen").html).toContain(
    '<p class="memname">f<table><tr><td>a</td><td>b</td></tr></table> </p><p>After</p>',
  );
});

it("adds spaces between elements that only a style sheet separates", () => {
  const page = `<div class="container-main"><div class="col-content"><h3><code class="tsd-tag">Static</code><code class="tsd-tag">Readonly</code><span>a</span></h3><code>b</code>s</div></div>`;
  expect(keep(page, "").html).toContain(
    '<h3><code class="tsd-tag">Static</code> <code class="tsd-tag">Readonly</code> <span>a</span></h3><code>b</code>s',
  );
});
