import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const number = { type: "number" };
const text = { type: "string" };
const readList = (body: string, properties: object, about = ""): unknown =>
  (
    draftPage(`<html lang="en"><main><h1>List</h1>${body}<p>${about}</p></main>`, {
      type: "object",
      properties: { items: { type: "array", items: { type: "object", properties } } },
    }).value as { readonly items?: unknown } | undefined
  )?.items;

describe("temperatures of cards", () => {
  const cards = (...lines: readonly string[]): string =>
    `<ul>${lines.map((line, at) => `<li><h3>Day ${at + 1}</h3><p>${line}</p></li>`).join("")}</ul>`;
  const properties = { name: text, high_c: number, low_c: number };

  it("reads the higher and the lower of two temperatures", () => {
    expect(readList(cards("<b>17°</b> <i>11°</i>", "<b>4°</b> <i>9°</i>"), properties)).toEqual([
      { name: "Day 1", high_c: 17, low_c: 11 },
      { name: "Day 2", high_c: 9, low_c: 4 },
    ]);
  });

  it("returns no temperatures when one of them is a felt temperature", () => {
    const body = cards("<b>17°</b> <i>Feels like 11°</i>", "<b>9°</b> <i>Feels like 4°</i>");
    expect(JSON.stringify(readList(body, properties) ?? [])).not.toMatch(/high_c|low_c/);
  });
});

describe("amounts without a sign", () => {
  const rows = (...amounts: readonly string[]): string =>
    `<div>${amounts.map((amount, at) => `<div class="r"><b>Dish ${at}</b><i>with a sauce of the day</i><u>${amount}</u></div>`).join("")}</div>`;
  const properties = { name: text, description: text, price: number };
  const pricesOf = (body: string, about: string): unknown[] =>
    ((readList(body, properties, about) ?? []) as readonly { price?: number }[]).map(
      ({ price }) => price,
    );

  it("reads amounts without a sign as prices when the page names a currency", () => {
    expect(pricesOf(rows("8,00", "12,50"), "Cover 2 €")).toEqual([8, 12.5]);
  });

  it("does not read amounts as prices when they may be times or no currency is named", () => {
    expect(pricesOf(rows("19.30", "20.00"), "Tickets from €8")).toEqual([undefined, undefined]);
    expect(pricesOf(rows("19.30", "20.00"), "Prices in euro")).toEqual([19.3, 20]);
    expect(pricesOf(rows("8,00", "12,50"), "")).toEqual([undefined, undefined]);
  });
});

describe("the only card of a list", () => {
  const card = '<div><a href="/7"><b>Maisonette</b><i>124 m²</i><u>€1,650</u></a></div>';
  const properties = { name: text, price: number };

  it("reads a single card as a list of one when it fills most of the main content", () => {
    expect(readList(card, properties)).toEqual([{ name: "Maisonette", price: 1650 }]);
  });

  it("does not read a card beside an article as a list", () => {
    const article = "<p>A long report about the market for flats in the city.</p>".repeat(6);
    expect(readList(article + card, properties)).toBeUndefined();
  });
});

describe("stars of single reviews", () => {
  const reviews = (...stars: readonly string[]): string =>
    `<ul>${stars.map((each, at) => `<li><b>Ada ${"BCD"[at]}</b> <span>${each}</span><p>It works well and looks good, too.</p></li>`).join("")}</ul>`;
  const ratingsOf = (body: string): unknown[] => {
    const schema = {
      type: "object",
      properties: {
        reviews: {
          type: "array",
          items: { type: "object", properties: { author: text, rating: number, text } },
        },
      },
    };
    const value = draftPage(`<main><h1>Lamp</h1><h2>Reviews</h2>${body}</main>`, schema).value as
      | { readonly reviews?: readonly { readonly rating?: number }[] }
      | undefined;
    return (value?.reviews ?? []).map(({ rating }) => rating);
  };

  it("counts filled stars when open stars are shown too", () => {
    expect(ratingsOf(reviews("★★★★★", "★★★☆☆"))).toEqual([5, 3]);
  });

  it("does not count stars when only their color may mark the filled ones", () => {
    expect(ratingsOf(reviews("★★★★★", "★★★★★"))).toEqual([undefined, undefined]);
  });
});
