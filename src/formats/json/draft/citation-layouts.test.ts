import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import {
  type Entry,
  expectRead,
  publicationPage,
  readRows,
} from "../../../../test/understanding/references.ts";

const TIDES =
  "Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. <em>Journal of Coastal Physics</em>, <em>48</em>(3), 211–229.";
const SANDS =
  "Bao, T., Ruiz, E., &amp; Okafor, C. N. (2018). Sand budgets of barrier islands. <em>Marine Geology Letters</em>, <em>7</em>(1), 15–31.";
const READ_TIDES =
  "Okafor, C. N.; Lindqvist, M. | 2021 | Tidal mixing in narrow fjords | Journal of Coastal Physics | 48(3) | 211–229";
const READ_SANDS =
  "Bao, T.; Ruiz, E.; Okafor, C. N. | 2018 | Sand budgets of barrier islands | Marine Geology Letters | 7(1) | 15–31";
const bold = (html: string): string =>
  html.replace("Okafor, C. N.", "<strong>Okafor, C. N.</strong>");
type Layout = (entries: readonly Entry[]) => string;

function expectReferences(layout: Layout, link = ""): void {
  expectRead(
    [
      [TIDES + link, READ_TIDES],
      [SANDS + link, READ_SANDS],
    ],
    { layout },
  );
}

describe.each([
  ["without links", ""],
  ["with links", ' <a href="/paper.pdf">[PDF]</a>'],
] as const)("lists of references %s", (_name, link) => {
  const expectLayout = (layout: Layout): void => expectReferences(layout, link);

  it("are read from numbered lists with the own name in bold", () => {
    expectLayout(
      (entries) =>
        `<ol reversed>${entries.map(([html]) => `<li>${bold(html)}</li>`).join("")}</ol>`,
    );
  });

  it.each([
    ["points", (at: number) => `${at}. `],
    ["square brackets", (at: number) => `[${at}] `],
    ["round brackets", (at: number) => `(${at}) `],
    ["letters", (at: number) => `<span class="no">[J${at}]</span> `],
  ])("are read from paragraphs numbered with %s", (_, number) => {
    expectLayout((entries) =>
      entries.map(([html], at) => `<p>${number(entries.length - at)}${html}</p>`).join("\n"),
    );
  });

  it("are read from the blocks that citation processors write", () => {
    expectLayout(
      (entries) =>
        `<div class="csl-bib-body" style="line-height: 2; padding-left: 1em; text-indent: -1em">${entries.map(([html]) => `<div class="csl-entry">${html}</div>`).join("")}</div>`,
    );
  });

  it("are read below years as headings", () => {
    expectLayout((entries) =>
      entries
        .map(([html], at) => `<h2>${["2021", "2018"][at]}</h2><ul><li>${html}</li></ul>`)
        .join(""),
    );
  });

  it("are read with abstracts that fold out", () => {
    const fold =
      "<details><summary>Abstract</summary><p>We measure currents in fjords. Smith (2012) found none. Our gauges, 12(3) in number, recorded pp. 4–9 of the log.</p></details>";
    expectLayout(
      (entries) => `<ul>${entries.map(([html]) => `<li>${html}${fold}</li>`).join("")}</ul>`,
    );
  });

  it("are read after education and before talks in a curriculum", () => {
    expectLayout(
      (entries) =>
        `<h2>Education</h2><ul><li>2012–2016 PhD in oceanography, University of Bergen</li><li>2010–2012 MSc in physics, Lagos</li></ul><h2>Publications</h2><ul>${entries.map(([html]) => `<li>${html}</li>`).join("")}</ul><h2>Teaching</h2><ul><li>Waves (2019, 2020)</li><li>Field course on sediments (2018)</li></ul>`,
    );
  });
});

describe("references of groups", () => {
  it("are read with notes and links behind them", () => {
    const notes =
      ' <strong>Best paper award.</strong> <a href="/a.pdf">[PDF]</a> <a href="/a.bib">[BibTeX]</a> <button type="button">Abstract</button>';
    expectReferences(
      (entries) =>
        `<ul>${entries.map(([html], at) => `<li>${html}${at === 0 ? notes : ' [<a href="/b.pdf">PDF</a>] [<a href="/b.bib">BibTeX</a>]'}</li>`).join("")}</ul>`,
    );
  });

  it("are read with linked titles and linked names", () => {
    expectReferences(
      (entries) =>
        `<ul>${entries
          .map(([html]) => {
            const linked = html
              .replace("Okafor, C. N.", '<a href="/people/okafor">Okafor, C. N.</a>')
              .replace(/\. ([TS][^.]+)\. <em>/, '. <a href="/papers/1">$1</a>. <em>');
            return `<li class="paper">${linked}</li>`;
          })
          .join("")}</ul>`,
    );
  });

  it.fails("are read from tables with numbers and links beside them", () => {
    expectReferences(
      (entries) =>
        `<table><tbody>${entries.map(([html], at) => `<tr><td>${at + 1}</td><td>${html}</td><td><a href="/pdf/${at}.pdf">PDF</a></td></tr>`).join("")}</tbody></table>`,
    );
  });

  it.fails("keep each part whose element has its own class", () => {
    const item = (title: string, authors: string, venue: string, year: number): string =>
      `<div class="row"><div class="title"><a href="/p/${year}">${title}</a></div><div class="author">${authors}</div><div class="periodical"><em>${venue}</em>, ${year}</div><div class="links"><a class="btn" href="/p/${year}.pdf">PDF</a><a class="btn" href="#">Bib</a></div></div>`;
    const first = item(
      "Fast joins on slow disks",
      '<a href="/zhang">Wei Zhang</a>, <em>Ines Costa</em>, and Omar Haddad',
      "Proceedings of Large Tables",
      2023,
    );
    const second = item(
      "Sorting in place, twice",
      "<em>Ines Costa</em> and Omar Haddad",
      "Transactions on Tables",
      2021,
    );
    expectRead(
      [
        [
          first,
          "?Wei Zhang; Ines Costa; Omar Haddad | ?2023 | Fast joins on slow disks | ?Proceedings of Large Tables",
        ],
        [
          second,
          "?Ines Costa; Omar Haddad | ?2021 | Sorting in place, twice | ?Transactions on Tables",
        ],
      ],
      {
        layout: (entries) =>
          `<div class="bibliography">${entries.map(([html]) => html).join("")}</div>`,
      },
    );
  });

  it.fails("take no conference, award or link for a title below a linked one", () => {
    const item = (title: string, names: string, venue: string): string =>
      `<a href="/p/${title.length}.pdf">${title}</a><br>${names}<br><i>${venue}</i> <b>Best paper award</b> [<a href="/s.pdf">Slides</a>]`;
    expectRead([
      [
        item("Grasping wet rope", "A. Sato, <b>M. Berg</b>", "ICFR 2020"),
        "?A. Sato; M. Berg | ?2020 | Grasping wet rope | ?conf: ICFR 2020 ~ ICFR",
      ],
      [
        item("Maps for tidal flats: a survey", "<b>M. Berg</b>, J. K. Holt", "EWMM 2017"),
        "?M. Berg; J. K. Holt | ?2017 | Maps for tidal flats: a survey | ?conf: EWMM 2017 ~ EWMM",
      ],
    ]);
  });

  it("give every entry its own year, whatever years its title and its section name", () => {
    const rows = readRows(
      publicationPage(
        "<h2>2018–2021</h2><ul><li>Rossi, E. (2021). The winter of 1962. <i>Cold Pasts</i>, <i>8</i>(1), 1–20. <a href='/1962.pdf'>PDF</a></li><li>Rossi, E. (2018). 1848 in letters. <i>Cold Pasts</i>, <i>5</i>(2), 30–44. <a href='/1848.pdf'>PDF</a></li></ul>",
      ),
      { title: { type: "string" }, year: { type: "integer" } },
    );
    expect(rows).toEqual([
      { title: "The winter of 1962", year: 2021 },
      { title: "1848 in letters", year: 2018 },
    ]);
  });
});

describe("other names of lists and properties", () => {
  const S = { type: "string" };
  const link = '<a href="/paper.pdf">[PDF]</a>';
  const html = publicationPage(
    `<ul><li>${TIDES} ${link}</li><li>${SANDS} ${link}</li><li>Mora, L. (2023). Storm names. <em>Weather Weekly</em>, <em>80</em>(11), 3–4. ${link}</li></ul>`,
  );
  const I = { type: "integer" };
  const columnsOf = (properties: Record<string, unknown>): readonly (readonly unknown[])[] =>
    readRows(html, { title: S, ...properties }).map((row) =>
      Object.keys(properties).map((name) => row[name]),
    );

  it.each([
    ["texts", S, ["211", "229"], ["15", "31"], ["3", "4"]],
    ["integers", I, [211, 229], [15, 31], [3, 4]],
  ])("are understood for first and last pages as %s", (_name, type, ...pages) => {
    expect(columnsOf({ first_page: type, last_page: type })).toEqual(pages);
    expect(columnsOf({ start_page: type, end_page: type })).toEqual(pages);
  });

  it("are understood for first authors alone", () => {
    expect(columnsOf({ first_author: S })).toEqual([["Okafor, C. N."], ["Bao, T."], ["Mora, L."]]);
  });

  it("are understood for first authors beside all authors", () => {
    expect(columnsOf({ authors: S, first_author: S }).map((row) => row[1])).toEqual([
      "Okafor, C. N.",
      "Bao, T.",
      "Mora, L.",
    ]);
  });

  const valueOf = (list: string, properties: Record<string, unknown>): unknown =>
    draftPage(html, {
      type: "object",
      properties: { [list]: { type: "array", items: { type: "object", properties } } },
    }).value;

  it("are understood for papers", () => {
    const properties = { name: S, year: S, journal_name: S, page_range: S };
    expect(valueOf("papers", properties)).toEqual({
      papers: [
        {
          name: "Tidal mixing in narrow fjords",
          year: "2021",
          journal_name: "Journal of Coastal Physics",
          page_range: "211–229",
        },
        {
          name: "Sand budgets of barrier islands",
          year: "2018",
          journal_name: "Marine Geology Letters",
          page_range: "15–31",
        },
        { name: "Storm names", year: "2023", journal_name: "Weather Weekly", page_range: "3–4" },
      ],
    });
  });

  it.fails("are understood for articles with numbers", () => {
    const properties = { article_title: S, published_year: I, volume: I, number: S };
    expect(valueOf("articles", properties)).toEqual({
      articles: [
        {
          article_title: "Tidal mixing in narrow fjords",
          published_year: 2021,
          volume: 48,
          number: "3",
        },
        {
          article_title: "Sand budgets of barrier islands",
          published_year: 2018,
          volume: 7,
          number: "1",
        },
        { article_title: "Storm names", published_year: 2023, volume: 80, number: "11" },
      ],
    });
  });

  it("are understood for authors as records", () => {
    const authors = { type: "array", items: { type: "object", properties: { name: S } } };
    const value = valueOf("references", { title: S, authors }) as
      | { references?: readonly { title?: string; authors?: readonly unknown[] }[] }
      | undefined;
    expect(value?.references?.map(({ title }) => title)).toEqual([
      "Tidal mixing in narrow fjords",
      "Sand budgets of barrier islands",
      "Storm names",
    ]);
    expect([
      undefined,
      JSON.stringify([{ name: "Okafor, C. N." }, { name: "Lindqvist, M." }]),
    ]).toContain(JSON.stringify(value?.references?.[0]?.authors));
  });

  it.fails("leave properties without a value that references do not name", () => {
    const properties = { title: S, abstract: S, publisher: S, isbn: S, language: S, city: S };
    expect(valueOf("publications", properties)).toEqual({
      publications: [
        { title: "Tidal mixing in narrow fjords" },
        { title: "Sand budgets of barrier islands" },
        { title: "Storm names" },
      ],
    });
  });
});
