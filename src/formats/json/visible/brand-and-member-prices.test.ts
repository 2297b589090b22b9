import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const PRODUCT = { name: STRING, brand: STRING, price: NUMBER, club_price: NUMBER };
const card = (above: string, name: string, slug: string, ...prices: readonly string[]): string =>
  `<div class="card"><a href="/p/${slug}"><img src="/i/${slug}.jpg" alt=""></a><div class="eyebrow">${above}</div><a href="/p/${slug}">${name}</a>${prices.map((price) => `<div>${price}</div>`).join("")}</div>`;
const shop = (lang: string, ...cards: readonly string[]): string =>
  pageOf(lang, `<h1>Shop</h1><div class="grid">${cards.join("")}</div>`);

describe("lines above the titles of cards", () => {
  it("are brands where the address starts with them, and otherwise nothing", () => {
    const html = shop(
      "sv",
      card("Måsen", "Tekanna", "masen-tekanna", "349 kr"),
      card("Orn & Co", "Mugg", "orn-co-mugg-bla", "129 kr"),
      card("Nyhet", "Skål", "skal-rund", "199 kr"),
      card("Kannor", "Kanna", "kannor-glas", "249 kr"),
    );
    expect(readRows(html, "products", PRODUCT).map(({ brand }) => brand)).toEqual([
      "Måsen",
      "Orn & Co",
      undefined,
      undefined,
    ]);
  });
});

describe("prices for members in a line of their own", () => {
  it.each([
    ["en", "£9.60 with Gull Club", "£12.00"],
    ["de", "9,60 € für Mitglieder", "12,00 €"],
    ["fr", "9,60 € pour les membres", "12,00 €"],
    ["es", "9,60 € para socios", "12,00 €"],
    ["nl", "€ 9,60 voor leden", "€ 12,00"],
  ])("are not the price of the product (%s)", (lang, members, price) => {
    const html = shop(
      lang,
      card("", "Mok", "mok", price, members),
      card("", "Kan", "kan", price),
      card("", "Kom", "kom", members, price),
    );
    expect(readRows(html, "products", PRODUCT)).toEqual([
      { name: "Mok", price: 12, club_price: 9.6 },
      { name: "Kan", price: 12 },
      { name: "Kom", price: 12, club_price: 9.6 },
    ]);
  });
});
