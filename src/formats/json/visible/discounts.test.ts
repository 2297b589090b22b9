import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const SCHEMA = {
  type: "object",
  properties: { price: { type: "number" }, original_price: { type: "number" } },
};
const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Deck lamp</title>${head}</head><body><main><h1>Deck lamp</h1>${body}<button>Add to cart</button></main></body></html>`;
const declared = (price: number) =>
  `<script type="application/ld+json">${JSON.stringify({ "@type": "Product", name: "Deck lamp", offers: { "@type": "Offer", price, priceCurrency: "EUR" } })}</script>`;
const pricesOf = (body: string, head = "") => draftPage(page(body, head), SCHEMA).value;

describe("prices before and after a discount", () => {
  test.each([
    ["−25 %", "€ 80.00", "€ 60.00"],
    ["25% off", "€ 79.90", "€ 59.93"],
    ["-50%", "EUR219.99", "EUR110.00"],
  ])("a label %s tells %s from %s without any style", (label, before, after) => {
    const amountOf = (text: string) => Number(text.replaceAll(/[^\d.]/g, ""));
    expect(pricesOf(`<div><span>${before}</span> <b>${label}</b><p>${after}</p></div>`)).toEqual({
      price: amountOf(after),
      original_price: amountOf(before),
    });
  });

  test("ignores a declared price that the page shows as the price before a discount", () => {
    const shown = "<div><span>€ 80.00</span> <b>−25 %</b><p>€ 60.00</p></div>";
    expect(pricesOf(shown, declared(80))).toMatchObject({ price: 60 });
  });

  test("a declared price that the page shows only crossed out is no price", () => {
    expect(pricesOf("<p><del>€ 80.00</del> <span>€ 64.00</span></p>", declared(80))).toMatchObject({
      price: 64,
    });
    expect(pricesOf("<p><del>€ 80.00</del></p>", declared(80))).not.toHaveProperty("price");
  });

  test("a declared starting price gives way to the only current one", () => {
    const shown = "<p>$200</p><p>Starting price $150</p>";
    expect(pricesOf(shown, declared(150))).toMatchObject({ price: 200 });
  });

  test.each([
    ["the lowest price of 30 days", "<p>Lowest price of the last 30 days: € 70.00</p>"],
    ["a price per unit", "<p>€ 12.50 / 100 g</p>"],
    ["a price for members", "<p><span>Member price</span><b>€ 48.00</b></p>"],
    [
      "cards that are links",
      '<div><a href="/a"><p>Oak lamp</p><p>€ 12.00</p></a><a href="/b"><p>Ash lamp</p><p>€ 15.00</p></a></div>',
    ],
  ])("%s is not the price of the item", (_, other) => {
    expect(pricesOf(`<p>€ 60.00</p>${other}`)).toEqual({ price: 60 });
  });

  test("does not take the price for members or coupons for the declared price", () => {
    const schema = {
      type: "object",
      properties: { member_price: { type: "number" }, coupon_price: { type: "number" } },
    };
    expect(draftPage(page("<p>€ 60.00</p>", declared(60)), schema).value).toBeUndefined();
  });

  test("cards that begin with a link and have a price give no value of the item", () => {
    const schema = { type: "object", properties: { diameter: { type: "string" } } };
    const card = (name: string) =>
      `<li><a href="/${name}">${name}</a><span>€ 9.00</span><small>Diameter: 9 cm</small></li>`;
    expect(
      draftPage(page(`<p>€ 60.00</p><ul>${card("oak")}${card("ash")}</ul>`), schema).value,
    ).toBeUndefined();
  });

  test("the regular price is the price beside one for members", () => {
    const rows =
      '<div><span class="a">Member price</span><span class="b">€ 48.00</span></div><div><span class="a">Regular price</span><span class="b">€ 60.00</span></div>';
    expect(pricesOf(rows)).toMatchObject({ price: 60 });
  });

  test("a badge elsewhere gives the discount if it leads from the old price to the new one", () => {
    const schema = { type: "object", properties: { discount_percent: { type: "number" } } };
    const shown = (badge: string): string =>
      `<figure><span>${badge}</span><p>${"The lamp on a desk. ".repeat(20)}</p></figure><div><b>€ 60.00</b> <s>€ 80.00</s></div>`;
    expect(draftPage(page(shown("−25 %")), schema).value).toEqual({ discount_percent: 25 });
    expect(draftPage(page(shown("−30 %")), schema).value).toBeUndefined();
  });

  test.each([
    ["a percentage that does not lead from one price to the other", "−10 %"],
    ["a discount for members", "25% off for members"],
    ["a tax rate", "incl. 25% VAT"],
  ])("ignores %s between two prices", (_, label) => {
    const shown = `<div><span>€ 80.00</span> <b>${label}</b><p>€ 60.00</p></div>`;
    expect(pricesOf(shown, declared(80))).toEqual({ price: 80 });
  });
});
