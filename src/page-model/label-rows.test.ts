import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { PageModel } from "./page-model.ts";

const pairsOf = (rows: string): string[] =>
  new PageModel(
    parseHtml(`<!doctype html><html><body><table>${rows}</table></body></html>`),
  ).pairs.map(({ label, value }) => `${label} = ${value}`);

type Cell = (text: string) => string;
const td: Cell = (text) => `<td>${text}</td>`;
const rowOf =
  (label: Cell, value: Cell) =>
  (...texts: readonly string[]): string =>
    `<tr>${texts.map((text, at) => (at % 2 === 0 ? label(text) : value(text))).join("")}</tr>`;

describe("rows of several labels and values", () => {
  it.each<readonly [string, Cell, Cell]>([
    ["header cells", (text) => `<th>${text}</th>`, td],
    ["a class", (text) => `<td class="k">${text}</td>`, (text) => `<td class="v">${text}</td>`],
    ["a color", (text) => `<td bgcolor="#eee"><font>${text}</font></td>`, td],
    ["bold type", (text) => td(`<b>${text}</b>`), td],
    ["colons", (text) => td(text === "" ? "" : `${text}:`), td],
  ])("are pairs if the labels are marked by %s", (_, label, value) => {
    const row = rowOf(label, value);
    const html = [
      row("Baujahr", "1964", "Wohnfläche", "118 m²"),
      row("Etagen", "2", "Heizung", "Fernwärme"),
      row("Keller", "ja", "", ""),
    ].join("");
    expect(pairsOf(html)).toEqual([
      "Baujahr = 1964",
      "Wohnfläche = 118 m²",
      "Etagen = 2",
      "Heizung = Fernwärme",
      "Keller = ja",
    ]);
  });

  it.each([
    ["nothing marks the labels", rowOf(td, td)("Lena", "Kiel", "Jonas", "Bremen")],
    [
      "the labels have digits",
      rowOf((text) => `<th>${text}</th>`, td)("12 links", "drei", "13 links", "vier"),
    ],
    [
      "the table names its columns",
      `<tr><th>Heim</th><th>Tore</th><th>Gast</th><th>Tore</th></tr>${rowOf((text) => td(`<b>${text}</b>`), td)("Kiel", "3", "Bremen", "4")}`,
    ],
  ])("are no pairs if %s", (_, row) => {
    expect(pairsOf(row)).toEqual([]);
  });
});
