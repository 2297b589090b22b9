import { describe, expect, it } from "vitest";
import { draftPage } from "../../test/understanding/derive-page.ts";

const read = (body: string, lang = "en"): unknown =>
  draftPage(
    `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1>${body}<button>Add to cart</button></main></body></html>`,
    { type: "object", properties: { price: { type: "number" } } },
  ).value ?? {};

describe("a price whose digits and sign are separate elements", () => {
  it.each([
    [
      "sign, whole and fraction",
      "<span>$</span><span>24</span><span>.</span><span>99</span>",
      "en",
    ],
    [
      "the fraction with its comma, the sign behind",
      "<span>24</span><span>,99</span><span>€</span>",
      "de",
    ],
    ["the sign alone", "<span>£</span><span>24.99</span>", "en"],
    ["an amount and its code", "<span>24,99</span> <span>EUR</span>", "de"],
  ])("reads a price that is split into elements: %s", (_, parts, lang) => {
    expect(read(`<div class="price">${parts}</div>`, lang)).toEqual({ price: 24.99 });
  });

  it("reads a split price beside the crossed-out price of another element", () => {
    const body =
      '<div><s>$30.00</s> <div class="price"><span>$</span><span>24</span><span>.</span><span>99</span></div></div>';
    expect(read(body)).toEqual({ price: 24.99 });
  });

  it.each([
    ["numbers without a sign", "<span>24</span><span>99</span>"],
    ["a sign without a number", "<span>€</span><span>per piece</span>"],
    ["a count of parts", "<span>Pages</span><span>24</span>"],
  ])("does not build a price of %s", (_, parts) => {
    expect(read(`<div>${parts}</div>`)).toEqual({});
  });

  it("does not build one price of two prices", () => {
    expect(read("<div><span>$24.00</span><span>$99.00</span></div>")).toEqual({});
  });
});
