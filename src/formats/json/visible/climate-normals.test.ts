import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const ROW = {
  month: STRING,
  mean_max_c: NUMBER,
  mean_min_c: NUMBER,
  precipitation_mm: NUMBER,
  wet_days: NUMBER,
  sunshine_hours: NUMBER,
};
const MONTHS = {
  en: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Year",
  de: "Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahr",
  fr: "Janv.|Févr.|Mars|Avril|Mai|Juin|Juil.|Août|Sept.|Oct.|Nov.|Déc.|Année",
  pt: "Jan|Fev|Mar|Abr|Mai|Jun|Jul|Ago|Set|Out|Nov|Dez|Ano",
  es: "Ene|Feb|Mar|Abr|May|Jun|Jul|Ago|Sep|Oct|Nov|Dic|Año",
} as const;
type Lang = keyof typeof MONTHS;
const AMOUNTS = [5, 1, 50, 8, 40];
/** Thirteen figures, the last for the year. */
const figures = (first: number): string[] =>
  Array.from({ length: 13 }, (_, at) => String(first + (at === 12 ? 99 : at)));
const normals = (lang: Lang, labels: readonly string[]): string =>
  pageOf(
    lang,
    `<h1>Alder Point</h1><h2>1991–2020</h2>${tableOf(
      ["", ...MONTHS[lang].split("|")],
      ...labels.map((label, at) => [label, ...figures(AMOUNTS[at] ?? 0)]),
    )}`,
  );
const LABELS: readonly (readonly [Lang, readonly string[]])[] = [
  [
    "en",
    [
      "Mean daily maximum °C",
      "Mean daily minimum °C",
      "Average precipitation mm",
      "Average rainy days (≥ 1.0 mm)",
      "Mean monthly sunshine hours",
    ],
  ],
  [
    "en",
    ["Average high (°C)", "Average low (°C)", "Mean rainfall (mm)", "Rain days", "Sunshine (h)"],
  ],
  [
    "de",
    [
      "Mittlere Höchsttemperatur (°C)",
      "Mittlere Tiefsttemperatur (°C)",
      "Mittlerer Niederschlag (mm)",
      "Regentage",
      "Sonnenscheindauer (h)",
    ],
  ],
  [
    "fr",
    [
      "Température maximale moyenne (°C)",
      "Température minimale moyenne (°C)",
      "Précipitations moyennes (mm)",
      "Jours de pluie",
      "Ensoleillement (h)",
    ],
  ],
  [
    "pt",
    [
      "Média da máxima (°C)",
      "Média da mínima (°C)",
      "Precipitação média (mm)",
      "Dias de chuva",
      "Insolação (h)",
    ],
  ],
  [
    "es",
    [
      "Temperatura máxima media (°C)",
      "Temperatura mínima media (°C)",
      "Precipitación media (mm)",
      "Días de lluvia",
      "Horas de sol",
    ],
  ],
];

describe("climate normals with a column for each month", () => {
  it.each(LABELS)("are read by month (%s: %j)", (lang, labels) => {
    const rows = readRows(normals(lang, labels), "months", ROW);
    expect(rows).toHaveLength(12);
    expect(rows[1]).toEqual({
      month: MONTHS[lang].split("|")[1],
      mean_max_c: 6,
      mean_min_c: 2,
      precipitation_mm: 51,
      wet_days: 9,
      sunshine_hours: 41,
    });
  });

  it("have the topic above rows whose label only says how it was measured", () => {
    const head = `<tr><td></td>${MONTHS.en
      .split("|")
      .map((month) => `<td>${month}</td>`)
      .join("")}</tr>`;
    const topic = (text: string): string => `<tr><td colspan="14"><b>${text}</b></td></tr>`;
    const row = (label: string, first: number): string =>
      `<tr><td>${label}</td>${figures(first)
        .map((each) => `<td>${each}</td>`)
        .join("")}</tr>`;
    const html = pageOf(
      "en",
      `<h1>Alder Point</h1><table>${head}${topic("TEMPERATURE (°C)")}${row("Mean maximum", 5)}${row("Mean minimum", 1)}${topic("PRECIPITATION")}${row("Mean total (mm)", 50)}${topic("SUNSHINE")}${row("Total (h)", 40)}</table>`,
    );
    expect(readRows(html, "months", ROW)[0]).toEqual({
      month: "Jan",
      mean_max_c: 5,
      mean_min_c: 1,
      precipitation_mm: 50,
      sunshine_hours: 40,
    });
  });

  it("have the names of their months in lists of any name", () => {
    const [, labels] = LABELS[2] ?? ["de", []];
    const rows = readRows(normals("de", labels), "werte", ROW);
    expect(rows.map(({ month }) => month)).toEqual(MONTHS.de.split("|").slice(0, 12));
  });

  it.each([
    ["de", ["Mittlere Höchsttemperatur (°C)", "Niederschlag (mm)", "Sonnenscheindauer (h)"]],
    ["pt", ["Média da máxima (°C)", "Precipitação (mm)", "Insolação (h)"]],
  ] as const)("have the figures of the year behind the months (%s)", (lang, labels) => {
    const properties = {
      annual_mean_max_c: NUMBER,
      annual_precipitation_mm: NUMBER,
      annual_sunshine_hours: NUMBER,
      annual_snowfall_cm: NUMBER,
      annual_rain_days: NUMBER,
      annual_precipitation_in: NUMBER,
    };
    expect(readObject(normals(lang, labels), properties)).toEqual({
      annual_mean_max_c: 104,
      annual_precipitation_mm: 100,
      annual_sunshine_hours: 149,
    });
  });

  it("have no figure of the year that only the normals of an earlier period have", () => {
    const [first, second] = [["Mittlere Höchsttemperatur (°C)"], ["Niederschlag (mm)"]].map(
      (labels) => normals("de", labels),
    );
    const html = first?.replace("</main>", `<h2>1961–1990</h2>${second?.split("</h2>")[1] ?? ""}`);
    const properties = { annual_mean_max_c: NUMBER, annual_precipitation_mm: NUMBER };
    expect(readObject(html ?? "", properties)).toEqual({ annual_mean_max_c: 104 });
  });

  it("are no records and no extremes", () => {
    const html = normals("en", [
      "Record high (°C)",
      "Record low (°C)",
      "Maximum daily rainfall (mm)",
    ]);
    const [row = {}] = readRows(html, "months", ROW);
    expect(Object.keys(row).filter((key) => key !== "month")).toEqual([]);
  });
});
