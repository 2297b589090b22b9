import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const page = (more: string): string =>
  `<!doctype html><html lang="en"><body><main><h1>Deck lamp</h1><p>€ 89.00</p>${more}</main></body></html>`;
const SCHEMA = {
  type: "object",
  properties: {
    name: { type: "string" },
    availability: { type: "string", enum: ["InStock", "OutOfStock"] },
  },
};
const availabilityOf = (more: string): unknown =>
  (draftPage(page(more), SCHEMA).value as Record<string, unknown>)["availability"] ?? undefined;

describe("availability by the button for buying", () => {
  it("reports InStock when the buy button can be pressed and nothing contradicts it", () => {
    expect(availabilityOf('<button class="btn disabled:opacity-50">Add to cart</button>')).toBe(
      "InStock",
    );
  });

  it.each([
    ["the button is disabled", "<button disabled>Add to cart</button>"],
    ["the button looks disabled", '<button class="btn btn-disabled">Add to cart</button>'],
    [
      "the page offers to notify",
      "<button>Add to cart</button><button>Notify me when it is back</button>",
    ],
    [
      "a variant cannot be chosen",
      '<select><option value="s" disabled>S</option><option value="m">M</option></select><button>Add to cart</button>',
    ],
  ])("reports no availability when %s", (_, more) => {
    expect(availabilityOf(more)).toBeUndefined();
  });

  it("reports no availability when no price stands by the buy button", () => {
    const html = page("<button>Add to cart</button>").replace("<p>€ 89.00</p>", "");
    const { value } = draftPage(html, SCHEMA);
    expect((value as Record<string, unknown>)["availability"] ?? undefined).toBeUndefined();
  });

  it.each([
    ["of a gallery", '<button disabled aria-label="Previous picture">‹</button>'],
    ["of the quantity", '<button class="quantity-minus" disabled>-1</button>'],
  ])("reports InStock beside a disabled button %s", (_, more) => {
    expect(availabilityOf(`${more}<button>Add to cart</button>`)).toBe("InStock");
  });

  it("reads the alternative text of a button that is a picture", () => {
    expect(availabilityOf('<input type="image" src="buy.png" alt="Add to cart">')).toBe("InStock");
    expect(availabilityOf('<img src="buy.png" alt="Add to cart">')).toBe("InStock");
  });

  it.each([
    "Sorry, this item is currently out of stock",
    "Dieser Artikel ist derzeit nicht lieferbar.",
    "Ce produit n'est plus disponible",
    "Este producto no está disponible",
    "Questo prodotto non è al momento disponibile",
    "Товар временно недоступен",
  ])("reads the sentence %s", (text) => {
    expect(availabilityOf(`<p>${text}</p><button>Add to cart</button>`)).toBe("OutOfStock");
  });

  it("does not read a sentence about availability as its opposite", () => {
    expect(availabilityOf("<p>This item is available in three colors.</p>")).not.toBe("OutOfStock");
  });

  it("prefers the stated availability to the buy button", () => {
    expect(availabilityOf("<p>Sold out</p><button>Add to cart</button>")).toBe("OutOfStock");
  });
});
