import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import { publicationPage } from "../../../../test/understanding/references.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const PARTS = {
  journal: string,
  venue: string,
  booktitle: string,
  volume: string,
  issue: string,
  pages: string,
  first_page: integer,
  last_page: integer,
  doi: string,
  first_author: string,
};
const PROPERTIES = {
  title: string,
  authors: { type: "array", items: string },
  year: integer,
  ...PARTS,
};

interface Row {
  title?: string;
  authors?: readonly string[];
  year?: number;
}

const readItems = (heading: string, main: string, lang: string, name: string): readonly Row[] => {
  const items = { type: "object", properties: PROPERTIES };
  const schema = { type: "object", properties: { [name]: { type: "array", items } } };
  const value = draftPage(publicationPage(main, heading, lang), schema).value as
    | Record<string, readonly Row[]>
    | undefined;
  return value?.[name] ?? [];
};

/** Reads lines as list items and as paragraphs: no titles but the given ones, no years but those, no parts of references. */
function expectNoReferences(
  heading: string,
  lines: readonly string[],
  {
    lang = "en",
    titles = [],
    years = [],
    authors = [],
  }: {
    lang?: string;
    titles?: readonly string[];
    years?: readonly number[];
    authors?: readonly string[];
  } = {},
): void {
  const layouts = [
    `<ul>${lines.map((line) => `<li>${line}</li>`).join("")}</ul>`,
    lines.map((line) => `<p>${line}</p>`).join("\n"),
  ];
  const wrong = layouts.flatMap((main) =>
    ["items", "publications"].flatMap((name) =>
      readItems(heading, main, lang, name).flatMap((row) =>
        Object.entries(row).filter(
          ([property, value]) =>
            !(
              (property === "title" && titles.includes(String(value))) ||
              (property === "year" && years.includes(Number(value))) ||
              (property === "authors" &&
                (value as readonly string[]).every((author) => authors.includes(author)))
            ),
        ),
      ),
    ),
  );
  expect(wrong).toEqual([]);
}

describe("lines that look like references", () => {
  it("of staff are no references", () => {
    expectNoReferences(
      "Staff",
      [
        "Doe, J. (2024). She joined the lab from Oslo. Room 12, floor 3.",
        "Jane Roe (2023). He joined after his studies in Ghent. Building 4(2), 10–12 h.",
        "Berg, Tom (2021). Technician for boats and engines. Telephone 55 12–19.",
      ],
      { years: [2024, 2023, 2021] },
    );
  });

  it("of news are no references", () => {
    expectNoReferences(
      "News",
      [
        "Lindqvist, M. (2024). Our paper won a prize in Paris. Congratulations, Maja!",
        "Okafor and Ruiz (2023) found salt in the well. The Tribune, page 4, has the story.",
        "March 2022. “We were surprised,” Bao said in the Coastal Times, vol. 3 of the local paper.",
      ],
      { years: [2024, 2023, 2022] },
    );
  });

  it("of comments are no references", () => {
    expectNoReferences(
      "12 comments",
      [
        "<b>Smith, J.</b> (2019). I loved this book. Would read again, 10/10.",
        "<b>Jones, K.</b> (2020). Is this still open? Asking for a friend, 2–3 people.",
        "<b>Abara, N.</b> (2021). Same here. See page 4, 12(3).",
      ],
      { years: [2019, 2020, 2021] },
    );
  });

  it("of product reviews are no references", () => {
    expectNoReferences(
      "Reviews",
      [
        "Anna K. (2023). Great lamp, bad cable. Bought in the shop, 4 stars.",
        "Tom B. (2022). Too dark for me. Returned after 2–3 days.",
        "Eva L. (2022). Exactly what I wanted. Delivered in 1–2 days, 5 stars.",
      ],
      { years: [2023, 2022] },
    );
  });

  it("of events are no references", () => {
    expectNoReferences(
      "Veranstaltungen",
      [
        "Müller, Anna: Lesung am Hafen. In: Stadtbibliothek 12. Mai 2024, 19–21 Uhr.",
        "Berg, Tom: Konzert im Park. In: Stadthalle, 3. Juni 2024, 20–22 Uhr.",
        "Lang, Eva: Vortrag über Watt. In: Rathaus, Saal 2 (2. Stock), 18–19 Uhr.",
      ],
      {
        lang: "de",
        titles: ["Lesung am Hafen", "Konzert im Park", "Vortrag über Watt"],
        years: [2024],
      },
    );
  });

  it("of films are no references", () => {
    expectNoReferences(
      "Films of the week",
      [
        "Night Ferry (2019). Directed by Elena Rossi. Drama, 112 min.",
        "The Last Buoy (2021). Directed by Tom Berg. Comedy, 98 min.",
        "Harbor, L. (2020). Thriller about a missing captain. Rated 12, 101 min.",
      ],
      { titles: ["Night Ferry", "The Last Buoy", "Harbor, L."], years: [2019, 2021, 2020] },
    );
  });

  it("of auctions are no references, and years of lives are no years", () => {
    expectNoReferences(
      "Lots",
      [
        "Müller, Anna (1912–1980): Hafen bei Nacht. Öl auf Leinwand, 33 × 51 cm.",
        "Berg, Tom (1899–1967): Zwei Boote. Radierung, 12 × 18 cm, Auflage 3 (20).",
        "Lang, Eva (1931–2004): Watt. Aquarell, 40–50 cm.",
      ],
      { lang: "de", titles: ["Hafen bei Nacht", "Zwei Boote", "Watt"] },
    );
  });

  it("of a list of changes are no references", () => {
    expectNoReferences(
      "Changelog",
      [
        "Smith, J. (2023). Fixed the login. Closes 12(3), lines 44–61.",
        "Jones, K., &amp; Smith, J. (2023). Moved the docs. See issue 7, comments 3–5.",
        "Abara, N. (2022). Removed the old parser. Version 2, files 1–9.",
      ],
      { years: [2023, 2022] },
    );
  });

  it("of wines are no references", () => {
    expectNoReferences(
      "Wine list",
      [
        "Rossi, E. (2018). Barolo riserva. Piedmont, 14 %, 75 cl.",
        "Dupont, J. (2020). Sancerre. Loire, 12.5 %, 75 cl.",
        "Müller, A. (2021). Riesling trocken. Mosel, 11–12 %.",
      ],
      { titles: ["Barolo riserva", "Sancerre", "Riesling trocken"], years: [2018, 2020, 2021] },
    );
  });

  it("of court cases name no authors", () => {
    expectNoReferences(
      "Cases",
      [
        "Smith v. Jones, 12 F.3d 45 (2d Cir. 2019).",
        "State v. Harbor Co., 7 P.2d 112, 115–118 (Or. 2016).",
        "In re Coastal Trust, 31 N.E. 9 (2012).",
      ],
      {
        titles: [
          "Smith v. Jones",
          "State v. Harbor Co.",
          "In re Coastal Trust",
          "Smith v. Jones, 12 F.3d 45 (2d Cir. 2019).",
          "State v. Harbor Co., 7 P.2d 112, 115–118 (Or. 2016).",
          "In re Coastal Trust, 31 N.E. 9 (2012).",
        ],
        years: [2019, 2016, 2012],
      },
    );
  });

  it("of former officers are no references", () => {
    expectNoReferences(
      "Former chairs",
      [
        "Berg, T. (2015–2019). Chair of the society, then honorary member.",
        "Rossi, E. (2011–2015). Chair. Founder of the journal Archive Studies, 7(2).",
        "Haas, P. (2008–2011). First chair of the society.",
      ],
      { years: [2015, 2011, 2008] },
    );
  });
});

describe("pages with references beside their content", () => {
  const REFERENCES =
    '<h2>References</h2><ol class="references"><li>Okafor, C. N., &amp; Lindqvist, M. (2021). Tidal mixing in narrow fjords. <em>Journal of Coastal Physics</em>, <em>48</em>(3), 211–229.</li><li>Bao, T. (2018). Sand budgets. <em>Marine Geology Letters</em>, <em>7</em>(1), 15–31. https://doi.org/10.5555/mgl.7.1</li></ol>';
  const text =
    "<p>Waves move sand along the coast, and they do so most in winter (Bao, 2018). In the fjords the tide does the work, as Okafor and Lindqvist (2021) showed with a row of moored gauges.</p><p>This guide explains how to read the charts of the survey and what their colors stand for.</p>";
  const properties = {
    title: string,
    author: string,
    authors: { type: "array", items: string },
    year: integer,
    journal: string,
    volume: string,
    pages: string,
    doi: string,
  };

  it("do not have the parts of their references", () => {
    const html = publicationPage(
      `<p class="byline">By <a rel="author" href="/haas">Petra Haas</a></p>${text}${REFERENCES}`,
      "How to read a chart",
    );
    const value = draftPage(html, { type: "object", properties }).value as Record<string, unknown>;
    expect(value).toMatchObject({ title: "How to read a chart" });
    const { title: _, author, authors, ...rest } = value;
    expect([undefined, "Petra Haas"]).toContain(author);
    expect([undefined, '["Petra Haas"]']).toContain(
      authors === undefined ? undefined : JSON.stringify(authors),
    );
    expect(rest).toEqual({});
  });

  it("give no paragraph with references in brackets as a record", () => {
    expect(readItems("How to read a chart", text, "en", "publications")).toEqual([]);
  });

  it("have their staff read as people, not as authors", () => {
    const people =
      "<h2>People</h2><ul><li><h3>Petra Haas</h3><p>Professor</p></li><li><h3>Luis Mora</h3><p>Postdoc</p></li><li><h3>Tao Bao</h3><p>Lecturer</p></li></ul>";
    const items = { type: "object", properties: { name: string, role: string } };
    const schema = { type: "object", properties: { people: { type: "array", items } } };
    const html = publicationPage(people + REFERENCES, "Coastal physics");
    expect(draftPage(html, schema).value).toEqual({
      people: [
        { name: "Petra Haas", role: "Professor" },
        { name: "Luis Mora", role: "Postdoc" },
        { name: "Tao Bao", role: "Lecturer" },
      ],
    });
  });
});
