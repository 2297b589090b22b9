import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { parseHtml } from "../parse/parse.ts";
import { explainMetadata, readMetadata } from "./index.ts";

const URL_OF_PAGE = "https://www.example.org/news/story.html";
const read = (html: string, url = URL_OF_PAGE) => readMetadata(parseHtml(html), { url });
const explain = (html: string) => explainMetadata(parseHtml(html), { url: URL_OF_PAGE });
const buildHead = (inner: string) =>
  `<!doctype html><html lang="en-GB"><head>${inner}</head><body></body></html>`;

describe("readMetadata contract keys", () => {
  it("prefers the document title over og:title and twitter:title, and ignores an unrelated headline", () => {
    const og = `<meta property="og:title" content="Open ports">`;
    const twitter = `<meta name="twitter:title" content="Bird">`;
    expect(
      read(buildHead(`<title> Tides &amp; ports\n | Coast Daily </title>${og}`))["title"],
    ).toBe("Tides & ports | Coast Daily");
    expect(read(buildHead(`<title></title>${og}${twitter}`))["title"]).toBe("Open ports");
    expect(read(buildHead(twitter))["title"]).toBe("Bird");
    expect(read(buildHead(""))).not.toHaveProperty("title");
  });

  it("leaves a heading's permalink sign out of the title", () => {
    const titled = (heading: string) =>
      read(`<title>A tour of C# — The manual</title><body><h1>${heading}</h1><p>Text.`)["title"];
    expect(titled(`A tour of C#<a class="headerlink" href="#tour">¶</a>`)).toBe("A tour of C#");
    expect(titled(`A tour of C# <a href="#tour">#</a>`)).toBe("A tour of C#");
  });

  it("removes invisible characters from all values", () => {
    const head = `<title>Ti\u200Bdes\u{E0041}\u{E0042}</title><meta name="description" content="At\u2060 nine">`;
    const tags = `<meta property="article:tag" content="a\u202Eb"><meta property="article:tag" content="c">`;
    expect(read(buildHead(`${head}${tags}`))).toMatchObject({
      title: "Tides",
      description: "At nine",
      "article:tag": ["ab", "c"],
    });
  });

  it("ignores the title of an SVG", () => {
    expect(read(`<body><svg><title>Arrow</title></svg><p>x`)).not.toHaveProperty("title");
  });

  it("returns html[lang] as written", () => {
    expect(read(buildHead(""))["language"]).toBe("en-GB");
  });

  it("returns every meta under its raw name, repeats as arrays", () => {
    const metadata = read(
      buildHead(`<meta name="viewport" content="width=device-width"><meta property="og:title" content="A">
        <meta name="keywords" content="tide, port"><meta name="keywords" content="moon">
        <meta itemprop="priceCurrency" content="EUR"><meta name="robots" content="noarchive">`),
    );
    expect(metadata).toMatchObject({
      viewport: "width=device-width",
      "og:title": "A",
      ogTitle: "A",
      keywords: ["tide, port", "moon"],
      priceCurrency: "EUR",
      robots: "noarchive",
    });
  });

  it("joins repeated descriptions and keeps the first title", () => {
    const metadata = read(
      buildHead(`<meta name="description" content="One."><meta name="description" content="Two.">
        <meta name="title" content="First"><meta name="title" content="Second">`),
    );
    expect(metadata["description"]).toBe("One., Two.");
    expect(metadata["title"]).toBe("First");
  });

  it("returns Open Graph, Dublin Core and article keys as single strings, even when repeated", () => {
    const metas = [
      ["og:description", "d"], ["og:url", "u"], ["og:image", "i"], ["og:image", "second"], ["og:audio", "a"],
      ["og:determiner", "the"], ["og:locale", "en_GB"], ["og:site_name", "s"], ["og:video", "v"], ["article:section", "Sea"],
      ["article:tag", "tide"], ["article:tag", "moon"], ["article:published_time", "2024-11-12T08:00:00Z"],
      ["article:modified_time", "2024-11-13T08:00:00Z"], ["dcterms.keywords", "k"], ["dc.description", "dd"],
      ["dc.subject", "ds"], ["dcterms.subject", "dts"], ["dcterms.audience", "dta"], ["dc.type", "dt"],
      ["dcterms.type", "dtt"], ["dc.date", "2024"], ["dc.date.created", "2023"], ["dcterms.created", "2022"],
    ]; // prettier-ignore
    const metadata = read(
      buildHead(
        metas.map(([name, content]) => `<meta property="${name}" content="${content}">`).join(""),
      ),
    );
    expect(metadata).toMatchObject({
      ogDescription: "d", ogUrl: "u", ogImage: "i", ogAudio: "a", ogDeterminer: "the", ogLocale: "en_GB", ogSiteName: "s",
      ogVideo: "v", articleSection: "Sea", articleTag: "tide", publishedTime: "2024-11-12T08:00:00Z",
      modifiedTime: "2024-11-13T08:00:00Z", dcTermsKeywords: "k", dcDescription: "dd", dcSubject: "ds", dcTermsSubject: "dts",
      dcTermsAudience: "dta", dcType: "dt", dcTermsType: "dtt", dcDate: "2024", dcDateCreated: "2023", dcTermsCreated: "2022",
      "article:tag": ["tide", "moon"],
    }); // prettier-ignore
  });

  it("returns ogLocaleAlternate as an array, and no empty list", () => {
    expect(read(buildHead(""))).not.toHaveProperty("ogLocaleAlternate");
    expect(
      read(buildHead(`<meta property="og:locale:alternate" content="fr_FR">`))["ogLocaleAlternate"],
    ).toEqual(["fr_FR"]);
  });

  it("makes the favicon absolute against the base and prefers rel=icon", () => {
    const touch = `<link rel="apple-touch-icon" href="/touch.png">`;
    expect(read(buildHead(`${touch}<link rel="icon" href="../i.ico">`))["favicon"]).toBe(
      "https://www.example.org/i.ico",
    );
    expect(read(buildHead(touch))["favicon"]).toBe("https://www.example.org/touch.png");
    expect(
      read(
        buildHead(`<base href="https://cdn.example/x/"><link rel="SHORTCUT ICON" href="i.ico">`),
      )["favicon"],
    ).toBe("https://cdn.example/x/i.ico");
    expect(read(buildHead(`<link rel="icon" href="http://[bad">`))).not.toHaveProperty("favicon");
  });

  it("ignores metas that would set scrape fields or a prototype", () => {
    const metadata = read(
      buildHead(`<meta name="statusCode" content="200"><meta name="cacheState" content="odd"><meta name="error" content="x">
        <meta name="__proto__" content="polluted"><meta name="constructor" content="c">
        <script type="application/ld+json">{"@type":"Article","__proto__":{"author":"evil"},"constructor":{"prototype":{"x":1}}}</script>`),
    );
    expect(Object.keys(metadata)).not.toContain("statusCode");
    expect(Object.keys(metadata)).not.toContain("cacheState");
    expect(Object.keys(metadata)).not.toContain("error");
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
    expect(metadata["constructor"]).toBe("c");
    expect(metadata).not.toHaveProperty("author");
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("readMetadata detection", () => {
  const article = (inner: string, extra = "") =>
    `<html lang="en"><head><title>Harbour walls rise again - Coast Daily</title>${extra}</head>
     <body><header><h1>Coast Daily</h1></header><article><h1>Harbour walls rise again</h1>${inner}</article></body></html>`;

  it("returns the headline without the site name as articleTitle", () => {
    expect(read(article("<p>Text"))).toMatchObject({
      articleTitle: "Harbour walls rise again",
      title: "Harbour walls rise again",
      pageTitle: "Harbour walls rise again - Coast Daily",
    });
  });

  it("keeps a short title before a long site name if the main heading repeats it", () => {
    const page = (heading: string): string =>
      `<title>Introduction — Harbour 3.11.2 documentation</title><body><h1>${heading}</h1><p>Text`;
    expect(read(page("Introduction"))["title"]).toBe("Introduction");
    expect(read(page("Harbour 3.11.2 documentation"))["title"]).toBe(
      "Harbour 3.11.2 documentation",
    );
  });

  it("reads author and dates from JSON-LD with a graph, references, comments and trailing commas", () => {
    const script = `<script type="application/ld+json">/* made by hand */ {"@context":"https://schema.org","@graph":[
      {"@type":"WebSite","name":"Coast Daily"},
      {"@type":["NewsArticle","Article"],"headline":"Harbour\twalls","author":[{"@id":"#ana"},{"name":"Ben O&#039;Hara"}],
       "datePublished":"2024-11-12 08:30:00+0100","dateModified":"2024-11-13",},
      {"@type":"Person","@id":"#ana","name":"Ana Ruiz"}, ]}</script>`;
    const html = article("", script);
    expect(read(html)).toMatchObject({
      author: "Ana Ruiz, Ben O’Hara",
      publishedTime: "2024-11-12T08:30:00+01:00",
      modifiedTime: "2024-11-13",
      siteName: "Coast Daily",
    });
    expect(explain(html)).toMatchObject({
      author: "json-ld author",
      publishedTime: "json-ld datePublished",
    });
  });

  it.each([
    [`<p class="byline">By <a href="/x">Jane Doe</a>, Staff Writer | May 3, 2024</p>`, "Jane Doe"],
    [`<span itemprop="author" itemscope><span itemprop="name">Jane Doe</span></span>`, "Jane Doe"],
    [`<a rel="author" href="/staff/7">Jane Doe</a>`, "Jane Doe"],
    [`<p>Written by<!-- --> <b>Jane Doe</b></p>`, "Jane Doe"],
    [`<div class="post-author">von Jürgen Groß</div>`, "Jürgen Groß"],
    [`<p><a href="https://www.example.org/author/jane-doe/">Jane Doe</a></p>`, "Jane Doe"],
  ])("finds the author in %s", (inner, author) => {
    expect(read(article(inner))["author"]).toBe(author);
  });

  it("prefers a person on the page to a declared author that is only the site", () => {
    const site = `<meta property="og:site_name" content="Coast Daily"><meta name="author" content="Coast Daily">`;
    expect(read(article(`<p class="byline">By Jane Doe</p>`, site))["author"]).toBe("Jane Doe");
    expect(read(article("", site))["author"]).toBe("Coast Daily");
    expect(
      read(article(`<p class="byline">By Jane Doe</p>`, `<meta name="author" content="Ana Ruiz">`))[
        "author"
      ],
    ).toBe("Ana Ruiz");
  });

  it.each([
    [`<time datetime="2024-11-12T08:30:00Z">yesterday</time>`, "2024-11-12T08:30:00Z"],
    [`<span class="post-date">12. November 2024</span>`, "2024-11-12"],
    [`<p>Published on November 12th, 2024</p>`, "2024-11-12"],
    [
      `<abbr class="published" title="2024-11-12T08:30:00+01:00">08:30</abbr>`,
      "2024-11-12T08:30:00+01:00",
    ],
    [`<aside><time datetime="2024-11-12">12/11</time></aside>`, "2024-11-12"],
    [`<p class="date">Written: 2024-11-12 / Updated: 2024-11-14</p>`, "2024-11-12"],
    [`<div class="sidebar"><span>12 November 2024</span></div>`, "2024-11-12"],
    [
      `<relative-time datetime="2024-11-12T08:30:00Z">2 years ago</relative-time>`,
      "2024-11-12T08:30:00Z",
    ],
  ])("finds the date in %s", (inner, date) => {
    expect(read(article(inner))["publishedTime"]).toBe(date);
  });

  it("prefers the published date in a footer over the updated date", () => {
    const footer = `<footer>${"<p>x</p>".repeat(60)}<p>Last update: 14 November 2024</p><p>Published: 12 November 2024</p></footer>`;
    expect(read(article(footer))["publishedTime"]).toBe("2024-11-12");
    const labelled = `<footer>${"<p>x</p>".repeat(60)}<p>Mise en ligne</p><p>12 novembre 2024</p></footer>`;
    expect(read(article(labelled))["publishedTime"]).toBe("2024-11-12");
  });

  it("finds the date after a menu of names with numbers", () => {
    const menu = `<ul>${"<li>Robot X11</li>".repeat(80)}</ul>`;
    expect(read(article(`${menu}<p>12 November 2024</p>`))["publishedTime"]).toBe("2024-11-12");
  });

  it("ignores today's date shown on the page", () => {
    expect(
      read(
        article(`<p class="todays-date">12 November 2024</p><p class="post-date">1 May 2024</p>`),
      )["publishedTime"],
    ).toBe("2024-05-01");
  });

  it("prefers the URL's date when linked data names a later day", () => {
    const linked = `<script type="application/ld+json">{"@type":"Article","datePublished":"2024-11-12T08:30:00Z"}</script>`;
    const at = (url: string) => read(article(linked), url)["publishedTime"];
    expect(at("https://example.org/2017/7/12/walls")).toBe("2017-07-12");
    expect(at("https://example.org/2024/11/11/walls")).toBe("2024-11-12T08:30:00Z");
  });

  it("takes a date from the URL, and from comments only when there is no better one", () => {
    expect(read(article(""), "https://example.org/2024/11/12/walls/")["publishedTime"]).toBe(
      "2024-11-12",
    );
    const comments = `<div class="comments"><time datetime="2025-01-01">later</time></div><p>12 November 2024</p>`;
    expect(read(article(comments))["publishedTime"]).toBe("2024-11-12");
  });

  it("detects the language from prose, ignores code names, or returns none", () => {
    const names =
      "SDL_FALSE SDL_Rect SDL_HasIntersection SDL_PointInRect SDL_IntersectRect SDL_EnclosePoints ".repeat(
        4,
      );
    const prose =
      "Determine whether two rectangles intersect. If either pointer is NULL the function will return SDL_FALSE as its result, and the caller has to look.";
    expect(read(`<body><p>${names}</p><p>${prose}</p></body>`)["language"]).toBe("en");
    expect(read(`<body><p>${names}</p></body>`)).not.toHaveProperty("language");
  });

  it("never uses a numbered section as the page title", () => {
    const page = (title: string, heading: string) =>
      read(`<title>${title}</title><body><h1>1. Overview</h1><h1>${heading}</h1></body>`)["title"];
    expect(page("Built-In Scalar Functions", "2. Descriptions of built-in scalar functions")).toBe(
      "Built-In Scalar Functions",
    );
    expect(page("Ways to cook rice", "7 ways to cook rice")).toBe("7 ways to cook rice");
  });

  it("joins the linked parts of a code name in the title", () => {
    const page = `<body><h1><a href="/a">std</a>::<a href="/b">net</a>::<span>Ipv4Addr</span></h1></body>`;
    expect(read(page)["title"]).toBe("std::net::Ipv4Addr");
  });

  it("detects the language only when none is declared and there is enough text", () => {
    const text =
      "Der Hafen wurde im vergangenen Jahr von einem schweren Sturm getroffen, und die Mauern mussten an vielen Stellen erneuert werden, bevor die Fischer wieder auslaufen konnten. Die Arbeiten dauerten länger als geplant.";
    expect(read(`<body><p>${text}</p></body>`)["language"]).toBe("de");
    expect(read(`<html lang="sv"><body><p>${text}</p></body>`)["language"]).toBe("sv");
    expect(
      read(`<meta property="og:locale" content="nl_NL"><body><p>${text}</p></body>`)["language"],
    ).toBe("nl-NL");
    expect(read(`<body><p>Hallo</p></body>`)).not.toHaveProperty("language");
  });
});

describe("readMetadata on hostile pages", () => {
  it.each([
    ["deep nesting", "<div class=author>".repeat(20_000)],
    ["many metas", `<meta name="a" content="b">`.repeat(50_000)],
    ["many bylines", `<p class="byline">By Jane Doe</p>`.repeat(20_000)],
    [
      "broken JSON-LD",
      `<script type="application/ld+json">{"a":${'"\\"'.repeat(100_000)}</script>`,
    ],
    [
      "open comments in JSON-LD",
      `<script type="application/ld+json">{${"/* ".repeat(100_000)}</script>`,
    ],
    [
      "deep JSON-LD",
      `<script type="application/ld+json">${"[".repeat(100_000)}${"]".repeat(100_000)}</script>`,
    ],
    ["a long title", `<title>${"a | ".repeat(100_000)}</title><h1>${"a | ".repeat(100_000)}</h1>`],
    ["long class names", `<p class="${"author-".repeat(100_000)}">x</p>`],
    ["spaces", `<p>by${" ".repeat(200_000)}</p>`],
  ])("reads metadata in under a second on %s", (_name, html) => {
    const document = parseHtml(html);
    const started = threadCpuMs();
    const metadata = readMetadata(document, { url: URL_OF_PAGE });
    expect(threadCpuMs() - started).toBeLessThan(1_000);
    expect(metadata).not.toHaveProperty("ogLocaleAlternate");
  });
});

describe("readMetadata authors", () => {
  it("prefers the persons of linked data to a declared author", () => {
    const page = (declared: string, ...people: object[]) =>
      read(
        `<meta name="author" content="${declared}"><script type="application/ld+json">${JSON.stringify({ "@type": "NewsArticle", author: people })}</script><h1>Story</h1>`,
      )["author"];
    const [ann, bo] = ["Ann Reed", "Bo Falk"].map((name) => ({ "@type": "Person", name }));
    expect(page("areed", ann!, bo!)).toBe("Ann Reed, Bo Falk");
    expect(page("Ann Reed", ann!, bo!)).toBe("Ann Reed, Bo Falk");
    expect(page("Ann Reed, Bo Falk", ann!)).toBe("Ann Reed, Bo Falk");
    expect(page("Ann Reed", { "@type": "Organization", name: "The Coast" })).toBe("Ann Reed");
  });

  const author = (body: string, inHead = "") =>
    read(`<head>${inHead}</head><body><h1>The tides of the sea</h1>${body}`)["author"];

  it("does not mistake standards, tools and list orders for persons", () => {
    expect(
      author(`<p>Defined in <a href="/7159">RFC 7159</a> and by <a href="/e">ECMA-404</a>.</p>`),
    ).toBeUndefined();
    expect(
      author(`<p>A format inspired by <a href="/j">JavaScript</a> objects.</p>`),
    ).toBeUndefined();
    expect(author(`<div>Sort by <span>Featured</span></div>`)).toBeUndefined();
    expect(author(`<div>by <b>ECMA-404</b></div>`)).toBeUndefined();
  });

  it("extracts the name from a byline with more text", () => {
    expect(
      author(
        `<div class="byline"><span class="author-name">Jane Doe</span><span>Marine Writer</span></div>`,
      ),
    ).toBe("Jane Doe");
    expect(author(`<div class="author">Jane Doe Senior Staff Writer</div>`)).toBe("Jane Doe");
    expect(author(`<div class="author">Authors: Jane Doe and Max Moe</div>`)).toBe(
      "Jane Doe and Max Moe",
    );
    expect(author(`<div class="author">Mar 5</div><div class="author">Jane Doe</div>`)).toBe(
      "Jane Doe",
    );
  });

  it("lists a repeated person once and joins several", () => {
    const meta = (name: string) => `<meta name="author" content="${name}">`;
    expect(author("", meta("Jane Doe") + meta("Jane Doe"))).toBe("Jane Doe");
    expect(author("", meta("Jane Doe") + meta("Max Moe"))).toBe("Jane Doe, Max Moe");
  });

  it("prefers a signed author to the publishing company, and falls back to the company", () => {
    const linked = (author: string) =>
      `<script type="application/ld+json">{"@type":"NewsArticle","headline":"The tides of the sea","author":${author},"publisher":{"@type":"Organization","name":"Harbour House"}}</script>`;
    const byline = `<p class="byline">By Jane Doe</p>`;
    expect(author(byline, linked(`{"@type":"Organization","name":"Sea & Co"}`))).toBe("Jane Doe");
    expect(author(byline, linked(`{"@type":"Person","name":"Harbour House"}`))).toBe("Jane Doe");
    expect(author(byline, `<meta name="author" content="Tide Media">`)).toBe("Jane Doe");
    expect(author("", linked(`{"@type":"Organization","name":"Sea & Co"}`))).toBe("Sea & Co");
    expect(author(byline, linked(`{"@type":"Person","name":"Max Moe"}`))).toBe("Max Moe");
  });

  it("ignores the reviewers of a product as authors", () => {
    const review = (name: string) =>
      `{"@type":"Review","author":{"@type":"Person","name":"${name}"}}`;
    const product = `<script type="application/ld+json">{"@type":"Product","name":"Cup","review":[${review("Ron B.")},${review("Ida K.")}]}</script>`;
    expect(author("", product)).toBeUndefined();
    expect(author("", `<script type="application/ld+json">${review("Ida Kay")}</script>`)).toBe(
      "Ida Kay",
    );
  });

  it("finds an author who is named only at the end", () => {
    const text = "<p>word</p>".repeat(150);
    expect(author(`${text}<p>Written by Jane Doe</p>`)).toBe("Jane Doe");
    expect(author(`${text}<footer>By: <a href="/author/jane/">Jane Doe</a></footer>`)).toBe(
      "Jane Doe",
    );
  });
});

describe("explainMetadata", () => {
  it("names a source for every requested key", () => {
    const sources = explain(
      `<html lang="en"><head><title>Tides | Coast</title><meta name="description" content="About tides.">
       <meta name="author" content="Jane Doe"><meta property="article:published_time" content="2024-05-06">
       <meta property="article:modified_time" content="2024-05-07"><meta property="og:site_name" content="Coast">
       <link rel="icon" href="/i.png"><link rel="canonical" href="/tides"></head><body><p>Text`,
    );
    expect(sources).toMatchObject({
      title: "declared title",
      description: "meta description",
      author: "meta author",
      publishedTime: "meta article:published_time",
      modifiedTime: "meta article:modified_time",
      language: expect.any(String),
      siteName: "meta og:site_name",
      canonical: "link canonical",
      favicon: "link icon",
    });
  });

  it("decodes titles and descriptions that generators escaped twice, and no raw meta", () => {
    const html = `<html><head><title>Python, SQL &amp;#x26; AI</title>
      <meta name="description" content="It&amp;#8217;s new.&amp;nbsp;Today."><meta property="og:title" content="TFC8&amp;reg; cream">
      </head><body><p>Text.</p></body></html>`;
    expect(read(html)).toMatchObject({
      title: "Python, SQL & AI",
      description: "It’s new. Today.",
      ogTitle: "TFC8® cream",
      "og:title": "TFC8&reg; cream",
    });
  });

  it("falls back to og:description for the description", () => {
    const html = buildHead(`<meta property="og:description" content="Open.">`);
    expect(read(html)["description"]).toBe("Open.");
    expect(explain(html)["description"]).toBe("meta og:description");
  });

  it("removes the site name from a declared title that no heading repeats", () => {
    const html = `<title>Tides – Example</title><meta property="og:title" content="Harbour life with the tides in spring"><body><h1>Welcome</h1>`;
    expect(read(html)["title"]).toBe("Tides");
    expect(read(html)["pageTitle"]).toBe("Tides – Example");
    expect(explain(html)["title"]).toBe("declared title without the site");
  });
});

describe("readMetadata title and author beside other text", () => {
  const page = (title: string, body: string) =>
    `<html lang="en"><head><title>${title}</title></head><body><main>${body}</main></body></html>`;

  it("leaves a kicker out of the article title", () => {
    const html = page(
      "Ferry returns after two years | Coast Daily",
      `<h1><span>Local transport</span> Ferry returns after two years</h1><p>Text.`,
    );
    expect(read(html)["articleTitle"]).toBe("Ferry returns after two years");
  });

  it("keeps a kicker with a colon and a heading that the title repeats", () => {
    const withColon = page(
      "Ferry returns after two years",
      `<h1>Transport: Ferry returns after two years</h1>`,
    );
    expect(read(withColon)["articleTitle"]).toBe("Transport: Ferry returns after two years");
    const repeated = page(
      "Live Ferry returns after two years",
      `<meta property="og:title" content="Ferry returns after two years"><h1>Live Ferry returns after two years</h1>`,
    );
    expect(read(repeated)["articleTitle"]).toBe("Live Ferry returns after two years");
  });

  it("reads a byline below the headline where the whole article has a class of comments", () => {
    const html = page(
      "Ferry returns",
      `<h1>Ferry returns</h1><div class="comments-open"><span class="author">By Ann Tallow</span><p>Text.</div>`,
    );
    expect(read(html)["author"]).toBe("Ann Tallow");
  });

  it("names all linked authors where a class marks only the last", () => {
    const html = page(
      "Ferry returns",
      `<h1>Ferry returns</h1><p>By <a href="/author/ann">Ann Tallow</a>, <a href="/author/bo">Bo Reed</a> and
        <span class="last-byline"><a href="/author/cy">Cy Marsh</a></span></p><p>Text.`,
    );
    expect(read(html)["author"]).toBe("Ann Tallow, Bo Reed, Cy Marsh");
  });

  it("omits empty authors, lists of empty values, and a reporter's profession", () => {
    expect(read(buildHead(`<meta name="author" content="">`))).not.toHaveProperty("author");
    expect(
      read(buildHead(`<meta name="keywords" content=""><meta name="keywords" content=" ">`)),
    ).not.toHaveProperty("keywords");
    expect(read(buildHead(`<meta name="author" content="신현주 기자">`))["author"]).toBe("신현주");
  });
});

describe("parts, bylines and titles of layouts", () => {
  const page = (body: string, head = "") =>
    read(`<head><title>Ferry returns - Coast Daily</title>${head}</head><body>${body}`);
  const heading = "<h1>Ferry returns</h1>";

  it.each([
    [`<div class="content with-sidebar"><p>by <b>Ann Tallow</b></p>${heading}</div>`],
    [`<div class="page sidebar-right">${heading}<p>by <b>Ann Tallow</b></p></div>`],
    [
      `<div class="elementor-widget">${heading}</div><div class="elementor-widget"><p>by <b>Ann Tallow</b></p></div>`,
    ],
  ])("trusts a part that contains the main heading: %s", (body) => {
    const menu = `<div class="sidebar"><p>by <b>Max Moe</b></p></div>`;
    expect(page(`${menu}${body}`)["author"]).toBe("Ann Tallow");
  });

  it("trusts no navigation that contains the main heading", () => {
    const date = `<span class="date">12 November 2024</span>`;
    expect(
      page(`<nav>${heading}<span class="date">3 May 2019</span></nav>${date}`)["publishedTime"],
    ).toBe("2024-11-12");
  });

  it.each([
    [`<span class="job-card-hero__author">Ann Tallow</span>`],
    [`<p class="info-box share__contributors--author">Ann Tallow</p>`],
    [`<h4 class="author-box__name">Ann Tallow</h4>`],
  ])("reads the last part of a class name: %s", (byline) => {
    expect(page(`${heading}${byline}`)["author"]).toBe("Ann Tallow");
  });

  it("takes no job title, rating or social network for a name", () => {
    expect(
      page(`${heading}<p class="byline-author__title">Senior Autos Reporter</p>`),
    ).not.toHaveProperty("author");
    expect(page(`${heading}<a href="/profile/acme/">4.8</a>`)).not.toHaveProperty("author");
    expect(page(`${heading}<a href="/profile/coast.example/">Bluesky</a>`)).not.toHaveProperty(
      "author",
    );
  });

  it("prefers a visible name to the account that is declared", () => {
    const byline = `<p class="byline">By Ann Tallow</p>`;
    for (const account of ["anntallow", "AnnT", "user_12"])
      expect(page(heading + byline, `<meta name="author" content="${account}">`)["author"]).toBe(
        "Ann Tallow",
      );
    expect(page(heading, `<meta name="author" content="AnnT">`)["author"]).toBe("AnnT");
    expect(page(heading, `<meta name="author" content="105092">`)).not.toHaveProperty("author");
  });

  it("gives the newsroom that a byline names if nobody else is named", () => {
    const site = `<meta property="og:site_name" content="Coast Daily">`;
    expect(page(`${heading}<p class="author">Coast Daily</p>`, site)["author"]).toBe("Coast Daily");
    expect(
      page(`${heading}<p class="author">Coast Daily</p><p>By <b>Ann Tallow</b></p>`, site)[
        "author"
      ],
    ).toBe("Ann Tallow");
  });

  it("keeps the author of a personal site although the text names others", () => {
    const text = `<p>Text.</p>`.repeat(20);
    expect(
      read(
        `<head><title>Ferry returns</title><meta name="author" content="Ann Tallow"></head><body>${heading}${text}<p>by <b>Max Moe</b></p>`,
        "https://anntallow.example/p/ferry",
      )["author"],
    ).toBe("Ann Tallow");
  });

  it("reads author and time of the first post of a thread", () => {
    const post = (id: number, author: string, time: string) =>
      `<div id="p${id}" class="blockpost"><h2><span>#${id} <a href="#p${id}">${time}</a></span></h2>
       <div class="postleft"><dl><dt><strong>${author}</strong></dt></dl></div><div class="postmsg"><p>Some text about ferries.</p></div></div>`;
    expect(
      page(
        `<div id="punviewtopic">${post(1, "tallow99", "2024-11-12 15:14:37")}${post(2, "moe", "2024-11-13 09:00:00")}</div>`,
      ),
    ).toMatchObject({ author: "tallow99", publishedTime: "2024-11-12T15:14:00" });
  });

  it("takes no author of a reply from microdata", () => {
    const text = (name: string) =>
      `<span itemprop="author" itemscope><b itemprop="name">${name}</b></span>`;
    const reply = (property: string) =>
      `<div itemscope itemprop="${property}">${text("Max Moe")}</div>`;
    for (const property of ["comment", "suggestedAnswer"])
      expect(
        page(`${reply(property)}${heading}${text("Ann Tallow")}${reply(property)}`)["author"],
      ).toBe("Ann Tallow");
  });

  it("takes no date in a side part for the publication that is marked as an update", () => {
    expect(
      page(
        `${heading}<aside><p>Updated <time datetime="2024-11-12">12 November</time></p></aside>`,
      ),
    ).not.toHaveProperty("publishedTime");
  });

  it("leaves the readings of ruby out of headings", () => {
    const ruby =
      "<h1><ruby>子<rp>(</rp><rt>こ</rt><rp>)</rp></ruby>どもの<ruby>日<rt>ひ</rt></ruby></h1>";
    expect(read(`<title>子どもの日 | News</title><body>${ruby}`)["articleTitle"]).toBe(
      "子どもの日",
    );
  });

  it("gives a home page only the author and date that it declares", () => {
    const entry = `<article><h2><a href="/f">Ferry returns</a></h2><p class="byline">By <a rel="author" href="/ann">Ann Lee</a></p><time datetime="2026-03-05">5 March</time></article>`;
    const answers = (url: string, head = "") => {
      const { author, publishedTime } = read(`<title>Coast</title>${head}<body>${entry}`, url);
      return [author, publishedTime];
    };
    expect(answers("https://www.example.org/")).toEqual([undefined, undefined]);
    expect(answers("https://www.example.org/?p=12")).toEqual(["Ann Lee", "2026-03-05"]);
    expect(answers(URL_OF_PAGE)).toEqual(["Ann Lee", "2026-03-05"]);
    const declared = `<meta name="author" content="Bo Roe"><meta property="article:published_time" content="2026-01-02">`;
    expect(answers("https://www.example.org/", declared)).toEqual(["Bo Roe", "2026-01-02"]);
  });

  it("takes the only main heading for the article's title, but not for the page's", () => {
    const titles = (head: string, body: string, url = URL_OF_PAGE) => {
      const metadata = read(
        `<title>Boats 2026: all harbours | Coast</title>${head}<body>${body}`,
        url,
      );
      return [metadata["title"], metadata["articleTitle"]];
    };
    const declared = "Boats 2026: all harbours";
    expect(titles("", heading)).toEqual([declared, "Ferry returns"]);
    expect(titles("", `${heading}<h1>Another</h1>`)).toEqual([declared, declared]);
    expect(titles("", heading, "https://www.example.org/")).toEqual([declared, declared]);
    const website = `<meta property="og:type" content="website">`;
    expect(titles(website, heading)).toEqual([declared, declared]);
    expect(titles("", `<h1>${"Ferry returns ".repeat(30)}</h1>`)).toEqual([declared, declared]);
  });

  it("takes no slogan of the site for the title of an article", () => {
    const slogan = `<meta property="og:title" content="We bring people together">`;
    expect(read(`<title>Tide tables</title>${slogan}<body><p>x`)["articleTitle"]).toBe(
      "Tide tables",
    );
    const site = `<meta property="og:site_name" content="Coast"><title>Coast - News by everyone</title>`;
    expect(read(`${site}<body>${heading}`)["articleTitle"]).toBe("Ferry returns");
    expect(read(`${site}<body>${heading}`, "https://www.example.org/")["articleTitle"]).toBe(
      "News by everyone",
    );
  });
});
