import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const text = { type: "string" };
const listOf = (name: string, properties: Record<string, unknown>) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } },
});
const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1><p>€ 89.00</p>${body}<button>Add to cart</button></main></body></html>`;
const SPECIFICATIONS = listOf("specifications", { name: text, value: text });
const ROWS = [
  ["Height", "42 cm"],
  ["Weight", "1.2 kg"],
  ["Material", "Oak"],
  ["Cable", "2 m"],
] as const;
const EXPECTED = ROWS.map(([name, value]) => ({ name, value }));
const terms = (rows: readonly (readonly [string, string])[]): string =>
  `<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;

describe("lists of labels and their values", () => {
  test.each([
    ["a description list", terms(ROWS)],
    [
      "a table",
      `<table>${ROWS.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join("")}</table>`,
    ],
    [
      "lines with colons",
      `<ul>${ROWS.map(([name, value]) => `<li>${name}: ${value}</li>`).join("")}</ul>`,
    ],
    [
      "rows of two elements",
      `<div>${ROWS.map(([name, value]) => `<div class="r"><span class="l">${name}</span><span class="v">${value}</span></div>`).join("")}</div>`,
    ],
  ])("reads labels and values from %s", (_, body) => {
    const { value } = draftPage(page(`<h2>Specifications</h2>${body}`), SPECIFICATIONS);
    expect(value).toEqual({ specifications: EXPECTED });
  });

  test("reads labels and values into properties with other names", () => {
    const schema = listOf("attributes", { label: text, value: text });
    const { value } = draftPage(page(`<h2>Specifications</h2>${terms(ROWS)}`), schema);
    expect(value).toEqual({ attributes: ROWS.map(([label, each]) => ({ label, value: each })) });
  });

  test.each([
    ["de", "Technische Daten"],
    ["fr", "Caractéristiques"],
    ["es", "Especificaciones"],
    ["it", "Specifiche tecniche"],
  ])("reads the list below a heading in the page's language (%s: %s)", (lang, heading) => {
    const { value } = draftPage(page(`<h2>${heading}</h2>${terms(ROWS)}`, lang), SPECIFICATIONS);
    expect(value).toEqual({ specifications: EXPECTED });
  });

  test("reads the list below the heading that the property names", () => {
    const schema = listOf("ingredients", { name: text, value: text });
    const other: readonly (readonly [string, string])[] = [
      ["Oats", "60 g"],
      ["Honey", "20 g"],
      ["Salt", "1 g"],
    ];
    const body = `<h2>Specifications</h2>${terms(ROWS)}<h2>Ingredients</h2>${terms(other)}`;
    expect(draftPage(page(body), schema).value).toEqual({
      ingredients: other.map(([name, value]) => ({ name, value })),
    });
  });

  test.each([
    ["prose only", "<p>A lamp of oak. It is 42 cm high.</p>"],
    ["a single label", terms([["Height", "42 cm"]])],
    [
      "related items",
      '<h2>You may also like</h2><ul><li><a href="/a">Oak lamp</a> <span>€ 12.00</span></li><li><a href="/b">Ash lamp</a> <span>€ 15.00</span></li><li><a href="/c">Elm lamp</a> <span>€ 9.00</span></li></ul>',
    ],
  ])("reads no labels from a page with %s", (_, body) => {
    expect(draftPage(page(body), SPECIFICATIONS).value).toBeUndefined();
  });

  test("returns no labels for a property that names something else", () => {
    const schema = listOf("players", { name: text, value: text });
    const { value } = draftPage(page(`<h2>Specifications</h2>${terms(ROWS)}`), schema);
    expect(value).toBeUndefined();
  });
});
