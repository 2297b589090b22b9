import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1><p>€ 89.00</p>${body}<button>Add to cart</button></main></body></html>`;
const readPage = (name: string, type: string) => (body: string, lang?: string) =>
  (
    draftPage(page(body, lang), { type: "object", properties: { [name]: { type } } }).value as
      | Record<string, unknown>
      | undefined
  )?.[name];

describe("shipping costs", () => {
  const costOf = readPage("shipping_cost", "number");

  test.each([
    ["en", "<p>+ € 5.95 shipping</p>", 5.95],
    ["en", "<p>Delivery: £3.99</p>", 3.99],
    ["en", "<p>Standard delivery £3.99</p>", 3.99],
    ["de", "<p>zzgl. 4,90 € Versand</p>", 4.9],
    ["de", "<p>Versandkosten: 4,90 €</p>", 4.9],
    ["fr", "<p>Livraison : 4,99 €</p>", 4.99],
    ["es", "<p>Envío: 3,50 €</p>", 3.5],
    ["nl", "<p>Verzendkosten € 4,95</p>", 4.95],
    ["pl", "<p>Dostawa 12,99 zł</p>", 12.99],
    ["en", "<p>Free shipping</p>", 0],
    ["de", "<p>Kostenloser Versand</p>", 0],
    ["fr", "<p>Livraison gratuite</p>", 0],
    ["it", "<p>Spedizione gratuita</p>", 0],
    ["es", "<p>Envío gratis</p>", 0],
  ])("reads the shipping cost from a line (%s: %s)", (lang, body, cost) => {
    expect(costOf(body, lang)).toBe(cost);
  });

  test("does not take the price of the item for the shipping cost", () => {
    expect(readPage("price", "number")("<p>+ € 5.95 shipping</p>")).toBe(89);
  });

  test.each([
    ["without a word about delivery", "<p>Made in Kiel</p>"],
    ["that refers to shipping costs elsewhere", "<p>plus shipping</p>"],
    [
      "with free shipping for larger orders, in two elements",
      "<p><b>Free shipping</b><span>on orders over $50</span></p>",
    ],
    ["with free shipping for larger orders only", "<p>Free shipping on orders over € 100.00</p>"],
    ["with a German limit", "<p>Kostenloser Versand ab 100 €</p>"],
    ["with a French limit", "<p>Livraison gratuite dès 100 €</p>"],
    ["with free returns", "<p>Free returns</p>"],
    ["without free shipping", "<p>No free shipping for this item</p>"],
  ])("returns no shipping cost for a page %s", (_, body) => {
    expect(costOf(body)).toBeUndefined();
  });
});

describe("delivery times", () => {
  const timeOf = readPage("delivery_time", "string");

  test.each([
    ["en", "<p>Delivery in 2–4 business days</p>", "2–4 business days"],
    ["en", "<p>Ships within 24 hours</p>", "24 hours"],
    ["de", "<p>Lieferzeit: 2-3 Werktage</p>", "2-3 Werktage"],
    ["de", "<p>Lieferung in 2–3 Werktagen</p>", "2–3 Werktagen"],
    ["fr", "<p>Livraison en 3 à 5 jours ouvrés</p>", "3 à 5 jours ouvrés"],
    ["nl", "<p>Levertijd: 2 werkdagen</p>", "2 werkdagen"],
    ["es", "<p>Entrega en 3 días</p>", "3 días"],
  ])("reads the delivery time from a line (%s: %s)", (lang, body, time) => {
    expect(timeOf(body, lang)).toContain(time);
  });

  test.each([
    ["the time for returns", "<p>Return within 30 days</p>"],
    ["a German right to return", "<p>Rückgabe innerhalb von 30 Tagen</p>"],
    ["a warranty", "<p>Warranty: 24 months</p>"],
    ["the time of express delivery", "<p>Express delivery in 1 day for € 9.90</p>"],
    ["a duration without delivery", "<p>Runs for 20 hours</p>"],
  ])("does not read a delivery time from %s", (_, body) => {
    expect(timeOf(body)).toBeUndefined();
  });
});

describe("the number of pieces left", () => {
  const countOf = readPage("stock_count", "integer");

  test.each([
    ["en", "<p>Only 3 left in stock</p>", 3],
    ["en", "<p>12 in stock</p>", 12],
    ["en", "<p>In stock: 12</p>", 12],
    ["de", "<p>Nur noch 2 Stück auf Lager</p>", 2],
    ["fr", "<p>Plus que 4 en stock</p>", 4],
    ["es", "<p>Solo quedan 5 unidades</p>", 5],
    ["nl", "<p>Nog 7 op voorraad</p>", 7],
  ])("reads the stock count from a line (%s: %s)", (lang, body, count) => {
    expect(countOf(body, lang)).toBe(count);
  });

  test.each([
    ["in stock", "<p>In stock</p>"],
    ["reviewed", "<p>12 reviews</p>"],
    ["delivered soon", "<p>In stock, delivered in 3 days</p>"],
    ["in many carts", "<p>14 people have this in their cart</p>"],
    ["made of parts", "<p>3 pieces per set</p>"],
  ])("returns no stock count for an item that is only %s", (_, body) => {
    expect(countOf(body)).toBeUndefined();
  });
});
