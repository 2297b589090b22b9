import { describe, expect, it } from "vitest";
import {
  BOOLEAN,
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const DISH = {
  name: STRING,
  description: STRING,
  price: NUMBER,
  vegan: BOOLEAN,
  allergens: { type: "array", items: INTEGER },
};
const dish = (name: string, codes: string, text: string, amount: string, mark = ""): string =>
  `<div class="gericht"><h3>${name} <sup class="ag">${codes}</sup>${mark}</h3><p>${text}</p><span class="betrag">${amount}</span></div>`;
const menu = (note: string, ...dishes: readonly string[]): string =>
  pageOf("de", `<h1>Karte</h1><div class="karte">${dishes.join("")}</div><p>${note}</p>`);
const VEGAN = ' <abbr title="vegan">VG</abbr>';

describe("cards of dishes", () => {
  const dishes = [
    dish("Linsensuppe", "9, 10", "mit Essig und Lauch", "9", VEGAN),
    dish("Käsespätzle", "1, 3, 7", "Bergkäse, Röstzwiebeln, Salat", "14 (klein 11)"),
    dish("Forelle Müllerin", "4, 7", "Butter, Mandeln, Petersilie", "<del>24</del> 22"),
  ];

  it("have whole numbers as prices where the page says in which currency prices are", () => {
    expect(readRows(menu("Alle Preise in Euro.", ...dishes), "dishes", DISH)).toEqual([
      {
        name: "Linsensuppe",
        description: "mit Essig und Lauch",
        price: 9,
        vegan: true,
        allergens: [9, 10],
      },
      {
        name: "Käsespätzle",
        description: "Bergkäse, Röstzwiebeln, Salat",
        price: 14,
        allergens: [1, 3, 7],
      },
      {
        name: "Forelle Müllerin",
        description: "Butter, Mandeln, Petersilie",
        price: 22,
        allergens: [4, 7],
      },
    ]);
  });

  it("have no whole number as price where no currency or class says so", () => {
    const read = (html: string): unknown[] =>
      readRows(html, "dishes", DISH).map(({ price }) => price);
    const classed = dishes.map((each) => each.replace("betrag", "gericht-preis"));
    expect(read(menu("Gedeck 2 €", ...dishes))).toEqual([undefined, undefined, undefined]);
    expect(read(menu("Gedeck 2 €", ...classed))).toEqual([9, 14, 22]);
    expect(read(menu("Willkommen", ...classed))).toEqual([undefined, undefined, undefined]);
  });

  it("have no codes where names of allergens are asked for", () => {
    const properties = { name: STRING, price: NUMBER, allergens: { type: "array", items: STRING } };
    expect(readRows(menu("Alle Preise in Euro.", ...dishes), "dishes", properties)).toEqual([
      { name: "Linsensuppe", price: 9 },
      { name: "Käsespätzle", price: 14 },
      { name: "Forelle Müllerin", price: 22 },
    ]);
  });
});

describe("terms with descriptions below several headings", () => {
  const course = (title: string, ...drinks: readonly (readonly [string, string])[]): string =>
    `<section><h2>${title}</h2><dl>${drinks.map(([name, amount]) => `<dt>${name}</dt><dd><b>${amount}</b></dd>`).join("")}</dl></section>`;

  it("are one list, each with its heading", () => {
    const html = pageOf(
      "pl",
      `<h1>Karta napojów</h1>${course("Kawy", ["Espresso", "9,00 zł"], ["Latte", "14,50 zł"])}${course("Herbaty", ["Sencha", "12,00 zł"], ["Rooibos", "11,00 zł"])}`,
    );
    expect(readRows(html, "drinks", { section: STRING, name: STRING, price: NUMBER })).toEqual([
      { section: "Kawy", name: "Espresso", price: 9 },
      { section: "Kawy", name: "Latte", price: 14.5 },
      { section: "Herbaty", name: "Sencha", price: 12 },
      { section: "Herbaty", name: "Rooibos", price: 11 },
    ]);
  });
});
