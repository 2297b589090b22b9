import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const groupedTable = (groups: readonly string[], leaves: readonly string[], rows: string): string =>
  `<table><thead><tr><th rowspan="2">${groups[0] ?? ""}</th>${groups
    .slice(1)
    .map((group) => `<th colspan="2">${group}</th>`)
    .join(
      "",
    )}</tr><tr>${leaves.map((leaf) => `<th>${leaf}</th>`).join("")}</tr></thead><tbody>${rows
    .split("\n")
    .map(
      (row) =>
        `<tr>${row
          .split(" | ")
          .map((cell) => `<td>${cell}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</tbody></table>`;

describe("tables of ski areas", () => {
  const AREA = {
    name: STRING,
    altitude_top_m: INTEGER,
    altitude_bottom_m: INTEGER,
    lifts_open: INTEGER,
    lifts_total: INTEGER,
    slopes_open: INTEGER,
    slopes_total: INTEGER,
  };

  it.each([
    ["de", ["Skigebiet", "Höhe ü. M.", "Geöffnet"], ["Tal", "Berg", "Lifte", "Pisten"]],
    ["it", ["Comprensorio", "Altitudine", "Aperti"], ["valle", "monte", "impianti", "piste"]],
    ["sv", ["Skidområde", "Höjd över havet", "Öppna"], ["botten", "topp", "liftar", "nedfarter"]],
  ])("have open lifts and all, the top and the bottom (%s)", (lang, groups, leaves) => {
    const html = pageOf(
      lang,
      `<h1>Alvdal</h1>${groupedTable(
        groups,
        leaves,
        "Alvdal Nord | 610 m | 1 240 m | 4/6 | 11/18\nBrenna | 480 m | 900 m | 2/2 | 7/9\nCasora | 700 m | 1 510 m | 0/9 | 0/31",
      )}`,
    );
    const rows = readRows(html, "areas", AREA);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({
      name: "Alvdal Nord",
      lifts_open: 4,
      lifts_total: 6,
      slopes_open: 11,
      slopes_total: 18,
    });
  });

  it("have no open ones where the column does not say so", () => {
    const html = pageOf(
      "en",
      `<h1>Fleet</h1>${tableOf(
        ["Name", "Gear ratio", "Lifts"],
        ["Alpha", "4/6", "2/3"],
        ["Beta", "3/5", "1/3"],
        ["Gamma", "2/7", "3/3"],
      )}`,
    );
    const rows = readRows(html, "areas", AREA);
    expect(rows.filter((row) => row.lifts_open !== undefined)).toEqual([]);
  });
});

describe("tables of fares", () => {
  it.each([
    ["es", "Categoría | Transbordador ida | Transbordador ida y vuelta | Hidroala ida"],
    ["de", "Kategorie | Fähre einfache Fahrt | Fähre Hin- und Rückfahrt | Schnellfähre Hinfahrt"],
    ["nb", "Kategori | Ferge enkeltur | Ferge tur/retur | Hurtigbåt enkeltur"],
  ])("have the vessel and the direction in their columns (%s)", (lang, heads) => {
    const html = pageOf(
      lang,
      `<h1>Tarif</h1>${tableOf(
        heads.split(" | "),
        ["A", "12,50 €", "23,00 €", "17,80 €"],
        ["B", "6,30 €", "11,60 €", "8,90 €"],
        ["C", "31,00 €", "58,00 €", "—"],
      )}`,
    );
    const fare = {
      category: STRING,
      ferry_one_way: NUMBER,
      ferry_return: NUMBER,
      hydrofoil_one_way: NUMBER,
      hydrofoil_return: NUMBER,
    };
    expect(readRows(html, "fares", fare)[0]).toEqual({
      category: "A",
      ferry_one_way: 12.5,
      ferry_return: 23,
      hydrofoil_one_way: 17.8,
    });
  });
});
