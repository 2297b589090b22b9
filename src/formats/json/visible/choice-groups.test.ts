import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const texts = { type: "array", items: { type: "string" } };
const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Rain jacket</title></head><body><main><h1>Rain jacket</h1><p>€ 89.00</p>${body}<button>Add to cart</button></main></body></html>`;
const read = (name: string, body: string, lang?: string, property: object = texts): unknown =>
  (
    draftPage(page(body, lang), { type: "object", properties: { [name]: property } }).value as
      | Record<string, unknown>
      | undefined
  )?.[name];
const radio = (value: string, more = "", name = "size"): string =>
  `<label><input type="radio" name="${name}" value="${value}"${more}>${value}</label>`;

describe("lists of choices", () => {
  test.each([
    [
      "a fieldset",
      `<fieldset><legend>Size</legend>${radio("S")}${radio("M")}${radio("L")}</fieldset>`,
    ],
    [
      "a select",
      '<label for="z">Size</label><select id="z"><option value="">Choose a size</option><option>S</option><option>M</option><option>L</option></select>',
    ],
    [
      "buttons below a label",
      "<div><p>Size</p><div><button>S</button><button>M</button><button>L</button></div></div>",
    ],
    [
      "buttons below a label with the selected choice",
      '<div><p>Size: M</p><div><button>S</button><button aria-pressed="true">M</button><button>L</button></div></div>',
    ],
    [
      "a group of radio buttons with a name",
      '<div role="radiogroup" aria-label="Size"><button role="radio" aria-checked="false">S</button><button role="radio" aria-checked="true">M</button><button role="radio" aria-checked="false">L</button></div>',
    ],
  ])("reads the choices from %s", (_, body) => {
    expect(read("sizes", body)).toEqual(["S", "M", "L"]);
  });

  test.each([
    ["de", "Größe", "sizes"],
    ["de", "Farbe", "colors"],
    ["fr", "Taille", "sizes"],
    ["fr", "Couleur", "colors"],
    ["es", "Talla", "sizes"],
    ["it", "Colore", "colors"],
    ["nl", "Maat", "sizes"],
  ])("finds the choices by a label in the page's language (%s: %s)", (lang, label, name) => {
    const body = `<fieldset><legend>${label}</legend>${radio("A1")}${radio("B2")}</fieldset>`;
    expect(read(name, body, lang)).toEqual(["A1", "B2"]);
  });

  test("reads the group with the label when there are several", () => {
    const body = `<fieldset><legend>Color</legend>${radio("Moss", "", "color")}${radio("Sand", "", "color")}</fieldset><fieldset><legend>Size</legend>${radio("S")}${radio("M")}</fieldset>`;
    expect(read("colors", body)).toEqual(["Moss", "Sand"]);
    expect(read("sizes", body)).toEqual(["S", "M"]);
  });

  test("available sizes leave out those that cannot be chosen", () => {
    const body = `<fieldset><legend>Size</legend>${radio("S", " disabled")}${radio("M")}${radio("L")}</fieldset>`;
    expect(read("available_sizes", body)).toEqual(["M", "L"]);
  });

  test("the selected choice is the color of the page", () => {
    const body = `<fieldset><legend>Color</legend>${radio("Moss", "", "color")}${radio("Sand", " checked", "color")}</fieldset>`;
    expect(read("color", body, "en", { type: "string" })).toBe("Sand");
  });

  test.each([
    ["no choice", "<p>One size fits all.</p>"],
    [
      "another group",
      `<fieldset><legend>Color</legend>${radio("Moss")}${radio("Sand")}</fieldset>`,
    ],
    [
      "a select for the order of a list",
      "<label>Sort by<select><option>Size</option><option>Price</option></select></label>",
    ],
    [
      "a select for the quantity",
      "<label>Quantity<select><option>1</option><option>2</option><option>3</option></select></label>",
    ],
  ])("reads no choices from a page with %s", (_, body) => {
    expect(read("sizes", body)).toBeUndefined();
  });

  test("returns no color when none is selected", () => {
    const body = `<fieldset><legend>Color</legend>${radio("Moss", "", "color")}${radio("Sand", "", "color")}</fieldset>`;
    expect(read("color", body, "en", { type: "string" })).toBeUndefined();
  });

  test("two different groups of the same label give no list", () => {
    const group = (name: string, ...sizes: readonly string[]): string =>
      `<fieldset><legend>Size</legend>${sizes.map((size) => radio(size, "", name)).join("")}</fieldset>`;
    expect(read("sizes", group("a", "S", "M") + group("b", "40", "42"))).toBeUndefined();
  });
});
