import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

/** Builds a page whose linked data may be older than what it shows. */
const page = (data: object, main: string, lang = "en"): string =>
  pageOf(
    lang,
    `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...data })}</script>${main}`,
  );

const RECIPE = {
  "@type": "Recipe",
  name: "Leek and potato soup",
  recipeYield: "4",
  totalTime: "PT45M",
  recipeIngredient: ["3 leeks", "500 g potatoes"],
};
const soup = (main: string, yields: unknown = "4"): unknown =>
  readObject(
    page(
      { ...RECIPE, recipeYield: yields },
      `<article><h1>Leek and potato soup</h1>${main}</article>`,
    ),
    { name: STRING, servings: INTEGER },
  )["servings"];

describe("servings of linked data", () => {
  it.each([
    ["a definition list", `<dl class="facts"><dt>Servings</dt><dd>6</dd></dl>`, 6],
    ["a label and its value", `<p><strong>Serves:</strong> <span>6</span></p>`, 6],
    [
      "spans of a card",
      `<ul class="flex gap-4"><li><span class="label">Serves</span><span class="value">6 people</span></li><li><span class="label">Time</span><span class="value">45 min</span></li></ul>`,
      6,
    ],
    ["a counted noun", `<p class="meta">45 min · 6 servings · easy</p>`, 6],
  ])("give way to another number in %s", (_, main, servings) => {
    expect(soup(main)).toBe(servings);
  });

  it.each([
    ["no number of servings", `<p>A warming soup for cold evenings.</p>`],
    ["the same number", `<dl><dt>Servings</dt><dd>4</dd></dl>`],
    ["the calories of one serving", `<p>One serving has 210 kcal.</p>`],
    [
      "servings per container",
      `<h2>Nutrition</h2><dl><dt>Servings per container</dt><dd>2</dd></dl>`,
    ],
    [
      "other counts",
      `<dl><dt>Prep time</dt><dd>15 min</dd><dt>Ingredients</dt><dd>8</dd></dl><p>12 comments</p>`,
    ],
  ])("stay when the page shows %s", (_, main) => {
    expect(soup(main)).toBe(4);
  });

  // A serving size, other recipes and cooks are not the number of servings.
  it.each([
    [
      "the serving size of nutrition facts",
      `<section class="nutrition"><h2>Nutrition facts</h2><p>Serving: 1 bowl</p><p>Calories: 210 kcal</p></section>`,
    ],
    [
      "the serving size in a list of nutrition facts",
      `<h2>Nutrition</h2><ul><li><span class="nutrition-label">Serving:</span> <span>1 bowl</span></li><li><span>Calories:</span> <span>210 kcal</span></li></ul>`,
    ],
    [
      "the weight of a serving",
      `<h2>Nutrition</h2><dl><dt>Serving</dt><dd>250 g</dd><dt>Calories</dt><dd>210</dd></dl>`,
    ],
    [
      "the servings of a related recipe",
      `<h2>Related recipes</h2><ul><li><a href="/onion-soup">Onion soup</a> 6 servings</li></ul>`,
    ],
    ["the number of cooks", `<p class="meta">12 people cooked this</p>`],
    ["a family", `<p>My family of 6 people loved it.</p>`],
  ])("stay when the page shows %s", (_, main) => {
    expect(soup(main)).toBe(4);
  });

  it.fails.each([["a hint for more servings", `<p>For 8 servings, use a bigger pot.</p>`]])(
    "stay when the page shows %s",
    (_, main) => {
      expect(soup(main)).toBe(4);
    },
  );

  it("stay when the text of an ingredient counts something else", () => {
    expect(soup(`<h2>Ingredients</h2><ul><li>3 leeks</li><li>6 potatoes</li></ul>`)).toBe(4);
  });
});

const HOUSE = {
  "@type": "SingleFamilyResidence",
  name: "12 Quayside Row",
  numberOfBedrooms: 4,
  numberOfBathroomsTotal: 2,
};
const house = (main: string, lang = "en"): unknown =>
  readObject(page(HOUSE, `<h1>12 Quayside Row</h1>${main}`, lang), {
    bedrooms: INTEGER,
    bathrooms: INTEGER,
  });

describe("rooms of linked data", () => {
  it.each([
    ["labels", `<dl><dt>Bedrooms</dt><dd>4</dd><dt>Bathrooms</dt><dd>3</dd></dl>`],
    ["counted nouns", `<ul class="inline"><li>4 bedrooms</li><li>3 bathrooms</li></ul>`],
    [
      "a table",
      `<table><tr><th scope="row">Bedrooms</th><td>4</td></tr><tr><th scope="row">Bathrooms</th><td>3</td></tr></table>`,
    ],
  ])("give way to other numbers in %s", (_, main) => {
    expect(house(main)).toEqual({ bedrooms: 4, bathrooms: 3 });
  });

  it.each([
    ["nothing", `<p>A house by the harbour.</p>`],
    ["the same numbers", `<ul><li>4 bedrooms</li><li>2 bathrooms</li></ul>`],
    [
      "the rooms of several other homes",
      `<section><h2>Similar homes</h2><a class="card" href="/b"><h3>9 Mill Lane</h3><p>5 bedrooms · 3 bathrooms</p></a><a class="card" href="/c"><h3>2 Bay Road</h3><p>5 bedrooms · 3 bathrooms</p></a></section>`,
    ],
    ["a bathroom without a number", `<p>A house with a new bathroom by the harbour.</p>`],
  ])("stay when the page shows %s", (_, main) => {
    expect(house(main)).toEqual({ bedrooms: 4, bathrooms: 2 });
  });

  // Other homes and single floors are not the home of the linked data.
  it.each([
    [
      "the rooms of one other home",
      `<aside><h2>Similar homes</h2><a href="/b">9 Mill Lane · 5 bedrooms · 3 bathrooms</a></aside>`,
    ],
    [
      "the rooms of one other home in a card",
      `<h2>You may also like</h2><article class="card"><h3><a href="/b">9 Mill Lane</a></h3><p>5 bedrooms, 3 bathrooms</p></article>`,
    ],
    ["the rooms of one floor", `<p>The top floor has 2 bedrooms and a bathroom.</p>`],
    [
      "the rooms of each floor",
      `<h2>First floor</h2><ul><li>2 bedrooms</li><li>1 bathroom</li></ul><h2>Second floor</h2><ul><li>2 bedrooms</li><li>1 bathroom</li></ul>`,
    ],
  ])("stay when the page shows %s", (_, main) => {
    expect(house(main)).toEqual({ bedrooms: 4, bathrooms: 2 });
  });
});

describe("counts of ratings and reviews of linked data", () => {
  const rated = (count: string, name: string, main: string): unknown =>
    readObject(
      page(
        {
          "@type": "Product",
          name: "Harbour lamp",
          aggregateRating: { "@type": "AggregateRating", ratingValue: 4.3, [count]: 88 },
        },
        `<h1>Harbour lamp</h1>${main}`,
      ),
      { [name]: INTEGER },
    )[name];
  const ratings = (main: string): unknown => rated("ratingCount", "rating_count", main);
  const reviews = (main: string): unknown => rated("reviewCount", "review_count", main);

  it("give way to another number of ratings of a label", () => {
    expect(ratings(`<dl><dt>Number of ratings</dt><dd>131</dd></dl>`)).toBe(131);
  });

  it.each([
    ["beside the rating", `<p><span>4.3</span> out of 5 · <a href="#r">131 reviews</a></p>`],
  ])("give way to another number of reviews %s", (_, main) => {
    expect(reviews(main)).toBe(131);
  });

  it.fails.each([
    ["beside the rating", `<p><span>4.3</span> out of 5 · <a href="#r">131 ratings</a></p>`],
    ["in a line of its own", `<p>131 ratings</p>`],
  ])("give way to another number of ratings %s", (_, main) => {
    expect(ratings(main)).toBe(131);
  });

  it.each([
    ["the same number", `<a href="/all">See all 88 reviews</a>`],
    ["a part of them", `<p>Showing 3 reviews of 88</p>`],
    [
      "the reviews of other products",
      `<aside><h2>You may also like</h2><ul><li><a href="/x">Deck lamp</a> 12 reviews</li><li><a href="/y">Mast lamp</a> 9 reviews</li></ul></aside>`,
    ],
  ])("stay when the page shows %s", (_, main) => {
    expect(reviews(main)).toBe(88);
  });

  it.fails("give way to another number of reviews in a sentence", () => {
    expect(reviews(`<p>Based on 131 reviews</p>`)).toBe(131);
  });

  // Authors of reviews, sellers and buttons have counts of their own.
  it.each([
    [
      "how many reviews an author wrote",
      `<h2>Reviews</h2><article><h3>Good light</h3><p>Anna · 12 reviews</p><p>Bright enough for the whole deck.</p></article>`,
    ],
    ["the ratings of the seller", `<h2>Seller</h2><p>Lamp World · 1,204 ratings</p>`],
    ["a button for the next reviews", `<button type="button">Show 3 reviews</button>`],
  ])("stay when the page shows %s", (_, main) => {
    expect(reviews(main)).toBe(88);
  });

  it.fails("stay when the page shows the reviews with five stars", () => {
    expect(reviews(`<h2>Reviews</h2><p>5 stars: 60 reviews</p>`)).toBe(88);
  });
});

describe("credits of linked data", () => {
  const course = { "@type": "Course", name: "Hydrology I", numberOfCredits: 5 };
  const credits = (main: string): unknown =>
    readObject(page(course, `<h1>Hydrology I</h1>${main}`), { credits: NUMBER })["credits"];

  it.each([
    ["a label", `<dl><dt>Credits</dt><dd>7.5</dd></dl>`],
    [
      "a table",
      `<table><tr><th>Level</th><td>Bachelor</td></tr><tr><th>Credits</th><td>7.5 ECTS</td></tr></table>`,
    ],
    ["a counted noun", `<p class="meta">Winter · 7.5 credits</p>`],
  ])("give way to other credits in %s", (_, main) => {
    expect(credits(main)).toBe(7.5);
  });

  it.each([
    ["no credits", `<p>Rivers, lakes and ground water.</p>`],
    ["the same credits", `<p>5 credits</p>`],
    ["other numbers", `<dl><dt>Places</dt><dd>24</dd><dt>Weeks</dt><dd>12</dd></dl>`],
  ])("stay when the page shows %s", (_, main) => {
    expect(credits(main)).toBe(5);
  });

  it.each([
    ["the credits of a semester", `<p>Students take 30 credits per semester.</p>`],
    [
      "the credits of a requirement",
      `<dl><dt>Prerequisites</dt><dd>10 credits in physics</dd></dl>`,
    ],
  ])("stay when the page shows %s", (_, main) => {
    expect(credits(main)).toBe(5);
  });
});
