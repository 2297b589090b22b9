import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const facts = (lang: string, label: string, value: string): string =>
  pageOf(lang, `<h1>Oak desk</h1><dl><dt>${label}</dt><dd>${value}</dd></dl>`);
const SIZE = { width_cm: NUMBER, height_cm: NUMBER, depth_cm: NUMBER };
const DESK = { width_cm: 140, height_cm: 75, depth_cm: 70 };

describe("dimensions in one value", () => {
  it.each([
    ["en", "Dimensions (W × H × D)", "140 × 75 × 70 cm"],
    ["en", "Dimensions W x H x D (cm)", "140 x 75 x 70"],
    ["en", "Product dimensions (H x W x D)", "75 cm x 140 cm x 70 cm"],
    ["en", "Dimensions", "140 cm W × 75 cm H × 70 cm D"],
    ["en", "Overall dimensions", "W 140 × H 75 × D 70 cm"],
    ["de", "Maße (B × H × T)", "140 × 75 × 70 cm"],
    ["de", "Abmessungen (Breite x Höhe x Tiefe)", "140 x 75 x 70 cm"],
    ["fr", "Dimensions (L × H × P)", "140 × 75 × 70 cm"],
    ["it", "Dimensioni L × A × P", "140 × 75 × 70 cm"],
    ["es", "Medidas (ancho × alto × fondo)", "140 × 75 × 70 cm"],
    ["nl", "Afmetingen (B × H × D)", "140 × 75 × 70 cm"],
  ])("are read by the order that the page states (%s: %s, %s)", (lang, label, value) => {
    expect(readObject(facts(lang, label, value), SIZE)).toEqual(DESK);
  });

  it("have a length beside width and height", () => {
    const html = facts("en", "Dimensions (L × W × H)", "350 × 200 × 150 mm");
    const asked = { length_mm: NUMBER, width_mm: NUMBER, height_mm: NUMBER };
    expect(readObject(html, asked)).toEqual({ length_mm: 350, width_mm: 200, height_mm: 150 });
  });

  it.each([
    ["without an order", "Dimensions", "140 × 75 × 70 cm"],
    ["of the parcel", "Package dimensions (W × H × D)", "150 × 80 × 75 cm"],
    ["without a unit", "Dimensions (W × H × D)", "140 × 75 × 70"],
    ["with another number of sides", "Dimensions (W × H × D)", "140 × 75 cm"],
    ["in alternatives", "Dimensions (W × H × D)", "140 × 75–120 × 70 cm"],
  ])("stay whole %s", (_, label, value) => {
    expect(readObject(facts("en", label, value), SIZE)).toEqual({});
  });

  it("are still given as one text", () => {
    const html = facts("en", "Dimensions (W × H × D)", "140 × 75 × 70 cm");
    expect(readObject(html, { dimensions: STRING })).toEqual({ dimensions: "140 × 75 × 70 cm" });
  });

  it("are read from the columns of a data sheet", () => {
    const table = tableOf(
      ["Model", "Unit", "KP 20", "KP 40"],
      ["Dimensions (L × W × H)", "mm", "350 × 200 × 150", "600 × 240 × 180"],
      ["Net / gross weight", "kg", "4.5 / 5.1", "7 / 8"],
    );
    const model = { model: STRING, length_mm: NUMBER, height_mm: NUMBER, net_weight_kg: NUMBER };
    expect(readRows(pageOf("en", `<h1>KP</h1>${table}`), "models", model)).toEqual([
      { model: "KP 20", length_mm: 350, height_mm: 150, net_weight_kg: 4.5 },
      { model: "KP 40", length_mm: 600, height_mm: 180, net_weight_kg: 7 },
    ]);
  });
});

describe("two numbers below two names", () => {
  const WEIGHTS = { net_weight_kg: NUMBER, gross_weight_kg: NUMBER };
  it.each([
    ["en", "Net / gross weight", "92 / 104 kg"],
    ["en", "Weight net/gross (kg)", "92 / 104"],
    ["en", "Net weight / gross weight", "92 kg / 104 kg"],
    ["it", "Peso netto / lordo", "92 / 104 kg"],
  ])("are told apart (%s: %s)", (lang, label, value) => {
    expect(readObject(facts(lang, label, value), { net_weight_kg: NUMBER })).toEqual({
      net_weight_kg: 92,
    });
  });

  it("are both read", () => {
    const html = facts("en", "Net / gross weight", "92 / 104 kg");
    expect(readObject(html, WEIGHTS)).toEqual({ net_weight_kg: 92, gross_weight_kg: 104 });
  });

  it("are counts in a table", () => {
    const table = tableOf(
      ["Club", "Wins / losses", "Points"],
      ["Orn Rovers", "12 / 4", "36"],
      ["Gull United", "10 / 6", "30"],
    );
    const club = { club: STRING, wins: INTEGER, losses: INTEGER, points: INTEGER };
    expect(readRows(pageOf("en", `<h1>Season</h1>${table}`), "clubs", club)).toEqual([
      { club: "Orn Rovers", wins: 12, losses: 4, points: 36 },
      { club: "Gull United", wins: 10, losses: 6, points: 30 },
    ]);
  });

  it.each([
    ["a date", "Issue / year", "3/2026", { issue: INTEGER }],
    ["a rate", "Speed km/h", "12/14", { speed_km: NUMBER }],
    ["one number", "Bedrooms / bathrooms", "3", { bathrooms: INTEGER }],
    [
      "words around both",
      "Minimum order / delivery time",
      "3 / 5 days",
      { minimum_order: INTEGER },
    ],
  ])("are not read from %s", (_, label, value, asked) => {
    expect(readObject(facts("en", label, value), asked)).toEqual({});
  });
});
