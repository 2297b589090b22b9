import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { readPageHints } from "../evidence/page-hints.ts";
import { readText } from "../parse/tree.ts";
import { toHtml } from "../parse/serialize.ts";
import { findGenerator } from "./find-generator.ts";
import { GENERATORS } from "./generators.ts";
import { keepContent } from "./keep-content.ts";
import { readPlace } from "./place.ts";

const buildGeneratorMeta = (content: string): string =>
  `<head><meta name="generator" content="${content}"></head>`;

/**
 * Minimal pages of each generator: "Menu" and "Foot" surround the content, "Title" is the main
 * heading, "Words" the text and "Away" what the generator adds.
 */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  Sphinx: [
    `<div class="related">Menu</div><div class="document"><div class="documentwrapper"><div class="bodywrapper">
      <div class="body" role="main"><section><h1>Title</h1><nav class="contents local"><a href="#a">Away</a></nav>Words</section></div>
      </div></div><div class="sphinxsidebar">Foot</div></div>`,
    `<div class="document"><div class="documentwrapper"><div class="body" role="main"><h1>Title</h1>Words</div></div></div>Foot`,
    `<aside>Menu</aside><article role="main" id="furo-main-content"><h1>Title</h1>Words</article>`,
    `<div>Menu</div><main id="main-content"><article class="bd-article"><h1>Title</h1>Words</article></main>`,
    `<div>Menu</div><main class="col bd-content" role="main"><div class="topbar">Away</div><div><h1>Title</h1>Words</div>
      <div class="prev-next-bottom">Away</div></main>`,
  ],
  "Sphinx (Furo)": [
    `<aside class="sidebar-drawer">Menu</aside><div class="article-container"><article role="main"><h1>Title</h1>Words</article></div>`,
  ],
  "Read the Docs theme": [
    `<nav>Menu</nav><div class="rst-content"><div role="navigation">Menu</div><div role="main" class="document"><h1>Title</h1>Words</div>
      <footer>Foot</footer></div>`,
  ],
  Docusaurus: [
    `<nav>Menu</nav><main><article><div class="theme-doc-markdown markdown"><header><h1>Title</h1></header>Words</div>
      <footer>Foot</footer></article></main>`,
  ],
  "Material for MkDocs": [
    `<nav>Menu</nav><div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button">Away</a>
      <h1>Title</h1>Words<aside class="md-source-file">Away</aside></article></div>`,
  ],
  MkDocs: [
    `<div class="row"><div class="col-md-3"><div class="bs-sidebar affix">Menu</div></div>
      <div class="col-md-9" role="main"><h1>Title</h1>Words</div></div>`,
  ],
  mdBook: [
    `<nav id="sidebar">Menu</nav><div id="page-wrapper" class="page-wrapper"><h1 class="menu-title">Menu</h1>
      <div id="content" class="content"><main><h1>Title</h1>Words</main><nav class="nav-wrapper">Foot</nav></div></div>`,
    `<div id="mdbook-page-wrapper"><div id="mdbook-content" class="content"><main><h1>Title</h1>Words</main></div>Foot</div>`,
  ],
  VitePress: [
    `<aside>Menu</aside><main class="main"><div class="vp-doc _guide"><h1>Title</h1><nav class="table-of-contents"><a href="#a">Away</a></nav>
      Words</div></main><footer>Foot</footer>`,
  ],
  Starlight: [
    `<nav>Menu</nav><main><div class="content-panel"><h1 id="_top">Title</h1></div><div class="content-panel">
      <div class="sl-markdown-content">Words</div><footer>Foot</footer></div></main>`,
  ],
  Docsy: [
    `<nav>Menu</nav><main><div class="td-content"><h1>Title</h1>Words<div id="pre-footer">Away</div></div></main>`,
  ],
  TypeDoc: [
    `<header>Menu</header><div class="container container-main"><div class="col-content"><ul class="tsd-breadcrumb"><li>Away</li></ul>
      <h1>Title</h1><section class="tsd-index-group"><a href="x.html#read">Away</a></section>Words</div><div class="col-sidebar">Foot</div></div>`,
  ],
  Doxygen: [
    `${buildGeneratorMeta("Doxygen 1.9.4")}<div id="top">Menu</div><div class="header"><div class="summary">Menu</div>
      <div class="headertitle"><div class="title">Title<div class="ingroups">Away</div></div></div></div>
      <div class="contents">Words <span class="permalink">Away</span></div><address>Foot</address>`,
  ],
  Javadoc: [
    `${buildGeneratorMeta("javadoc/ClassWriterImpl")}<header>Menu</header><main role="main"><div class="header"><h1 class="title">Title</h1></div>
      Words<div class="table-tabs">Away</div></main><footer>Foot</footer>`,
    `${buildGeneratorMeta("javadoc")}<div class="topNav">Menu</div><div class="header"><h2 class="title">Title</h2></div>
      <div class="contentContainer">Words</div><div class="bottomNav">Foot</div>`,
  ],
  rustdoc: [
    `${buildGeneratorMeta("rustdoc")}<nav>Menu</nav><main><section id="main-content"><h1>Title</h1><a class="src">Away</a>Words</section></main>`,
  ],
  Haddock: [
    `<div id="package-header">Menu</div><div id="content"><div id="module-header"><p class="caption">Title</p></div>
      <div id="synopsis">Away</div><div id="interface">Words <a class="selflink" href="#x">Away</a></div></div><div id="footer">Foot</div>`,
  ],
  YARD: [
    `<div id="main"><div id="header"><div id="menu">Menu</div></div><div id="content"><h1>Title</h1>Words
      <table class="source_code"><tr><td>Away</td></tr></table></div><div id="footer">Foot</div></div>`,
  ],
  RDoc: [
    `<body id="top" role="document" class="class"><nav>Menu</nav><main role="main"><h1>Title</h1>Words
      <div class="method-source-code">Away</div></main><footer>Foot</footer></body>`,
  ],
  "gi-docgen": [
    `<div id="body-wrapper"><nav>Menu</nav><section id="main" class="content"><header><h1>Title</h1></header>Words</section></div>`,
  ],
  "Node.js": [
    `<div id="column2">Menu</div><div id="column1" class="interior"><header>Menu</header><div id="apicontent"><h1>Title <a class="mark" href="#t">Away</a></h1>
      Words</div></div>`,
  ],
  "GTK-Doc and DocBook": [
    `${buildGeneratorMeta("DocBook XSL Stylesheets V1.79.1")}<div class="navheader">Menu</div><div class="sect1"><h1>Title</h1>
      <div class="toc"><a href="x.html#a">Away</a></div>Words</div><div class="navfooter">Foot</div>`,
    `${buildGeneratorMeta("GTK-Doc V1.33.1 (XML mode)")}<table class="navigation"><tr><td>Menu</td></tr></table>
      <div class="refentry"><h1>Title</h1>Words</div><div class="footer">Foot</div>`,
  ],
  AsciiDoc: [
    `${buildGeneratorMeta("AsciiDoc 10.2.0")}<div id="header"><h1>Title</h1><div id="toc"><a href="#_a">Away</a></div></div>
      <div id="content">Words</div><div id="footer">Foot</div>`,
    `${buildGeneratorMeta("Asciidoctor 2.0.18")}<div id="header"><h1>Title</h1></div><div id="content">Words</div><div id="footer">Foot</div>`,
  ],
  Texinfo: [
    `${buildGeneratorMeta("makeinfo")}<body><div class="header">Away</div><h2>Title</h2>Words<table class="header"><tr><td>Away</td></tr></table></body>`,
  ],
  LaTeX2HTML: [
    `${buildGeneratorMeta("LaTeX2HTML v2022.2")}<body><div class="navigation">Away</div><h1>Title</h1>Words</body>`,
  ],
  MediaWiki: [
    `${buildGeneratorMeta("MediaWiki 1.43.0")}<nav>Menu</nav><main><h1 id="firstHeading">Title</h1><div id="siteSub">Menu</div>
      <div id="mw-content-text"><div class="mw-parser-output">Words <span class="mw-editsection">Away</span>
      <div class="navbox">Away</div></div></div></main><div id="catlinks">Foot</div>`,
  ],
};

function reduce(html: string): { name: string | undefined; text: string; html: string } {
  const root = parseHtml(html);
  const page = findGenerator(root, readPageHints(root).generator);
  if (page !== undefined) keepContent(page, { url: "https://example.org/x.html", explain: false });
  const text = readText(root).replaceAll(/\s/g, "");
  return { name: page?.generator.name, text, html: toHtml(root) };
}

describe("known generators", () => {
  it("has a sample page for every known generator, each once", () => {
    expect(Object.keys(PAGES).toSorted()).toEqual(GENERATORS.map(({ name }) => name).toSorted());
  });

  it.each(
    Object.entries(PAGES).flatMap(([name, pages]) =>
      pages.map((page, at) => [name, at + 1, page] as const),
    ),
  )("keeps only title and words of a page by %s, shape %i", (name, _, page) => {
    const { name: found, text } = reduce(page);
    expect(found).toBe(name);
    expect(text).toBe("TitleWords");
  });

  it.each(GENERATORS)("declares selectors for $name that can be parsed", (generator) => {
    const { content, extra, title, drops, toc, grids, lines, spaced, needs, unless } = generator;
    const places = [content.flat(), extra, title, drops, toc, grids, lines, spaced, needs, unless]
      .flat()
      .filter((text) => text !== undefined);
    const tags = places.map((text) => readPlace(text).tag);
    expect(tags.length).toBeGreaterThan(0);
    expect(tags).not.toContain("");
  });

  it("makes the title of Doxygen and Haddock pages a heading", () => {
    expect(reduce(PAGES["Doxygen"]![0]!).html).toContain('<h1 class="title">');
    expect(reduce(PAGES["Haddock"]![0]!).html).toContain('<h1 class="caption">');
  });
});
