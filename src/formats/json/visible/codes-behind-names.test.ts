import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  STRINGS,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const dishesOf = (lang: string, ...dishes: readonly (readonly [string, string])[]): string =>
  pageOf(
    lang,
    `<h1>Menu</h1><ul class="divide-y">${dishes
      .map(
        ([name, price]) =>
          `<li class="flex justify-between py-2"><h3 class="dish">${name}</h3><span class="price">${price}</span></li>`,
      )
      .join("")}</ul>`,
  );
const namesOf = (html: string, list = "dishes"): unknown =>
  readRows(html, list, { name: STRING, price: NUMBER }).map(({ name }) => name);

describe("codes of allergens behind dish names", () => {
  it.each([
    ["a class of allergens", (codes: string) => `<span class="allergens">${codes}</span>`],
    ["sup", (codes: string) => `<sup>${codes}</sup>`],
    ["a span", (codes: string) => `<span>${codes}</span>`],
    ["small", (codes: string) => `<small class="text-xs">${codes}</small>`],
  ])("are cut when they are in %s", (_, codes) => {
    const html = dishesOf(
      "de",
      [`Linsensuppe ${codes("A, G")}`, "6,50 €"],
      [`Zanderfilet ${codes("A, D, G")}`, "18,90 €"],
      [`Apfelstrudel ${codes("A, C, G")}`, "7,20 €"],
    );
    expect(namesOf(html)).toEqual(["Linsensuppe", "Zanderfilet", "Apfelstrudel"]);
  });

  it.each([
    ["a class of allergens", (codes: string) => `<span class="allergens">${codes}</span>`],
    ["sup", (codes: string) => `<sup>${codes}</sup>`],
  ])("are cut when they are numbers in %s", (_, codes) => {
    const html = dishesOf(
      "cs",
      [`Bramboračka ${codes("1, 3, 7")}`, "65 Kč"],
      [`Svíčková ${codes("1, 3, 7, 9")}`, "189 Kč"],
      [`Jablečný závin ${codes("1, 7")}`, "79 Kč"],
    );
    expect(namesOf(html)).toEqual(["Bramboračka", "Svíčková", "Jablečný závin"]);
  });

  it.fails.each([
    ["a class of allergens", (codes: string) => `<span class="allergens">${codes}</span>`],
    ["sup", (codes: string) => `<sup>${codes}</sup>`],
  ])("are cut from the cells of a table when they are in %s", (_, codes) => {
    const table = tableOf(
      ["Gericht", "Preis"],
      [`Linsensuppe ${codes("A, G")}`, "6,50 €"],
      [`Zanderfilet ${codes("A, D, G")}`, "18,90 €"],
      ["Grüner Salat", "5,20 €"],
    );
    expect(namesOf(pageOf("de", `<h1>Speisekarte</h1>${table}`))).toEqual([
      "Linsensuppe",
      "Zanderfilet",
      "Grüner Salat",
    ]);
  });
});

describe("footnotes behind names", () => {
  it("are cut from the cells of a table", () => {
    const table = tableOf(
      ["Team", "Played", "Points"],
      ["Harbour Rovers", "12", "28"],
      ["Mill United<sup>1</sup>", "12", "25"],
      [`Quay Athletic <sup><a href="#n2">2</a></sup>`, "11", "21"],
    );
    const html = pageOf(
      "en",
      `<h1>League table</h1>${table}<p id="n1"><sup>1</sup> Three points deducted.</p><p id="n2"><sup>2</sup> One match postponed.</p>`,
    );
    expect(readRows(html, "teams", { team: STRING, played: INTEGER, points: INTEGER })).toEqual([
      { team: "Harbour Rovers", played: 12, points: 28 },
      { team: "Mill United", played: 12, points: 25 },
      { team: "Quay Athletic", played: 11, points: 21 },
    ]);
  });
});

describe("numbers that belong to a name", () => {
  it.each([
    ["a model", "iPhone <span>15</span>", "iPhone 15"],
    ["a house", "Studio <span>54</span>", "Studio 54"],
    ["a model with letters", `Pixel <span class="model">9 Pro</span>`, "Pixel 9 Pro"],
    ["a plan", "Plan <span>A</span>", "Plan A"],
    ["a gas", "CO<sup>2</sup> meter", "CO2 meter"],
  ])("stay in the title of %s", (_, heading, name) => {
    const html = pageOf("en", `<h1>${heading}</h1><p class="price">€19.90</p>`);
    expect(readObject(html, { name: STRING, price: NUMBER })).toEqual({ name, price: 19.9 });
  });

  it.each([
    ["a vitamin", "Vitamin B<sub>12</sub>", "Vitamin B12"],
    ["an area", "Garden of 40 m<sup>2</sup>", "Garden of 40 m2"],
  ])("stay in the title of %s", (_, heading, name) => {
    const html = pageOf("en", `<h1>${heading}</h1><p class="price">€19.90</p>`);
    expect(readObject(html, { name: STRING })).toEqual({ name });
  });

  it("stay in the names of vitamins of a list", () => {
    const list = (...names: readonly string[]): string =>
      pageOf(
        "en",
        `<h1>Products</h1><ul class="grid">${names.map((name) => `<li class="card"><a href="/p"><h3>${name}</h3></a><span>€7.50</span></li>`).join("")}</ul>`,
      );
    expect(
      namesOf(
        list("Vitamin B<sub>12</sub>", "Vitamin B<sub>6</sub>", "Vitamin D<sub>3</sub>"),
        "products",
      ),
    ).toEqual(["Vitamin B12", "Vitamin B6", "Vitamin D3"]);
  });

  it("stay in the names of products of a list", () => {
    const card = (name: string, price: string): string =>
      `<li class="card"><a href="/p"><h3>${name}</h3></a><span>${price}</span></li>`;
    const html = pageOf(
      "en",
      `<h1>Phones</h1><ul class="grid">${card("iPhone <span>15</span>", "€799.00")}${card("iPhone <span>16</span>", "€899.00")}${card("Pixel <span>9</span>", "€749.00")}</ul>`,
    );
    expect(namesOf(html, "products")).toEqual(["iPhone 15", "iPhone 16", "Pixel 9"]);
  });

  it("stay in the names of a table of substances", () => {
    const table = tableOf(
      ["Name", "Price"],
      ["Vitamin B<sub>12</sub>", "€9.90"],
      ["Vitamin D<sub>3</sub>", "€7.50"],
      ["Vitamin C", "€4.20"],
    );
    const names = namesOf(pageOf("en", `<h1>Vitamins</h1>${table}`), "products") as string[];
    expect(names.map((name) => name.replace(/ (?=\d)/u, ""))).toEqual([
      "Vitamin B12",
      "Vitamin D3",
      "Vitamin C",
    ]);
  });

  it("stay in gases whose number is raised", () => {
    const table = tableOf(
      ["Gas", "Share"],
      ["CO<sup>2</sup>", "0.04 %"],
      ["N<sub>2</sub>", "78.08 %"],
      ["O<sub>2</sub>", "20.95 %"],
    );
    const rows = readRows(pageOf("en", `<h1>Air</h1>${table}`), "gases", {
      gas: STRING,
      share_percent: NUMBER,
    });
    expect(rows.map(({ gas }) => gas)).toEqual(["CO2", "N2", "O2"]);
  });
});

describe("ingredients whose parts have classes", () => {
  const part = (kind: string, text: string): string =>
    text === "" ? "" : `<span class="acme-recipe-ingredient-${kind}">${text}</span> `;
  const line = (amount: string, unit: string, name: string, notes: string): string =>
    `<li class="acme-recipe-ingredient">${part("amount", amount)}${part("unit", unit)}${part("name", name)}${part("notes", notes)}</li>`;
  const html = pageOf(
    "en",
    `<h1>Shortbread</h1><h2>Ingredients</h2><ul class="acme-ingredients">${line("175", "g", "butter", "cold, cubed")}${line("90", "g", "caster sugar", "")}${line("250", "g", "plain flour", "sifted")}${line("1", "pinch", "sea salt", "")}</ul><h2>Method</h2><ol><li>Rub the butter into the flour.</li><li>Bake for 25 minutes.</li></ol>`,
  );

  it("give the name without notes beside an amount", () => {
    const rows = readRows(html, "ingredients", { name: STRING, amount: STRING });
    expect(rows.map(({ name }) => name)).toEqual([
      "butter",
      "caster sugar",
      "plain flour",
      "sea salt",
    ]);
  });

  it("give the name without amount, unit and notes", () => {
    expect(readRows(html, "ingredients", { name: STRING }).map(({ name }) => name)).toEqual([
      "butter",
      "caster sugar",
      "plain flour",
      "sea salt",
    ]);
  });

  it("give amount and unit beside the name", () => {
    const rows = readRows(html, "ingredients", { name: STRING, amount: NUMBER, unit: STRING });
    expect(rows.slice(0, 3)).toEqual([
      { name: "butter", amount: 175, unit: "g" },
      { name: "caster sugar", amount: 90, unit: "g" },
      { name: "plain flour", amount: 250, unit: "g" },
    ]);
  });

  it("stay whole lines in a list of texts", () => {
    expect(readObject(html, { ingredients: STRINGS })["ingredients"]).toEqual([
      "175 g butter cold, cubed",
      "90 g caster sugar",
      "250 g plain flour sifted",
      "1 pinch sea salt",
    ]);
  });

  it("give the name when the line has no notes and short classes", () => {
    const item = (amount: string, unit: string, name: string): string =>
      `<li><span class="x-amount">${amount}</span> <span class="x-unit">${unit}</span> <span class="x-ingredient-name">${name}</span></li>`;
    const short = pageOf(
      "en",
      `<h1>Shortbread</h1><h2>Ingredients</h2><ul>${item("175", "g", "butter")}${item("90", "g", "sugar")}${item("250", "g", "flour")}</ul>`,
    );
    expect(readRows(short, "ingredients", { name: STRING }).map(({ name }) => name)).toEqual([
      "butter",
      "sugar",
      "flour",
    ]);
  });
});
