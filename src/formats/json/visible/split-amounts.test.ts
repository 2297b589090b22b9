import { describe, expect, it } from "vitest";
import { type Case, readFigure } from "../../../../test/understanding/report-pages.ts";
import { pageOf } from "../../../../test/understanding/schema-pages.ts";

const cell = (text: string, columns = 1): string =>
  columns === 1 ? `<td>${text}</td>` : `<td colspan="${columns}">${text}</td>`;
const row = (cells: readonly string[]): string => `<tr>${cells.join("")}</tr>`;
/** Builds the four cells of an amount: a gap, the sign, the digits and the bracket behind them. */
const amount = (text: string, sign: string): string => {
  const negative = text.startsWith("(");
  return [
    cell(""),
    cell(text === "" ? "" : sign),
    cell(negative ? text.slice(0, -1) : text),
    cell(negative ? ")" : ""),
  ].join("");
};
/** Builds a table of data cells; a line is "label|amounts", a "$" before the label puts signs into it. */
const statement = (heads: readonly (readonly string[])[], ...lines: readonly string[]): string => {
  const columns = heads.at(-1)?.length ?? 0;
  const head = heads.map((texts) =>
    row([
      cell(""),
      ...texts.map((text) => cell("") + cell(text, 4 * (columns / texts.length) - 1)),
    ]),
  );
  const body = lines.map((line) => {
    const [label = "", ...amounts] = line.replace(/^[$€£]/u, "").split("|");
    const sign = /^[$€£]/u.exec(line)?.[0] ?? "";
    return row([cell(label), ...amounts.map((text) => amount(text, sign))]);
  });
  return `<table>${head.join("")}${body.join("")}</table>`;
};
const page = (table: string, lang = "en", heading = "Consolidated statements"): string =>
  pageOf(lang, `<h1>${heading}</h1><p>Unaudited.</p>${table}`);

const YEARS = page(
  statement(
    [["2025", "2024"]],
    "$Revenue|79,819|74,026",
    "Cost of revenue|(41,300)|(39,870)",
    "Operating income|1,204|(356)",
    "$Net loss|(2,874)|(613)",
  ),
);
const QUARTERS = page(
  statement(
    [
      ["Three months ended June 30,", "Six months ended June 30,"],
      ["2025", "2024", "2025", "2024"],
    ],
    "$Revenue|812|745|1,590|1,466",
    "Operating expenses|(701)|(690)|(1,402)|(1,377)",
    "$Net income|64|(12)|118|(31)",
  ),
);
const DATES = page(
  statement(
    [["December 31, 2025", "December 31, 2024"]],
    "$Total assets|9,412|8,870",
    "Total liabilities|5,204|5,011",
    "Accumulated deficit|(1,733)|(1,498)",
  ),
);
const GERMAN = page(
  statement([["2025", "2024"]], "€Umsatz|61,5|58,0", "Jahresüberschuss|(3,1)|4,4"),
  "de",
  "Kennzahlen",
);
const FRENCH = page(
  statement([["2025", "2024"]], "€Chiffre d’affaires|61,5|58,0", "Résultat net|(3,1)|4,4"),
  "fr",
  "Chiffres clés",
);
const EMPTY = page(
  statement([["2025", "2024"]], "$Revenue|812|745", "Impairment||(88)", "$Net income|64|(12)"),
);

const SHORT_PERIODS = page(
  statement(
    [
      ["Q2", "H1"],
      ["2025", "2024", "2025", "2024"],
    ],
    "$Revenue|812|745|1,590|1,466",
    "Operating expenses|(701)|(690)|(1,402)|(1,377)",
    "$Net income|64|(12)|118|(31)",
  ),
);

describe("amounts split over columns", () => {
  it.each<Case>([
    ["the last year", YEARS, "revenue_2025", 79819],
    ["the year before", YEARS, "revenue_2024", 74026],
    ["an amount without a sign", YEARS, "operating_income_2025", 1204],
    ["a negative amount with a sign", YEARS, "net_loss_2024", -613],
    ["a negative amount without a sign", YEARS, "operating_income_2024", -356],
    ["a quarter above years", SHORT_PERIODS, "revenue_q2_2025", 812],
    ["a negative half-year above years", SHORT_PERIODS, "net_income_h1_2024", -31],
    ["a day of a balance sheet", DATES, "total_assets_2024", 8870],
    ["a deficit in brackets", DATES, "accumulated_deficit_2025", -1733],
    ["German amounts", GERMAN, "umsatz_2024", 58],
    ["a German loss in brackets", GERMAN, "jahresueberschuss_2025", -3.1],
    ["French amounts", FRENCH, "resultat_net_2025", -3.1],
    ["the filled column of a row with a gap", EMPTY, "impairment_2024", -88],
  ])("are read for %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.each<Case>([
    ["a year that no column has", YEARS, "revenue_2023", undefined],
    ["a quarter of a table of years", YEARS, "revenue_q2_2025", undefined],
    ["a year of a table of quarters", QUARTERS, "revenue_2025", undefined],
    ["a third quarter", QUARTERS, "revenue_q3_2025", undefined],
    ["nine months", QUARTERS, "revenue_9m_2025", undefined],
    ["a measure that no row names", QUARTERS, "ebitda_q2_2025", undefined],
    [
      "revenue from its cost",
      page(statement([["2025", "2024"]], "$Cost of revenue|41|39", "Tax|2|1")),
      "revenue_2025",
      undefined,
    ],
    ["an empty cell between filled ones", EMPTY, "impairment_2025", undefined],
    ["total equity from total assets", DATES, "total_equity_2025", undefined],
    ["a German half-year", GERMAN, "umsatz_h1_2025", undefined],
    ["a French year before", FRENCH, "resultat_net_2023", undefined],
  ])("are not read for %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });

  it.fails.each<Case>([
    ["a quarter written in months", QUARTERS, "revenue_q2_2025", 812],
    ["a half-year written in months", QUARTERS, "revenue_h1_2024", 1466],
    ["a negative half-year written in months", QUARTERS, "net_income_h1_2024", -31],
  ])("are read for %s", (_, html, property, value) => {
    expect(readFigure(html, property)).toBe(value);
  });
});
