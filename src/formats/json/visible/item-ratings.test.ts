import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const SCHEMA = {
  type: "object",
  properties: { rating: { type: "number" }, review_count: { type: "integer" } },
};
const page = (body: string, lang = "en"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1>${body}<p>€ 89.00</p><button>Add to cart</button></main></body></html>`;
const ratingsOf = (body: string, lang?: string): unknown =>
  draftPage(page(body, lang), SCHEMA).value ?? {};

describe("the rating of an item and the number of its ratings", () => {
  test.each([
    ["en", "<p>4.6 (128 reviews)</p>"],
    ["en", "<p>4.6 out of 5 stars</p><p>128 ratings</p>"],
    ["en", '<div><span aria-label="Rated 4.6 out of 5">★★★★★</span> <a href="#r">(128)</a></div>'],
    ["en", "<p>★ 4.6 · 128 reviews</p>"],
    ["de", "<p>4,6 von 5 Sternen</p><p>128 Bewertungen</p>"],
    ["fr", "<p>4,6/5 (128 avis)</p>"],
    ["es", "<p>4,6 de 5 estrellas · 128 opiniones</p>"],
    ["it", "<p>4,6 su 5 stelle (128 recensioni)</p>"],
    ["nl", "<p>4,6/5 (128 beoordelingen)</p>"],
    ["pl", "<p>4,6/5 (128 opinii)</p>"],
  ])("reads rating and count from their form (%s: %s)", (lang, body) => {
    expect(ratingsOf(body, lang)).toEqual({ rating: 4.6, review_count: 128 });
  });

  test("a number of ratings with a separator is read whole", () => {
    expect(ratingsOf("<p>4.6 (1,284 reviews)</p>")).toEqual({ rating: 4.6, review_count: 1284 });
    expect(ratingsOf("<p>4,6/5 (1.284 Bewertungen)</p>", "de")).toEqual({
      rating: 4.6,
      review_count: 1284,
    });
  });

  test("the rating of the item precedes those of single reviews", () => {
    const review = (stars: number, text: string): string =>
      `<li><span>${stars} out of 5</span><p>${text}</p></li>`;
    const body = `<p>4.6 out of 5 (128 reviews)</p><h2>Reviews</h2><ul>${review(5, "Bright and small, as I hoped.")}${review(2, "The cable is far too short.")}</ul>`;
    expect(ratingsOf(body)).toEqual({ rating: 4.6, review_count: 128 });
  });

  test.each([
    ["has no reviews", "<p>No reviews yet</p>"],
    ["asks for one", "<p>Be the first to review this item</p>"],
    ["has a number in parentheses", "<p>Watt (128)</p>"],
    ["has a product number", "<p>Item 4.6-128</p>"],
    ["names a size", "<p>4.6 cm</p>"],
    ["counts its rooms", "<p>4.6 m² (2 rooms)</p>"],
  ])("returns no rating for a page that %s", (_, body) => {
    expect(ratingsOf(body)).toEqual({});
  });

  test("the ratings of other items in cards are not those of the item", () => {
    const card = (name: string, rating: string): string =>
      `<li><a href="/${name}"><h3>${name}</h3></a><p>${rating}</p><p>€ 12.00</p></li>`;
    const body = `<section><h2>You may also like</h2><ul>${card("Oak", "4.1 (12 reviews)")}${card("Ash", "3.9 (48 reviews)")}${card("Elm", "4.8 (7 reviews)")}</ul></section>`;
    expect(ratingsOf(body)).toEqual({});
  });
});
