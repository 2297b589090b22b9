import { describe, expect, it } from "vitest";
import { parseHtml } from "../../html/parse/parse.ts";
import { PageModel } from "../../page-model/page-model.ts";
import { readList } from "./read-list.ts";

const URL_OF_PAGE = "https://site.test/news/";

function read(body: string, title = "News"): unknown {
  const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${NAVIGATION}${body}${FOOTER}</body></html>`;
  const model = new PageModel(parseHtml(html));
  return readList(model, {
    pageUrl: URL_OF_PAGE,
    resolve: (address) => URL.parse(address, URL_OF_PAGE)?.href,
  });
}

const NAVIGATION = `<header><nav><ul><li><a href="/">Home</a></li><li><a href="/news/">News</a></li>
<li><a href="/about">About the harbour office</a></li><li><a href="/contact">Contact</a></li><li><a href="/jobs">Work with us</a></li></ul></nav></header>`;
const FOOTER = `<footer><ul><li><a href="/imprint">Imprint and legal notice</a></li><li><a href="/privacy">Privacy policy</a></li>
<li><a href="/accessibility">Accessibility statement of the office</a></li></ul></footer>`;

const article = (slug: string, title: string, day: string, text: string): string =>
  `<article class="post"><h2><a href="/news/${slug}">${title}</a></h2><p class="meta"><time datetime="${day}">some day</time> by <a href="/people/ann">Ann Berg</a></p>
<p>${text}</p><a class="more" href="/news/${slug}">Read more</a> <a href="/news/${slug}#comments">3 comments</a></article>`;

describe("readList", () => {
  it("reads the terms of a description list, with titles that are no headings", () => {
    const paper = (id: string, title: string): string =>
      `<dt><a name="item">[1]</a> <a href="/abs/${id}">report:${id}</a> [<a href="/pdf/${id}">pdf</a>, <a href="/src/${id}">source</a>]</dt>
      <dd><div class="list-title"><span>Title:</span> ${title}</div><div><a href="/by/ann">Ann Berg</a>, <a href="/by/bo">Bo Lind</a></div></dd>`;
    const body = `<main><h1>New reports</h1><ul><li><a href="/list?day=5">Fri, 6 Mar 2026</a></li><li><a href="/list?day=4">Thu, 5 Mar 2026</a></li>
      <li><a href="/list?day=3">Wed, 4 Mar 2026</a></li></ul>
      <dl><h3>Fri, 6 Mar 2026</h3>${paper("26.01", "Silt in the northern harbour")}${paper("26.02", "How gulls choose a mast")}${paper("26.03", "Ropes after ten winters")}</dl></main>`;
    expect(read(body)).toMatchObject([
      { title: "Silt in the northern harbour", url: "https://site.test/abs/26.01" },
      { title: "How gulls choose a mast", url: "https://site.test/abs/26.02" },
      { title: "Ropes after ten winters", url: "https://site.test/abs/26.03" },
    ]);
  });

  it("reads the list below a main heading that elsewhere names a list of other items", () => {
    const film = (slug: string, title: string): string =>
      `<li><a href="/film/${slug}"><h3>${title}</h3></a><p>1h 50m</p></li>`;
    const list = `<ul>${film("a", "Arrival")}${film("b", "Brazil")}${film("c", "Casablanca")}${film("d", "1984")}</ul>`;
    expect(read(`<main><h1>Most popular films</h1>${list}</main>`)).toHaveLength(4);
    expect(read(`<main><h1>Arrival</h1><h2>Most popular films</h2>${list}</main>`)).toBeUndefined();
  });

  it("reads articles with headings, times and teasers", () => {
    const body = `<main><h1>News</h1>${article("pier", "The old pier reopens", "2026-03-04T09:00:00Z", "After two years of work the old pier is open to walkers again.")}
${article("tide", "Spring tide warning", "2026-03-01", "Cars must leave the lower quay before nine on Saturday evening.")}
${article("ferry", "Ferry fares rise", "2026-02-11", "A single ticket costs four crowns more from the first of April.")}
<div class="pages"><a href="/news/?page=2">2</a> <a href="/news/?page=3">3</a> <a href="/news/?page=4">Older posts</a></div></main>`;
    expect(read(body)).toEqual([
      {
        url: "https://site.test/news/pier",
        title: "The old pier reopens",
        date: "2026-03-04T09:00:00Z",
        summary: "After two years of work the old pier is open to walkers again.",
      },
      {
        url: "https://site.test/news/tide",
        title: "Spring tide warning",
        date: "2026-03-01",
        summary: "Cars must leave the lower quay before nine on Saturday evening.",
      },
      {
        url: "https://site.test/news/ferry",
        title: "Ferry fares rise",
        date: "2026-02-11",
        summary: "A single ticket costs four crowns more from the first of April.",
      },
    ]);
  });

  it("reads cards that are links as a whole", () => {
    const card = (slug: string, title: string, day: string): string =>
      `<a class="card" href="${slug}"><img src="/i/${slug}.jpg" alt=""><span class="tag">Boats</span><h3>${title}</h3><span class="day">${day}</span></a>`;
    const body = `<main><h1>Stories</h1><div class="grid">${card("keel", "How a keel is laid", "March 3, 2026")}${card("rope", "Rope from hemp", "February 27, 2026")}${card("oars", "Oars of ash", "January 9, 2026")}${card("sails", "Sails in the loft", "January 2, 2026")}</div></main>`;
    expect(read(body)).toMatchObject([
      { url: "https://site.test/news/keel", title: "How a keel is laid", date: "2026-03-03" },
      { url: "https://site.test/news/rope", title: "Rope from hemp", date: "2026-02-27" },
      { url: "https://site.test/news/oars", title: "Oars of ash", date: "2026-01-09" },
      { url: "https://site.test/news/sails", title: "Sails in the loft", date: "2026-01-02" },
    ]);
  });

  it("reads an archive of lines with dates before the links, over several years", () => {
    const body = `<main><h1>Archive</h1><h2>2026</h2><ul><li>4 March 2026: <a href="/2026/pier">The old pier reopens</a></li><li>1 March 2026: <a href="/2026/tide">Spring tide warning</a></li></ul>
<h2>2025</h2><ul><li>24 December 2025: <a href="/2025/lights">Lights in the harbour</a></li><li>3 May 2025: <a href="/2025/regatta">Regatta results</a></li></ul></main>`;
    expect(read(body)).toEqual([
      { url: "https://site.test/2026/pier", title: "The old pier reopens", date: "2026-03-04" },
      { url: "https://site.test/2026/tide", title: "Spring tide warning", date: "2026-03-01" },
      { url: "https://site.test/2025/lights", title: "Lights in the harbour", date: "2025-12-24" },
      { url: "https://site.test/2025/regatta", title: "Regatta results", date: "2025-05-03" },
    ]);
  });

  it("reads a table of documents", () => {
    const row = (day: string, name: string, slug: string): string =>
      `<tr><td>${day}</td><td><a href="/files/${slug}.pdf">${name}</a></td><td>PDF, 200 kB</td></tr>`;
    const body = `<main><h1>Minutes</h1><table><tr><th>Date</th><th>Document</th><th>Size</th></tr>${row("2026-03-04", "Minutes of the spring meeting", "spring")}${row("2025-11-19", "Minutes of the autumn meeting", "autumn")}${row("2025-06-02", "Minutes of the summer meeting", "summer")}</table></main>`;
    expect(read(body)).toEqual([
      {
        url: "https://site.test/files/spring.pdf",
        title: "Minutes of the spring meeting",
        date: "2026-03-04",
      },
      {
        url: "https://site.test/files/autumn.pdf",
        title: "Minutes of the autumn meeting",
        date: "2025-11-19",
      },
      {
        url: "https://site.test/files/summer.pdf",
        title: "Minutes of the summer meeting",
        date: "2025-06-02",
      },
    ]);
  });

  it("reads titles beside links that all say the same", () => {
    const item = (slug: string, title: string, text: string): string =>
      `<div class="row"><h3>${title}</h3><p>${text}</p><a href="/jobs/${slug}">Details</a></div>`;
    const body = `<main><h1>Open positions</h1><div>${item("pilot", "Harbour pilot", "You guide ships through the narrow northern entrance in any weather.")}${item("cook", "Ship's cook", "You cook for a crew of nine on the mail boat to the outer islands.")}${item("clerk", "Clerk", "You keep the register of boats and moorings and answer the telephone.")}</div></main>`;
    expect(read(body)).toMatchObject([
      { url: "https://site.test/jobs/pilot", title: "Harbour pilot" },
      { url: "https://site.test/jobs/cook", title: "Ship's cook" },
      { url: "https://site.test/jobs/clerk", title: "Clerk" },
    ]);
  });

  it("reads a plain list of links with long titles", () => {
    const body = `<main><h1>Reading</h1><ol><li><a href="https://a.test/one">Why old ropes break at the splice</a> (a.test)</li><li><a href="https://b.test/two">A short history of the lead line</a> (b.test)</li><li><a href="https://c.test/three">Tar and its many uses aboard</a> (c.test)</li></ol></main>`;
    expect(read(body)).toMatchObject([
      { url: "https://a.test/one", title: "Why old ropes break at the splice" },
      { url: "https://b.test/two", title: "A short history of the lead line" },
      { url: "https://c.test/three", title: "Tar and its many uses aboard" },
    ]);
  });

  it.each([
    [
      "an article with related articles beside it",
      `<main><article><h1>The old pier reopens</h1><p>After two years of work the old pier is <a href="/x">open</a> to walkers again.</p><p>The mayor cut the ribbon at noon.</p></article>
<aside><h2>Related articles</h2>${article("tide", "Spring tide warning", "2026-03-01", "Cars must leave.")}${article("ferry", "Ferry fares rise", "2026-02-11", "A ticket costs more.")}${article("sail", "Sails in the loft", "2026-02-10", "A visit.")}</aside></main>`,
    ],
    [
      "a page with a list of short links only",
      `<main><h1>Topics</h1><ul><li><a href="/t/a">Boats</a></li><li><a href="/t/b">Ropes</a></li><li><a href="/t/c">Sails</a></li><li><a href="/t/d">Tides</a></li></ul></main>`,
    ],
    ["a page without links", "<main><h1>Hello</h1><p>One.</p><p>Two.</p><p>Three.</p></main>"],
  ])("finds no list on %s", (_name, body) => {
    expect(read(body)).toBeUndefined();
  });
});
