import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const string = { type: "string" };
const page = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${main}</main></html>`;

describe("names with a number", () => {
  it("stay whole in a list that is called like them", () => {
    const cards = [1, 2, 3, 4, 5].map(
      (number) =>
        `<div class="card"><a href="/lamp/${number}"><h2>Lamp ${number}</h2></a><span>€${number}9.99</span></div>`,
    );
    const items = { type: "object", properties: { name: string, price: { type: "number" } } };
    const schema = { type: "object", properties: { lamps: { type: "array", items } } };
    const value = draftPage(page("Lamps", cards.join("")), schema).value as {
      lamps: { name: string }[];
    };
    expect(value.lamps.map(({ name }) => name)).toEqual([
      "Lamp 1",
      "Lamp 2",
      "Lamp 3",
      "Lamp 4",
      "Lamp 5",
    ]);
  });
});

describe("a line with price and stock", () => {
  it("gives its part about the stock as availability", () => {
    const schema = {
      type: "object",
      properties: { name: string, price: { type: "number" }, availability: string },
    };
    const html = page(
      "Desk lamp",
      "<p><strong>$19.99</strong> · In stock</p><p>Made of brass.</p>",
    );
    expect(draftPage(html, schema).value).toEqual({
      name: "Desk lamp",
      price: 19.99,
      availability: "In stock",
    });
  });
});
