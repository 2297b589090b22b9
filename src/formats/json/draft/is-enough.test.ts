import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import { isEnough } from "./is-enough.ts";

const product = (fields: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ "@type": "Product", ...fields })}</script><main><h1>Deck lamp</h1><p>Warranty: 2 years</p></main>`;
const schemaOf = (properties: object, required?: readonly string[]): Record<string, unknown> => ({
  type: "object",
  properties,
  ...(required === undefined ? {} : { required }),
});
const text = { type: "string" };

const enough = (html: string, schema: Record<string, unknown>, prompt?: string): boolean =>
  isEnough({ schema, prompt }, draftPage(html, schema, prompt));

describe("isEnough", () => {
  it.each<[string, boolean, string, Record<string, unknown>]>([
    [
      "all required fields are declared",
      true,
      product({ name: "Deck lamp", sku: "DL-1" }),
      schemaOf({ name: text, sku: text, color: text }, ["name", "sku"]),
    ],
    [
      "one required field is missing",
      false,
      product({ name: "Deck lamp" }),
      schemaOf({ name: text, sku: text }, ["name", "sku"]),
    ],
    [
      "nothing is required and one field is missing",
      false,
      product({ name: "Deck lamp" }),
      schemaOf({ name: text, sku: text }),
    ],
    [
      "a required object has one of its two fields",
      false,
      product({ name: "Deck lamp", brand: { "@type": "Brand", name: "Skagen" } }),
      schemaOf({ brand: schemaOf({ name: text, founded: text }) }, ["brand"]),
    ],
    [
      "a field of that object is not required",
      true,
      product({ name: "Deck lamp", brand: { "@type": "Brand", name: "Skagen" } }),
      schemaOf({ brand: schemaOf({ name: text, founded: text }, ["name"]) }, ["brand"]),
    ],
    [
      "an item of a required list lacks a field",
      false,
      product({
        name: "Deck lamp",
        review: [
          { "@type": "Review", author: "Mia", reviewBody: "Bright." },
          { "@type": "Review", author: "Jon" },
        ],
      }),
      schemaOf(
        {
          reviews: {
            type: "array",
            items: schemaOf({ author: text, reviewBody: text }),
          },
        },
        ["reviews"],
      ),
    ],
    [
      "a word of another language means another thing",
      false,
      product({
        name: "Deck lamp",
        aggregateRating: { "@type": "AggregateRating", ratingValue: 4.5 },
      }),
      schemaOf({ name: text, note: text }, ["name", "note"]),
    ],
    [
      "a longer name only contains the declared one",
      false,
      product({ name: "Deck lamp", offers: { "@type": "Offer", price: "89.00" } }),
      schemaOf({ shipping_price: { type: "number" } }, ["shipping_price"]),
    ],
    [
      "the page gives the value in another unit",
      false,
      product({ name: "Deck lamp" }),
      schemaOf({ weight_g: { type: "number" } }, ["weight_g"]),
    ],
  ])("when %s, the draft is enough: %s", (_, expected, html, schema) => {
    expect(enough(html, schema)).toBe(expected);
  });

  it("the draft is not enough with a prompt, without a schema, or when a value does not fit the schema", () => {
    const html = product({ name: "Deck lamp", sku: "DL-1" });
    const schema = schemaOf({ name: text });
    expect(enough(html, schema)).toBe(true);
    expect(enough(html, schema, "in French")).toBe(false);
    expect(isEnough({ prompt: "the name" }, draftPage(html, {}, "the name"))).toBe(false);
    expect(enough(html, schemaOf({ name: text, sku: { ...text, maxLength: 2 } }, ["name"]))).toBe(
      false,
    );
  });
});
