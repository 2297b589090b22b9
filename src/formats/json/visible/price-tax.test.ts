import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const number = { type: "number" };
const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1>${body}<button>Add to cart</button></main></body></html>`;
const pricesOf = (body: string, names: readonly string[], lang?: string): unknown =>
  draftPage(page(body, lang), {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, number])),
  }).value ?? {};

describe("prices with and without tax", () => {
  test.each([
    ["en", "<p>£24.00 inc. VAT</p><p>£20.00 ex. VAT</p>", 24, 20],
    ["en", "<p>£20.00 excluding VAT</p><p>£24.00 including VAT</p>", 24, 20],
    ["de", "<p>20,00 € zzgl. 19 % MwSt.</p><p>23,80 € inkl. MwSt.</p>", 23.8, 20],
    ["fr", "<p>20,00 € HT</p><p>24,00 € TTC</p>", 24, 20],
    ["nl", "<p>€ 20,00 excl. btw</p><p>€ 24,20 incl. btw</p>", 24.2, 20],
    ["it", "<p>20,00 € IVA esclusa</p><p>24,40 € IVA inclusa</p>", 24.4, 20],
    ["es", "<p>20,00 € sin IVA</p><p>24,20 € IVA incluido</p>", 24.2, 20],
    ["pl", "<p>100,00 zł netto</p><p>123,00 zł brutto</p>", 123, 100],
    ["sv", "<p>80,00 kr exkl. moms</p><p>100,00 kr inkl. moms</p>", 100, 80],
  ])(
    "distinguishes prices with and without tax by their words (%s: %s)",
    (lang, body, gross, net) => {
      expect(pricesOf(body, ["price"], lang)).toEqual({ price: gross });
      expect(pricesOf(body, ["gross_price", "net_price"], lang)).toEqual({
        gross_price: gross,
        net_price: net,
      });
      expect(pricesOf(body, ["price_incl_vat", "price_excl_vat"], lang)).toEqual({
        price_incl_vat: gross,
        price_excl_vat: net,
      });
    },
  );

  test("distinguishes prices with and without tax by words in an element beside them", () => {
    const body =
      "<div><span>£20.00</span> <small>ex VAT</small></div><div><span>£24.00</span> <small>inc VAT</small></div>";
    expect(pricesOf(body, ["price", "price_excl_vat"])).toEqual({
      price: 24,
      price_excl_vat: 20,
    });
  });

  test("distinguishes prices with and without tax by their labels", () => {
    const body =
      "<dl><dt>Price (excl. VAT)</dt><dd>£20.00</dd><dt>Price (incl. VAT)</dt><dd>£24.00</dd></dl>";
    expect(pricesOf(body, ["price_incl_vat", "price_excl_vat"])).toEqual({
      price_incl_vat: 24,
      price_excl_vat: 20,
    });
  });

  test("uses the price without tax as the price when the page shows no other", () => {
    expect(pricesOf("<p>£20.00 ex VAT</p>", ["price"])).toEqual({ price: 20 });
  });

  test("a note about tax and shipping leaves the price as it is", () => {
    const body = "<p>29,99 € inkl. MwSt. zzgl. Versandkosten</p>";
    expect(pricesOf(body, ["price"], "de")).toEqual({ price: 29.99 });
    expect(pricesOf(body, ["shipping_cost"], "de")).toEqual({});
  });

  test("the amount of the tax is no price", () => {
    expect(pricesOf("<p>£24.00</p><p>VAT: £4.00</p>", ["price"])).toEqual({ price: 24 });
    expect(pricesOf("<p>119,00 €</p><p>inkl. 19,00 € MwSt.</p>", ["price"], "de")).toEqual({
      price: 119,
    });
  });

  test.each([
    ["says nothing about tax", "<p>£24.00</p>"],
    ["says that tax is included", "<p>£24.00 incl. VAT</p>"],
    ["calls the item duty-free", "<p>£24.00</p><p>Free tax advice included</p>"],
  ])("returns no price without tax when the page %s", (_, body) => {
    expect(pricesOf(body, ["price_excl_vat"])).toEqual({});
    expect(pricesOf(body, ["net_price"])).toEqual({});
  });

  test("returns no price with tax when the page states only the one without", () => {
    expect(pricesOf("<p>£20.00 ex VAT</p>", ["price_incl_vat"])).toEqual({});
    expect(pricesOf("<p>20,00 € HT</p>", ["gross_price"], "fr")).toEqual({});
  });
});
