import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../../test/growth.ts";
import { parseHtml } from "../parse/parse.ts";
import { findGenerator } from "./find-generator.ts";
import { keepContent } from "./keep-content.ts";

const nameOf = (html: string, declared = ""): string | undefined =>
  findGenerator(parseHtml(html), declared)?.generator.name;

describe("findGenerator", () => {
  it.each([
    ["a shop's body with the role of Sphinx'", `<div class="body" role="main"><p>Chairs</p></div>`],
    ["a column that is as wide as MkDocs'", `<div class="col-md-9" role="main"><p>News</p></div>`],
    ["an id that mdBook has", `<div id="content" class="content"><main><p>News</p></main></div>`],
    ["contents as in Doxygen, of no Doxygen", `<div class="contents"><p>News</p></div>`],
    ["a main as in Javadoc, of no Javadoc", `<main role="main"><p>News</p></main>`],
    [
      "a start page of Starlight",
      `<div class="hero"></div><div class="sl-markdown-content">More</div>`,
    ],
    [
      "a start page of VitePress",
      `<div class="VPHome"><div class="vp-doc container">More</div></div>`,
    ],
    ["content without text", `<div class="theme-doc-markdown"><img src="a.png"> </div><p>Text</p>`],
    ["content inside a list", `<ul><li><div class="theme-doc-markdown">Text</div></li></ul>`],
  ])("finds no generator in %s", (_, html) => {
    expect(nameOf(html)).toBeUndefined();
  });

  it("uses the declared generator when the page's own markers are not unique to it", () => {
    const page = `<div class="contents"><p>Text</p></div>`;
    expect(nameOf(page, "WordPress 6.5\nDoxygen 1.9")).toBe("Doxygen");
    expect(nameOf(page, "Not Doxygen")).toBeUndefined();
  });

  it("returns every separate piece of content and none nested in another", () => {
    const page = `<div class="theme-doc-markdown">One<div class="theme-doc-markdown">Two</div></div><div class="theme-doc-markdown">Three</div>`;
    expect(findGenerator(parseHtml(page), "")?.kept).toHaveLength(2);
  });

  it("prefers the most specific content selector that the page has", () => {
    const page = `<main class="bd-content" role="main">One<article class="bd-article">Two</article></main>`;
    const found = findGenerator(parseHtml(page), "");
    expect(found?.kept.map(({ name }) => name)).toEqual(["article"]);
  });

  it("keeps the outermost element when a content selector matches nested elements", () => {
    const page = `<div class="reference"><h1>One</h1><div class="section">Two</div></div>`;
    const found = findGenerator(parseHtml(page), "DocBook XSL");
    expect(found?.kept.map(({ attribs }) => attribs["class"])).toEqual(["reference"]);
  });

  it.each([
    [
      "a piece of a manual in an article",
      `<article>${"<p>Some words of the article.</p>".repeat(40)}</article>`,
      true,
    ],
    [
      "a short page of a manual with a long menu",
      `<nav>${"<a href=x>Some words of a menu</a>".repeat(90)}</nav>`,
      false,
    ],
  ])(
    "recognizes a generator only if most of the prose is in its content: %s",
    (_, rest, isArticle) => {
      const page = `${rest}<div class="theme-doc-markdown">Buy now!</div>`;
      expect(nameOf(page)).toBe(isArticle ? undefined : "Docusaurus");
    },
  );

  it.each([
    ["nested divisions", (size: number) => "<div class='a b'>".repeat(size)],
    ["nested content", (size: number) => "<div class='theme-doc-markdown'>x".repeat(size)],
    ["adjacent content", (size: number) => "<div class='theme-doc-markdown'>x</div>".repeat(size)],
    [
      "classes of an element",
      (size: number) => `<div class="${"theme-doc-markdown ".repeat(size)}">x</div>`,
    ],
  ])("finds the generator and prunes the page in linear time for %s", (_, make) => {
    expectNoSquare((size) => {
      const root = parseHtml(make(size));
      const page = findGenerator(root, "");
      if (page !== undefined) keepContent(page, { url: "https://example.org/", explain: true });
    });
  });
});
