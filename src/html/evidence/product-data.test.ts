import { describe, expect, it } from "vitest";
import { readProducts } from "./product-data.ts";

const lamp = {
  "@type": "Product",
  name: "Deck lamp",
  brand: { "@type": "Brand", name: "Harbour Works" },
  sku: 4711,
  offers: [
    {
      "@type": "Offer",
      price: "89.00",
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
    },
    { "@type": "Offer", price: 99, priceCurrency: "EUR" },
  ],
  additionalProperty: [
    { "@type": "PropertyValue", name: "Burning time", value: 60, unitText: "hours" },
  ],
};

describe("readProducts", () => {
  it("reads makers, numbers, offers and properties of a product", () => {
    expect(readProducts(JSON.stringify(lamp))).toEqual([
      {
        name: "Deck lamp",
        facts: [
          { label: "Brand", value: "Harbour Works" },
          { label: "SKU", value: "4711" },
          { label: "Burning time", value: "60 hours" },
          { label: "Price", value: "89.00 – 99 EUR" },
          { label: "Availability", value: "in stock" },
        ],
      },
    ]);
  });

  it("reads prices of specifications, but no former prices and none of a unit", () => {
    const prices = [
      { price: "3.50", priceCurrency: "CHF", priceType: "https://schema.org/ListPrice" },
      { price: 2.25, priceCurrency: "CHF" },
      { price: 0.11, priceCurrency: "CHF", referenceQuantity: { value: 1 } },
    ];
    const napkin = { "@type": "Product", name: "Napkin", offers: { priceSpecification: prices } };
    expect(readProducts(JSON.stringify(napkin))[0]?.facts).toEqual([
      { label: "Price", value: "2.25 CHF" },
    ]);
  });

  it("decodes names that generators escaped twice", () => {
    const ring = { "@type": "Product", name: "Ring", brand: { name: "L&amp;#8217;atelier" } };
    expect(readProducts(JSON.stringify(ring))[0]?.facts).toEqual([
      { label: "Brand", value: "L’atelier" },
    ]);
  });

  it("finds products in graphs and lists, and the variants of a group", () => {
    const group = {
      "@type": "ProductGroup",
      name: "Lamps",
      hasVariant: [
        { "@type": "Product", name: "Lamp, brass", offers: { price: 10, priceCurrency: "EUR" } },
        { "@type": "Product", name: "Lamp, steel", offers: { price: 12, priceCurrency: "EUR" } },
      ],
    };
    const [found] = readProducts(JSON.stringify({ "@graph": [{ "@type": "WebSite" }, group] }));
    expect(found?.facts).toEqual([
      { label: "Price", value: "10 – 12 EUR" },
      { label: "Variant", value: "Lamp, brass" },
      { label: "Variant", value: "Lamp, steel" },
    ]);
  });

  it("returns no products for broken JSON or other types", () => {
    expect(readProducts('{"@type": "Product"')).toEqual([]);
    expect(readProducts("[null, 1, {}]")).toEqual([]);
    expect(readProducts('{"@type": "Article", "name": "x"}')).toEqual([]);
  });
});
