import { describe, expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const text = { type: "string" };
const SCHEMA = {
  type: "object",
  properties: {
    reviews: {
      type: "array",
      items: {
        type: "object",
        properties: { author: text, rating: { type: "number" }, text },
      },
    },
  },
};
const page = (reviews: string, lang = "en", heading = "Reviews"): string =>
  `<!doctype html><html lang="${lang}"><head><title>Deck lamp</title></head><body><main><h1>Deck lamp</h1><p>€ 89.00</p><button>Add to cart</button><section><h2>${heading}</h2>${reviews}</section></main></body></html>`;
const BRIGHT = "Bright enough for the whole deck, and small enough to hide behind the bench.";
const SHORT = "The cable is far too short for our table, and the switch is hard to find at night.";
const EXPECTED = {
  reviews: [
    { author: "Mara Lind", rating: 5, text: BRIGHT },
    { author: "Jon P.", rating: 2, text: SHORT },
  ],
};
const both = (of: (author: string, rating: number, said: string) => string): string =>
  of("Mara Lind", 5, BRIGHT) + of("Jon P.", 2, SHORT);

describe("parts of a review", () => {
  test.each([
    [
      "elements of their own",
      (author: string, rating: number, said: string) =>
        `<article class="review"><div class="who">${author}</div><div>${rating} out of 5</div><p>${said}</p></article>`,
    ],
    [
      "a line with the date",
      (author: string, rating: number, said: string) =>
        `<article class="review"><p>${author} · 4 June 2025</p><div aria-label="${rating} out of 5 stars">★</div><p>${said}</p></article>`,
    ],
    [
      "a line with 'by'",
      (author: string, rating: number, said: string) =>
        `<article class="review"><div>${rating} out of 5</div><p>By ${author} on 4 June 2025</p><p>${said}</p></article>`,
    ],
  ])("reads the parts of a review from %s", (_, of) => {
    expect(draftPage(page(both(of)), SCHEMA).value).toEqual(EXPECTED);
  });

  test.each([
    ["de", "Bewertungen", "4. Juni 2025", "von 5 Sternen"],
    ["fr", "Avis", "4 juin 2025", "sur 5"],
    ["es", "Opiniones", "4 de junio de 2025", "de 5 estrellas"],
  ])("reads the parts of a review in other languages (%s)", (lang, heading, date, scale) => {
    const reviews = both(
      (author, rating, said) =>
        `<li><div>${author}</div><div>${date}</div><div>${rating} ${scale}</div><p>${said}</p></li>`,
    );
    expect(draftPage(page(`<ul>${reviews}</ul>`, lang, heading), SCHEMA).value).toEqual(EXPECTED);
  });

  test("the title of a review is neither its author nor its text", () => {
    const reviews = both(
      (author, rating, said) =>
        `<article class="review"><h3>${rating > 3 ? "Great lamp" : "Not for us"}</h3><div>${rating} out of 5</div><div>${author}</div><p>${said}</p></article>`,
    );
    expect(draftPage(page(reviews), SCHEMA).value).toEqual(EXPECTED);
  });

  test.each([
    ["names nobody", ""],
    ["says that its author bought the item", "<div>Verified purchase</div>"],
    ["asks for votes", "<button>Helpful</button><button>Report</button>"],
  ])("returns no author when a review %s", (_, more) => {
    const reviews = both(
      (_author, rating, said) =>
        `<article class="review"><div>${rating} out of 5</div><p>${said}</p>${more}</article>`,
    );
    expect(draftPage(page(reviews), SCHEMA).value).toEqual({
      reviews: [
        { rating: 5, text: BRIGHT },
        { rating: 2, text: SHORT },
      ],
    });
  });

  test("returns no text when a review has none", () => {
    const reviews = both(
      (author, rating) =>
        `<article class="review"><div>${author}</div><div>${rating} out of 5</div></article>`,
    );
    expect(draftPage(page(reviews), SCHEMA).value).toEqual({
      reviews: [
        { author: "Mara Lind", rating: 5 },
        { author: "Jon P.", rating: 2 },
      ],
    });
  });

  test("the author of an answer by the shop is not that of the review", () => {
    const reviews = both(
      (author, rating, said) =>
        `<article class="review"><div>${author}</div><div>${rating} out of 5</div><p>${said}</p><div class="answer"><b>Answer from the shop</b><p>Thank you for your words.</p></div></article>`,
    );
    expect(draftPage(page(reviews), SCHEMA).value).toEqual(EXPECTED);
  });
});
