import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const SHEET = {
  en: {
    heads: ["Technical data", "Unit", "KP 20", "KP 40"],
    weight: ["Weight", "kg", "4.5", "7"],
    power: ["Power consumption", "W", "350", "600"],
  },
  de: {
    heads: ["Technische Daten", "Einheit", "KP 20", "KP 40"],
    weight: ["Gewicht", "g", "4500", "7000"],
    power: ["Leistungsaufnahme", "W", "350", "600"],
  },
  it: {
    heads: ["Dati tecnici", "u.m.", "KP 20", "KP 40"],
    weight: ["Peso", "g", "4500", "7000"],
    power: ["Potenza", "W", "350", "600"],
  },
  fr: {
    heads: ["Caractéristiques", "Unité", "KP 20", "KP 40"],
    weight: ["Poids", "g", "4500", "7000"],
    power: ["Puissance", "W", "350", "600"],
  },
  es: {
    heads: ["Datos técnicos", "Unidad", "KP 20", "KP 40"],
    weight: ["Peso", "kg", "4,5", "7"],
    power: ["Potencia", "W", "350", "600"],
  },
};
type Language = keyof typeof SHEET;
const LANGUAGES: readonly Language[] = ["en", "de", "it", "fr", "es"];
const sheet = (lang: Language, ...more: readonly (readonly string[])[]): string => {
  const { heads, weight, power } = SHEET[lang];
  return pageOf(lang, `<h1>KP</h1>${tableOf(heads, weight, power, ...more)}`);
};
const MODEL = { model: STRING, weight_kg: NUMBER };
const WEIGHTS = [
  { model: "KP 20", weight_kg: 4.5 },
  { model: "KP 40", weight_kg: 7 },
];
const modelsIn = (html: string): unknown[] =>
  readRows(html, "models", MODEL).map(({ model }) => model);

describe("models as columns beside a column of units", () => {
  it.each(["en", "es"] as const)("have the number of a row in the same unit (%s)", (lang) => {
    expect(readRows(sheet(lang), "models", MODEL)).toEqual(WEIGHTS);
  });

  it.each(["de", "it", "fr"] as const)("have grams as kilograms (%s)", (lang) => {
    expect(readRows(sheet(lang), "models", MODEL)).toEqual(WEIGHTS);
  });

  it.each(LANGUAGES)("do not include the column of units (%s)", (lang) => {
    expect(modelsIn(sheet(lang))).toEqual(["KP 20", "KP 40"]);
  });

  it.each([
    ["mm for kg", ["Weight", "mm", "4.5", "7"]],
    ["percent for kg", ["Weight", "%", "4.5", "7"]],
    ["liters for kg", ["Weight", "l", "4.5", "7"]],
  ])("have no value in another kind of unit: %s", (_, weight) => {
    const html = pageOf("en", `<h1>KP</h1>${tableOf(SHEET.en.heads, weight, SHEET.en.power)}`);
    expect(readRows(html, "models", { ...MODEL, power_w: NUMBER })).not.toContainEqual(
      expect.objectContaining({ weight_kg: expect.anything() }),
    );
  });

  it("have no weight where only their shipping weight is given", () => {
    const heads = SHEET.en.heads;
    const html = tableOf(heads, ["Shipping weight", "kg", "5.5", "8"], SHEET.en.power);
    expect(
      JSON.stringify(readRows(pageOf("en", `<h1>KP</h1>${html}`), "models", MODEL)),
    ).not.toContain("weight_kg");
  });
});

const KILOGRAMS = [
  { model: "KP 20", weight_kg: 4.5, length_m: 0.35 },
  { model: "KP 40", weight_kg: 7, length_m: 0.6 },
];
const modelsOf = (table: string): unknown =>
  readRows(pageOf("en", `<h1>KP</h1>${table}`), "models", { ...MODEL, length_m: NUMBER });

describe("units of models", () => {
  it.each([
    [
      "weights in grams",
      tableOf(["", "KP 20", "KP 40"], ["Weight", "4500 g", "7000 g"], ["Colour", "red", "blue"]),
    ],
  ])("are converted behind values: %s", (_, html) => {
    expect(modelsOf(html)).toEqual(KILOGRAMS.map(({ model, weight_kg }) => ({ model, weight_kg })));
  });

  it.each([
    [
      "the labels of rows",
      tableOf(
        ["", "KP 20", "KP 40"],
        ["Weight (g)", "4500", "7000"],
        ["Length (mm)", "350", "600"],
      ),
    ],
    [
      "the headers of columns",
      tableOf(
        ["Model", "Weight (g)", "Length (mm)"],
        ["KP 20", "4500", "350"],
        ["KP 40", "7000", "600"],
      ),
    ],
    [
      "a column of units",
      tableOf(
        ["", "Unit", "KP 20", "KP 40"],
        ["Weight", "g", "4500", "7000"],
        ["Length", "mm", "350", "600"],
      ),
    ],
  ])("are converted in %s", (_, html) => {
    expect(modelsOf(html)).toEqual(KILOGRAMS);
  });
});

const TWELVE = {
  en: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Year",
  de: "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez Jahr",
  fr: "Janv. Févr. Mars Avr. Mai Juin Juil. Août Sept. Oct. Nov. Déc. Année",
  es: "Ene Feb Mar Abr May Jun Jul Ago Sep Oct Nov Dic Año",
};
const RAIN = "61 48 52 40 57 66 71 69 58 63 70 72 727".split(" ");
const HIGHS = "4 5 8 12 16 19 21 22 18 13 8 6 13".split(" ");
const climate = (lang: keyof typeof TWELVE, rain: string, high: string): string =>
  pageOf(
    lang,
    `<h1>Alder</h1>${tableOf(["", ...TWELVE[lang].split(" ")], [high, ...HIGHS], [rain, ...RAIN])}`,
  );
const rainOf = (html: string): unknown[] =>
  readRows(html, "months", { month: STRING, rainfall_mm: NUMBER, high_c: NUMBER }).map(
    ({ rainfall_mm }) => rainfall_mm,
  );

describe("months as columns", () => {
  it.each([
    ["en", "Rainfall (mm)", "High (°C)"],
    ["fr", "Précipitations (mm)", "Maximum (°C)"],
    ["de", "Niederschlag (mm)", "Höchsttemperatur (°C)"],
    ["es", "Precipitación (mm)", "Temperatura máxima (°C)"],
  ] as const)("do not include the year behind them (%s)", (lang, rain, high) => {
    expect(rainOf(climate(lang, rain, high))).toEqual(RAIN.slice(0, 12).map(Number));
  });
});
