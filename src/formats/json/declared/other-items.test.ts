import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const schemaOf = (properties: Record<string, object>) => ({ type: "object", properties });
const number = { type: "number" };
const text = { type: "string" };
const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Harbor Lamp</title>${head}</head><body><main>${body}</main></body></html>`;
const data = (value: object) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe("data of other items", () => {
  test("takes no price, name or identifier from a related product", () => {
    const related = {
      "@type": "Product",
      name: "Oak Shelf",
      sku: "OS-1",
      offers: { "@type": "Offer", price: 39.5, priceCurrency: "EUR" },
    };
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1><p>A lamp for the desk.</p>", data(related)),
      schemaOf({ name: text, price: number, sku: text }),
    );
    expect(value).toEqual({ name: "Harbor Lamp" });
  });

  test("takes no price from a list of related products that share a word with the item", () => {
    const list = {
      "@type": "ItemList",
      name: "You may also like",
      itemListElement: [
        { "@type": "Product", name: "Lamp shade", offers: { "@type": "Offer", price: 12 } },
        { "@type": "Product", name: "Lamp bulb", offers: { "@type": "Offer", price: 7 } },
      ],
    };
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1><p>A lamp for the desk.</p>", data(list)),
      schemaOf({ name: text, price: number }),
    );
    expect(value).toEqual({ name: "Harbor Lamp" });
  });

  test("uses the item that the title names when the heading names the shop", () => {
    const own = { "@type": "Product", name: "Harbor Lamp", offers: { price: 80 } };
    const other = { "@type": "Product", name: "Oak Shelf", offers: { price: 39.5 } };
    const head = "<title>Harbor Lamp | Pier Furniture</title>";
    const { value } = draftPage(
      `<html><head>${head}${data([other, own])}</head><body><h1>Pier Furniture</h1><main><h2>Harbor Lamp</h2></main></body></html>`,
      schemaOf({ name: text, price: number }),
    );
    expect(value).toEqual({ name: "Harbor Lamp", price: 80 });
  });

  test("gives no value of the related products in a list", () => {
    const related = ["Oak Shelf", "Pine Table"].map((name) => ({
      "@type": "ListItem",
      item: { "@type": "Product", name, sku: name.slice(0, 3), offers: { price: 39.5 } },
    }));
    const list = { "@type": "ItemList", name: "More", itemListElement: related };
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1><p>A lamp for the desk.</p>", data(list)),
      schemaOf({ name: text, sku: text, price: number }),
    );
    expect(value).toEqual({ name: "Harbor Lamp" });
  });

  test("takes nothing from one of several editions", () => {
    const book = {
      "@type": "Book",
      name: "Harbor Lamp",
      workExample: [
        { "@type": "Book", isbn: "9781648234163", offers: { price: 28 } },
        { "@type": "Book", isbn: "9781648234170", offers: { price: 18 } },
      ],
    };
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1><p>A novel.</p>", data(book)),
      schemaOf({ isbn: text, price: number }),
    );
    expect(value).toBeUndefined();
  });

  test.each(["please choose", "Bitte wählen", "Choisir une taille", "選択してください", "请选择"])(
    "takes no prompt of a control for a value: %s",
    (prompt) => {
      const { value } = draftPage(
        page(`<h1>Harbor Lamp</h1><p>Color: ${prompt}</p>`),
        schemaOf({ name: text, color: text }),
      );
      expect(value).toEqual({ name: "Harbor Lamp" });
    },
  );

  test("uses the only product when the heading names the shop and the page shows its name", () => {
    const own = { "@type": "Product", name: "Oak Shelf", offers: { price: 39.5 } };
    const { value } = draftPage(
      page("<h1>Harbor Furniture</h1><h2>Oak Shelf</h2><p>Solid oak.</p>", data(own)),
      schemaOf({ price: number }),
    );
    expect(value).toEqual({ price: 39.5 });
  });

  test("uses a product whose name is longer than the heading", () => {
    const own = {
      "@type": "Product",
      name: "Harbor Lamp, brass, 40 cm",
      sku: "HL-7",
    };
    const { value } = draftPage(page("<h1>Harbor Lamp</h1>", data(own)), schemaOf({ sku: text }));
    expect(value).toEqual({ sku: "HL-7" });
  });

  test("gives the lowest of several declared prices only where it is asked for", () => {
    const own = {
      "@type": "Product",
      name: "Harbor Lamp",
      offers: { "@type": "AggregateOffer", lowPrice: 80, highPrice: 120, priceCurrency: "EUR" },
    };
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1>", data(own)),
      schemaOf({ price: number, low_price: number }),
    );
    expect(value).toEqual({ low_price: 80 });
  });

  test("leaves out a price of script data that the page does not show", () => {
    const state = `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
      props: { pageProps: { product: { name: "Harbor Lamp", brand: "Kov", price: 8950 } } },
    })}</script>`;
    const { value } = draftPage(
      page(`<h1>Harbor Lamp</h1>${state}`),
      schemaOf({ price: number, brand: text }),
    );
    expect(value).toEqual({ brand: "Kov" });
  });

  test("gives no availability when the page contradicts its data", () => {
    const own = {
      "@type": "Product",
      name: "Harbor Lamp",
      offers: { "@type": "Offer", price: 80, availability: "https://schema.org/InStock" },
    };
    const { value, reasons } = draftPage(
      page("<h1>Harbor Lamp</h1><p>€80.00</p><p>Currently out of stock</p>", data(own)),
      schemaOf({ in_stock: { type: "boolean" } }),
    );
    expect(value).toBeUndefined();
    expect(reasons["/in_stock"]).toBe("the page shows another state than its data declares");
  });
});

describe("one place, one property", () => {
  test("does not repeat the price as the price for members", () => {
    const { value } = draftPage(
      page("<h1>Harbor Lamp</h1><p>Price: €80.00</p>"),
      schemaOf({ price: number, member_price: number, unit_price: text }),
    );
    expect(value).toEqual({ price: 80 });
  });
});

describe("choices", () => {
  const choice = (checked: string) =>
    page(
      `<h1>Harbor Lamp</h1><div role="radiogroup" aria-label="Size">${["S", "M", "L"]
        .map((size) => `<button role="radio" aria-checked="${size === checked}">${size}</button>`)
        .join("")}</div>`,
    );

  test("returns the selected one of a group of radio buttons", () => {
    expect(draftPage(choice("M"), schemaOf({ size: text })).value).toEqual({ size: "M" });
  });

  test("returns none when no radio button is selected", () => {
    expect(draftPage(choice("none"), schemaOf({ size: text })).value).toBeUndefined();
  });

  test("returns the label of a checked input without its surcharge", () => {
    const html = page(
      `<h1>Harbor Lamp</h1><dl><dt>Finish</dt><dd><label><input type="radio" name="f"> Steel</label><label><input type="radio" name="f" checked> Brass <small>+ €5</small></label></dd></dl>`,
    );
    expect(draftPage(html, schemaOf({ finish: text })).value).toEqual({ finish: "Brass" });
  });
});
