import { describe, expect, it } from "vitest";
import { INTEGER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const BOOK = {
  title: STRING,
  subtitle: STRING,
  publisher: STRING,
  year: INTEGER,
  pages: INTEGER,
  isbn: STRING,
};
const entry = (title: string, rest: string, ...lines: readonly string[]): string =>
  `<a href="/titre/${title.length}"><b>${title}</b></a>${rest}<br>${lines.join("<br>")}`;
const FIRST = entry(
  "La marée haute",
  " : histoire d'un port / Ada Whit",
  "<i>Ada Whit</i>",
  "Orn : Éditions du Goéland, 2021 - 2e éd. - 312 p.",
  "Livre | ISBN 978-3-16-148410-0",
);
const SECOND = entry(
  "Les cordes",
  "",
  "<i>Bo Tran</i>",
  "Presses du Quai, 1998 - xii, 96 p. : ill.",
  "Emprunté le 12/04/2026",
);
const LOAN = '<a href="/pret/1">Réserver</a>';
const expected = [
  {
    title: "La marée haute",
    subtitle: "histoire d'un port",
    publisher: "Éditions du Goéland",
    year: 2021,
    pages: 312,
    isbn: "978-3-16-148410-0",
  },
  { title: "Les cordes", publisher: "Presses du Quai", year: 1998, pages: 96 },
];

describe("entries of library catalogs", () => {
  it("are read by their punctuation from the cells of a layout table", () => {
    const row = (at: number, cell: string): string =>
      `<tr><td>${at}.</td><td>${cell}</td><td>${LOAN}</td></tr>`;
    const html = pageOf("fr", `<h1>Résultats</h1><table>${row(1, FIRST)}${row(2, SECOND)}</table>`);
    expect(readRows(html, "books", BOOK)).toEqual(expected);
  });

  it("are read from the items of a list", () => {
    const html = pageOf(
      "fr",
      `<h1>Résultats</h1><ol><li><p>${FIRST}</p>${LOAN}</li><li><p>${SECOND}</p>${LOAN}</li></ol>`,
    );
    expect(readRows(html, "books", BOOK)).toEqual(expected);
  });

  it("are no cards with a name and a year", () => {
    const card = (title: string, line: string): string =>
      `<li><h3>${title}</h3><p>${line}</p><p>Oil on canvas</p></li>`;
    const html = pageOf(
      "en",
      `<h1>Works</h1><ul>${card("Harbor", "Ada Whit, 1998")}${card("Nets", "Bo Tran, 2004")}</ul>`,
    );
    expect(JSON.stringify(readRows(html, "books", BOOK))).not.toMatch(/publisher|pages/);
  });
});
