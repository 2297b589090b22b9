import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1>${body}<p>€ 89.00</p><button>Add to cart</button></main></body></html>`;
const read = (name: string, body: string, lang?: string): unknown =>
  (
    draftPage(page(body, lang), { type: "object", properties: { [name]: { type: "string" } } })
      .value as Record<string, unknown> | undefined
  )?.[name];

describe("the seller", () => {
  test.each([
    ["en", "<p>Sold by Hearth & Co</p>"],
    ["en", "<p>Sold and shipped by <a href='/s/1'>Hearth & Co</a></p>"],
    ["en", "<p>Sold by: <strong>Hearth & Co</strong></p>"],
    ["de", "<p>Verkauf und Versand durch Hearth & Co</p>"],
    ["fr", "<p>Vendu et expédié par Hearth & Co</p>"],
    ["es", "<p>Vendido y enviado por Hearth & Co</p>"],
    ["it", "<p>Venduto e spedito da Hearth & Co</p>"],
    ["nl", "<p>Verkoop door Hearth & Co</p>"],
    ["sv", "<p>Säljs av Hearth & Co</p>"],
  ])("reads the seller behind the words for selling (%s: %s)", (lang, body) => {
    expect(read("seller", body, lang)).toBe("Hearth & Co");
  });

  test.each([
    ["says nothing of one", "<p>In stock</p>"],
    ["says how it is sold", "<p>Sold by the meter</p>"],
    ["says how many are sold", "<p>Sold by thousands of shops since 1998, and loved.</p>"],
    ["says who made it", "<p>by Aero</p>"],
    ["offers several", "<p>Sold by Hearth & Co</p><p>Sold by Lamp World</p>"],
  ])("returns no seller for a page that %s", (_, body) => {
    expect(read("seller", body)).toBeUndefined();
  });
});

describe("the brand", () => {
  test.each([
    ["en", "<p>by <a href='/m/7'>Aero</a></p>"],
    ["de", "<p>von <a href='/m/7'>Aero</a></p>"],
    ["fr", "<p>par <a href='/m/7'>Aero</a></p>"],
    ["en", '<p><a href="/brands/aero">Aero</a></p>'],
    ["de", '<p><a href="/marken/aero">Aero</a></p>'],
    ["en", '<p><a href="/brand/aero">Visit the Aero store</a></p>'],
  ])("reads the brand near the heading (%s: %s)", (lang, body) => {
    expect(read("brand", body, lang)).toBe("Aero");
  });

  test.each([
    ["names none", "<p>A lamp for the deck.</p>"],
    ["names a date", "<p>by Friday, 4 June</p>"],
    ["lists all brands", '<p><a href="/brands">All brands</a></p>'],
    [
      "links to several brands",
      '<ul><li><a href="/brands/aero">Aero</a></li><li><a href="/brands/luma">Luma</a></li><li><a href="/brands/orn">Orn</a></li></ul>',
    ],
    ["names the seller", "<p>Sold by Hearth & Co</p>"],
    ["tells how it is made", "<p>by hand</p>"],
  ])("returns no brand for a page that %s", (_, body) => {
    expect(read("brand", body)).toBeUndefined();
  });
});
