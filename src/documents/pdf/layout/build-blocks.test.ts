import { describe, expect, it } from "vitest";
import { column, buildPdfPage, type TextAt } from "../../../../test/documents/pdf-page.ts";
import { buildBlocks } from "./build-blocks.ts";
import type { PdfPage } from "../page-text.ts";
import { toHtml } from "../to-html.ts";

const html = (...pages: PdfPage[]): string[] => buildBlocks(pages).map(toHtml);
const ROW = "words that fill the whole line of a column of text up";
const prose = (count: number): string[] => Array.from({ length: count }, (_, at) => `${at} ${ROW}`);

describe("layOutPages with one column", () => {
  it("joins lines to a paragraph if the next word would not have fit", () => {
    const lines = [
      "The first paragraph goes on over the end of its first",
      "line and ends here.",
      "The second paragraph stands right below the first and",
      "ends, too.",
    ];
    expect(html(buildPdfPage(column(50, 100, lines)))).toEqual([
      "<p>The first paragraph goes on over the end of its first line and ends here.</p>",
      "<p>The second paragraph stands right below the first and ends, too.</p>",
    ]);
  });

  it("joins a word that was divided at a line end", () => {
    const lines = [
      "A word that is too long for its line is divided hyphen-",
      "ated and then goes on.",
    ];
    expect(html(buildPdfPage(column(50, 100, lines)))[0]).toContain("hyphenated and");
  });

  it("finds headings by size and weight, larger ones at higher levels", () => {
    const lines: TextAt[] = [
      { x: 50, y: 100, text: "The title", size: 20 },
      { x: 50, y: 140, text: "A section", size: 14 },
      ...column(50, 160, prose(6)),
      { x: 50, y: 250, text: "A bold line", bold: true },
      ...column(50, 270, prose(6)),
    ];
    const found = html(buildPdfPage(lines));
    expect(found[0]).toBe("<h1>The title</h1>");
    expect(found[1]).toBe("<h2>A section</h2>");
    expect(found).toContain("<h3>A bold line</h3>");
  });

  it("nests lists by the position of their markers", () => {
    const lines: TextAt[] = [
      { x: 60, y: 100, text: "• first item" },
      { x: 80, y: 114, text: "– below it" },
      { x: 60, y: 128, text: "• second item" },
    ];
    expect(html(buildPdfPage(lines))).toEqual([
      "<ul><li>first item<ul><li>below it</li></ul></li><li>second item</li></ul>",
    ]);
  });

  it("keeps the lines and indentation of code", () => {
    const lines: TextAt[] = [
      ...column(50, 40, prose(4)),
      { x: 50, y: 100, text: "for each line {", mono: true },
      { x: 60, y: 112, text: "print it now;", mono: true },
      { x: 50, y: 124, text: "} and then end", mono: true },
    ];
    expect(html(buildPdfPage(lines)).at(-1)).toBe(
      "<pre><code>for each line {\n  print it now;\n} and then end</code></pre>",
    );
  });

  it("treats a typewritten document as text, not as code", () => {
    const lines = prose(4).map((text, at): TextAt => ({
      x: 50,
      y: 40 + at * 12,
      text,
      mono: true,
    }));
    expect(html(buildPdfPage(lines)).join("")).not.toContain("<code>");
  });

  it("adds links at their areas", () => {
    const page = buildPdfPage([{ x: 50, y: 100, text: "see the page there" }], {
      links: [{ x0: 90, x1: 112, y0: 88, y1: 102, href: "https://example.org/?a=1&b=2" }],
    });
    expect(html(page)[0]).toBe(
      '<p>see the <a href="https://example.org/?a=1&amp;b=2">page</a> there</p>',
    );
  });
});

describe("layOutPages with columns", () => {
  it("reads columns one after the other, with crossing content in its place", () => {
    const lines = [
      {
        x: 50,
        y: 100,
        text: "A heading that stands over both of the columns of this page",
        size: 16,
      },
      ...column(
        50,
        130,
        Array.from({ length: 8 }, (_, at) => `left ${at} runs over the full width of it`),
      ),
      ...column(
        320,
        130,
        Array.from({ length: 8 }, (_, at) => `right ${at} runs over the full width of it`),
      ),
    ];
    const text = html(buildPdfPage(lines)).join("\n");
    expect(text.indexOf("left 7")).toBeLessThan(text.indexOf("right 0"));
    expect(text.indexOf("heading")).toBeLessThan(text.indexOf("left 0"));
  });

  it("reads columns of numbers as a table", () => {
    const lines: TextAt[] = [];
    for (const [at, row] of [
      ["Town", "Ships", "Boats"],
      ["Aal", "12", "340"],
      ["Bern", "7", "11"],
      ["Cern", "150", "9"],
    ].entries())
      for (const [column, text] of row.entries())
        lines.push({ x: 50 + column * 120, y: 100 + at * 14, text });
    expect(html(buildPdfPage(lines))).toEqual([
      "<table><tr><th>Town</th><th>Ships</th><th>Boats</th></tr><tr><td>Aal</td><td>12</td><td>340</td></tr>" +
        "<tr><td>Bern</td><td>7</td><td>11</td></tr><tr><td>Cern</td><td>150</td><td>9</td></tr></table>",
    ]);
  });
});

describe("layOutPages with ruled tables", () => {
  it("reads the cells of a ruled table and merges two if a stroke is missing", () => {
    const lines: TextAt[] = [
      { x: 60, y: 115, text: "Both columns" },
      { x: 60, y: 135, text: "one" },
      { x: 160, y: 135, text: "two" },
      { x: 60, y: 155, text: "three" },
      { x: 160, y: 155, text: "four" },
    ];
    const page = buildPdfPage(lines, {
      horizontals: [100, 120, 140, 160].map((at) => ({ at, from: 50, to: 250 })),
      verticals: [
        { at: 50, from: 100, to: 160 },
        { at: 150, from: 120, to: 160 },
        { at: 250, from: 100, to: 160 },
      ],
    });
    expect(html(page)).toEqual([
      '<table><tr><td colspan="2">Both columns</td></tr><tr><td>one</td><td>two</td></tr><tr><td>three</td><td>four</td></tr></table>',
    ]);
  });
});

describe("layOutPages with a ruled table with an unruled row", () => {
  it("assigns words of an unruled row to the columns of the others", () => {
    const row = (y: number, texts: readonly string[]): TextAt[] =>
      texts.map((text, at) => ({ x: 60 + at * 100, y, text }));
    const page = buildPdfPage([...row(115, ["a", "b", "c"]), ...row(135, ["1", "2", "3"])], {
      horizontals: [100, 120, 140].map((at) => ({ at, from: 50, to: 350 })),
      verticals: [50, 150, 250, 350].map((at) => ({
        at,
        from: 100,
        to: at === 50 || at === 350 ? 140 : 120,
      })),
    });
    expect(html(page)[0]).toContain("<tr><td>1</td><td>2</td><td>3</td></tr>");
  });
});

describe("layOutPages with several pages", () => {
  it("removes page numbers and text that repeats at page edges", () => {
    const pages = [1, 2, 3].map((number) =>
      buildPdfPage(
        [
          { x: 50, y: 40, text: `Yearly report ${number}` },
          ...column(50, 200, prose(4)),
          { x: 300, y: 780, text: `${number}` },
        ],
        { number },
      ),
    );
    const text = html(...pages).join("\n");
    expect(text).not.toContain("Yearly report");
    expect(text).not.toMatch(/<p>\d<\/p>/);
  });

  it("joins a sentence that continues on the next page", () => {
    const first = buildPdfPage(
      column(50, 100, ["A paragraph that is not at its end when the page is, but"]),
    );
    const second = buildPdfPage(column(50, 100, ["goes on at the top of the next one."]), {
      number: 2,
    });
    expect(html(first, second)).toEqual([
      "<p>A paragraph that is not at its end when the page is, but goes on at the top of the next one.</p>",
    ]);
  });
});

describe("layOutPages with tagged pages", () => {
  const element = (type: string, tags: number[], children: PdfPage["tags"] = []) => ({
    type,
    tags,
    altText: "",
    columns: 1,
    rows: 1,
    children,
  });

  it("follows tags and drops untagged text at the page edge", () => {
    const page = buildPdfPage(
      [
        { x: 50, y: 20, text: "running header" },
        { x: 50, y: 200, text: "What is a heading", tag: 1 },
        { x: 50, y: 230, text: "an item", tag: 2 },
        { x: 50, y: 244, text: "another", tag: 3 },
      ],
      {
        tags: [
          element(
            "Document",
            [],
            [
              element("H2", [1]),
              element(
                "L",
                [],
                [
                  element("LI", [], [element("LBody", [2])]),
                  element("LI", [], [element("LBody", [3])]),
                ],
              ),
            ],
          ),
        ],
      },
    );
    expect(html(page)).toEqual([
      "<h2>What is a heading</h2>",
      "<ul><li>an item</li><li>another</li></ul>",
    ]);
  });

  it("ignores tags that omit much of the text", () => {
    const page = buildPdfPage(
      [{ x: 50, y: 200, text: "What is a heading", tag: 1 }, ...column(50, 230, prose(5))],
      {
        tags: [element("H2", [1])],
      },
    );
    expect(html(page).join("")).toContain(ROW);
  });
});

describe("layOutPages around tables", () => {
  it("keeps a heading below a table of contents and a typed rule out of the table", () => {
    const contents = [1, 2, 3, 4].flatMap((number) => [
      { x: 60, y: 80 + number * 14, text: `Chapter ${number}` },
      { x: 400, y: 80 + number * 14, text: `${number}0` },
    ]);
    const heading = [
      { x: 60, y: 156, text: "1", size: 14 },
      { x: 100, y: 156, text: "Introduction", size: 14 },
    ];
    const after = column(60, 180, [
      "The text begins here and it goes on for a while until its end.",
    ]);
    const blocks = buildBlocks([buildPdfPage([...contents, ...heading, ...after])]);
    expect(blocks.map(({ kind }) => kind)).toEqual(["table", "heading", "paragraph"]);

    const typed = [
      { x: 60, y: 80, text: "Name" },
      { x: 200, y: 80, text: "Value" },
      { x: 60, y: 92, text: "-------" },
      { x: 200, y: 92, text: "-------" },
      ...["one", "two", "three"].flatMap((text, at) => [
        { x: 60, y: 104 + at * 12, text },
        { x: 200, y: 104 + at * 12, text: String(at) },
      ]),
    ];
    const [table] = buildBlocks([buildPdfPage(typed)]);
    expect(table?.kind === "table" && table.rows.length).toBe(4);
  });
});

describe("layOutPages with manuals", () => {
  it("reads a table of contents as a nested list without leader dots", () => {
    const dots = ".".repeat(40);
    const lines: TextAt[] = [
      { x: 50, y: 100, text: `1. Purpose ${dots} 15` },
      { x: 70, y: 112, text: `1.1. Requirements ${dots} 15` },
      { x: 50, y: 124, text: `2. What it does . . . . . . . . . . xvi` },
    ];
    expect(html(buildPdfPage(lines))).toEqual([
      "<ul><li>1. Purpose … 15<ul><li>1.1. Requirements … 15</li></ul></li><li>2. What it does … xvi</li></ul>",
    ]);
  });

  it("reads a page of leader dots in linear time", () => {
    const dots = ". ".repeat(50_000);
    const lines = column(50, 100, [`First ${dots}x`, `Second ${dots}x`], { size: 0.01 });
    expect(buildBlocks([buildPdfPage(lines)]).length).toBeGreaterThan(0);
  });

  it("reads monospace columns as code, and as a table if lines separate the rows", () => {
    const rows = ["2004  0.84  0.90", "2005  0.14  0.75", "2006  0.95  0.27", "2007  0.65  0.98"];
    const listing = rows.flatMap((row, at) =>
      [...row.matchAll(/\S+/g)].map((match): TextAt => {
        const x = 60 + 10 * match.index;
        return { x, y: 200 + 12 * at, text: match[0], mono: true };
      }),
    );
    const words = column(50, 60, prose(10));
    const kinds = (page: PdfPage): string[] => buildBlocks([page]).map(({ kind }) => kind);
    expect(kinds(buildPdfPage([...words, ...listing]))).toContain("code");
    const horizontals = [0, 12, 24, 36].map((y) => ({ at: 190 + y, from: 55, to: 230 }));
    expect(kinds(buildPdfPage([...words, ...listing], { horizontals }))).toContain("table");
  });

  it("keeps words of code inside headings", () => {
    const words = column(50, 60, prose(6));
    const heading: TextAt[] = [
      { x: 50, y: 170, text: "2.2. Creation of", bold: true },
      { x: 135, y: 170, text: "zooreg", mono: true },
      { x: 170, y: 170, text: "objects", bold: true },
    ];
    const found = html(buildPdfPage([...words, ...heading, ...column(50, 190, prose(6))]));
    expect(found).toContain("<h1>2.2. Creation of zooreg objects</h1>");
  });
});

describe("layOutPages with scans", () => {
  const recognized = (lines: Parameters<typeof buildPdfPage>[0]) => {
    const page = buildPdfPage(lines);
    return { ...page, words: page.words.map((word) => ({ ...word, confidence: 0.9 })) };
  };
  const lines = [
    { x: 60, y: 60, text: "The yearly report of the harbour that is", size: 20 },
    { x: 60, y: 84, text: "printed for all who live here", size: 18 },
    ...column(60, 130, ["This is the text of the report, and it goes on and on until here."]),
    { x: 60, y: 180, text: "Ships of the year", size: 14.5 },
    ...column(60, 210, ["This is the text about ships, and it goes on and on until here."]),
    { x: 60, y: 260, text: "Storms of the year", size: 13.5 },
    ...column(60, 290, ["This is the text about storms, and it goes on and on until here."]),
  ];

  it("gives headings of similar size one level, and joins a heading that continues", () => {
    const headings = (page: ReturnType<typeof buildPdfPage>) =>
      buildBlocks([page]).flatMap((block) => (block.kind === "heading" ? [block.level] : []));
    expect(headings(recognized(lines))).toEqual([1, 2, 2]);
    expect(headings(buildPdfPage(lines))).toEqual([1, 2, 3, 4]);
  });
});
