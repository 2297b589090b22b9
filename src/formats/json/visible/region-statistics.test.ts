import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const statistics = (
  lang: string,
  title: string,
  [stub, ...groups]: readonly (readonly [string, number] | string)[],
  leaves: string,
  rows: readonly string[],
): string =>
  pageOf(
    lang,
    `<h1>${title}</h1><table><thead><tr><th rowspan="2">${String(stub)}</th>${groups
      .map((group) => `<th colspan="${group[1]}">${group[0]}</th>`)
      .join("")}</tr><tr>${leaves
      .split("|")
      .map((leaf) => `<th>${leaf}</th>`)
      .join("")}</tr></thead><tbody>${rows
      .map((row) => {
        const [name, ...cells] = row.split("|");
        return `<tr><th scope="row">${name ?? ""}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
      })
      .join("")}</tbody></table>`,
  );
const ROWS = [
  "Deutschland insgesamt|90,0|41,0|5,0|4,9|5,6",
  "Nordmark|58,4|30,1|6,9|6,8|7,4",
  "Talgau|20,2|7,3|4,1|4,2|4,3",
  "Seeland|11,4|3,6|8,7|8,5|8,8",
];

describe("statistics of regions below two header rows", () => {
  const REGION = {
    region: STRING,
    unemployed: NUMBER,
    unemployed_women: NUMBER,
    unemployment_rate: NUMBER,
    unemployment_rate_prev_month: NUMBER,
    unemployment_rate_year_ago: NUMBER,
  };
  const german = (months: string, title = "Arbeitsmarkt im Mai 2026"): string =>
    statistics(
      "de",
      title,
      ["Gliederung", ["Arbeitslose in Tsd.", 2], ["Arbeitslosenquote in %", 3]],
      `insgesamt|darunter Frauen|${months}`,
      ROWS,
    );

  it.each(["Mai 2026|April 2026|Mai 2025", "05/2026|04/2026|05/2025", "V 2026|IV 2026|V 2025"])(
    "have totals, parts and months (%s)",
    (months) => {
      const rows = readRows(german(months), "regions", REGION);
      expect(rows).toHaveLength(3);
      expect(rows[1]).toEqual({
        region: "Talgau",
        unemployed: 20.2,
        unemployed_women: 7.3,
        unemployment_rate: 4.1,
        unemployment_rate_prev_month: 4.2,
        unemployment_rate_year_ago: 4.3,
      });
    },
  );

  it("have no month that the page does not have", () => {
    const [row] = readRows(
      german("Mai 2026|März 2026|Mai 2024", "Arbeitsmarkt"),
      "regions",
      REGION,
    );
    expect(row).toEqual({ region: "Nordmark", unemployed: 58.4, unemployed_women: 30.1 });
  });

  it("have job vacancies and the average wage", () => {
    const html = statistics(
      "cs",
      "Trh práce",
      ["Okres", ["Volná pracovní místa", 1], ["Průměrná hrubá měsíční mzda", 1]],
      "počet|v Kč",
      ["Severní|2 914|38 012", "Jezerní|5 380|41 241", "Horský|1 245|35 655"],
    );
    const properties = { region: STRING, job_vacancies: INTEGER, average_gross_wage_czk: NUMBER };
    expect(readRows(html, "regions", properties)[0]).toEqual({
      region: "Severní",
      job_vacancies: 2914,
      average_gross_wage_czk: 38_012,
    });
  });
});
