import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

describe("years beside numbers", () => {
  const text = (lang: string, main: string): string => pageOf(lang, main);

  it.each([
    [
      "years of operation before an elevation",
      `<h1>Lighthouses</h1><ul><li><a href="/skar">Skär light</a>, 1908–1993, elevation 9 m</li></ul>`,
    ],
    [
      "years of operation below the heading",
      `<h1>Skär light</h1><p>Lighthouse, in use 1908–1993, elevation 9 m above the sea.</p>`,
    ],
    ["a year of construction", `<h1>Skär light</h1><p>Built 1908, elevation 9 m.</p>`],
    [
      "the years of a label",
      `<h1>Skär light</h1><dl><dt>In use</dt><dd>1908–1993</dd><dt>Elevation</dt><dd>9 m</dd></dl>`,
    ],
  ])("are no elevation: %s", (_, main) => {
    expect(readObject(text("en", main), { elevation_m: NUMBER })["elevation_m"] ?? 9).toBe(9);
  });

  it("are no elevation of the rows of a list", () => {
    const lights = [
      ["Skär light", "1908–1993", 9],
      ["Holm light", "1871–1969", 14],
      ["Vik light", "1902–2004", 22],
    ] as const;
    const list = lights.map(
      ([name, years, height]) =>
        `<li><a href="/l">${name}</a>, ${years}, elevation ${height} m</li>`,
    );
    const rows = readRows(
      text("en", `<h1>Lighthouses</h1><ul>${list.join("")}</ul>`),
      "lighthouses",
      {
        name: STRING,
        elevation_m: NUMBER,
      },
    );
    expect(rows.map((row, at) => row.elevation_m ?? lights[at]?.[2])).toEqual(
      rows.map((_, at) => lights[at]?.[2]),
    );
  });

  it.each([
    [
      "a date before the rate",
      "it",
      `<h1>Tariffe</h1><p>Prezzi validi dal 1° novembre 2026, IVA 10 %.</p>`,
      10,
    ],
    ["a date behind the rate", "it", `<h1>Tariffe</h1><p>IVA 10 % dal 1° novembre 2026.</p>`, 10],
    [
      "a date in the label's value",
      "it",
      `<h1>Tariffe</h1><dl><dt>IVA</dt><dd>dal 1° novembre 2026, 10 %</dd></dl>`,
      10,
    ],
    ["a German date", "de", `<h1>Tarife</h1><p>Gültig ab 1. November 2026, MwSt. 19 %.</p>`, 19],
    ["a rate without a date", "de", `<h1>Tarife</h1><dl><dt>MwSt.</dt><dd>19 %</dd></dl>`, 19],
  ])("are no VAT: %s", (_, lang, main, rate) => {
    expect(readObject(text(lang, main), { vat_percent: NUMBER })["vat_percent"] ?? rate).toBe(rate);
  });

  // The word behind the full stop belongs to the next number.
  it.each([
    ["elevation_m", "Built in 1908. Elevation 9 m.", 9],
    ["height_m", "Built in 1908. Height 34 m.", 34],
    ["depth_m", "Discovered in 1994. Depth 40 m.", 40],
    ["length_km", "Opened in 1994. Length 12 km.", 12],
    ["capacity", "Opened in 1994. Capacity 400 people.", 400],
    ["population", "Founded in 1254. Population 4,310.", 4310],
    ["pages", "Published in 2021. Pages: 312.", 312],
    ["weight_kg", "Model of 2021. Weight 12 kg.", 12],
  ])("at the end of a sentence are no %s: %s", (name, line, value) => {
    const html = text("en", `<h1>Skär</h1><p>${line}</p>`);
    expect(readObject(html, { [name]: NUMBER })[name] ?? value).toBe(value);
  });

  it("at the end of an Italian or German sentence are no VAT", () => {
    const italian = text("it", `<h1>Tariffe</h1><p>Dal 1° novembre 2026. IVA 10 %.</p>`);
    const german = text("de", `<h1>Tarife</h1><p>Stand 2026. MwSt 19 %</p>`);
    expect(readObject(italian, { vat_percent: NUMBER })["vat_percent"] ?? 10).toBe(10);
    expect(readObject(german, { vat_percent: NUMBER })["vat_percent"] ?? 19).toBe(19);
  });

  it("leave a labeled rate readable", () => {
    const main = `<h1>Tariffe</h1><dl><dt>IVA</dt><dd>10 %</dd><dt>Valido</dt><dd>dal 1° novembre 2026</dd></dl>`;
    expect(readObject(text("it", main), { vat_percent: NUMBER })).toEqual({ vat_percent: 10 });
  });

  it("leave a year readable for a property that is a year", () => {
    const main = `<h1>Skär light</h1><dl><dt>Year built</dt><dd>1908</dd><dt>Elevation</dt><dd>9 m</dd></dl>`;
    expect(readObject(text("en", main), { year_built: INTEGER, elevation_m: NUMBER })).toEqual({
      year_built: 1908,
      elevation_m: 9,
    });
  });

  it("leave an elevation that looks like a year readable", () => {
    const main = `<h1>Fjell hut</h1><dl><dt>Elevation</dt><dd>1,908 m</dd><dt>Beds</dt><dd>24</dd></dl>`;
    expect(readObject(text("en", main), { elevation_m: NUMBER })).toEqual({ elevation_m: 1908 });
  });
});
