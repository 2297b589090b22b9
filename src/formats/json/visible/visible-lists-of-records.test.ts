import { expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const text = { type: "string" };
const number = { type: "number" };
const listOf = (name: string, properties: Record<string, unknown>) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } },
});

test("finds record titles by their common position where nothing emphasizes them", () => {
  const boat = (name: string, place: string, price: string): string =>
    `<div class="k1"><span class="k2">New</span><span class="k3">${name}</span><span class="k4">${place}</span><span class="k5">${price}</span></div>`;
  const page = `<main><h1>Boats</h1><div>${boat("Heron", "Kiel", "€900.00")}${boat("Gull", "Kiel", "€700.00")}${boat("Tern", "Bremen", "€500.00")}</div></main>`;
  expect(draftPage(page, listOf("boats", { name: text, price: number })).value).toEqual({
    boats: [
      { name: "Heron", price: 900 },
      { name: "Gull", price: 700 },
      { name: "Tern", price: 500 },
    ],
  });
});

test("returns a price for a period only where the page states that period, and leaves advertisements out", () => {
  const home = (name: string, price: string, more = ""): string =>
    `<article><h3><a href="/${name}">${name}</a></h3><div>${price}</div><div><span aria-label="2 bedrooms">2</span></div>${more}</article>`;
  const page = `<main><h1>Rentals</h1><div>${home("Jetty Road", "$560 per week")}${home("Court", "$2,400 pcm")}${home("Student rooms", "$389 pw", "<div>Sponsored</div>")}</div></main>`;
  const schema = listOf("homes", {
    name: text,
    weekly_rent: number,
    bedrooms: { type: "integer" },
  });
  expect(draftPage(page, schema).value).toEqual({
    homes: [
      { name: "Jetty Road", weekly_rent: 560, bedrooms: 2 },
      { name: "Court", bedrooms: 2 },
    ],
  });
});

test("uses the question as title of an FAQ entry, not the heading of its group", () => {
  const item = (question: string, answer: string): string =>
    `<div class="q1"><div class="q2">${question}</div><div class="q3">${answer}</div></div>`;
  const page = `<main><h1>Help</h1><h2>Delivery</h2>${item("What does it cost?", "14.90 zł")}${item("Do you ship abroad?", "Yes.")}<h2>Returns</h2>${item("How long do I have?", "30 days.")}</main>`;
  expect(draftPage(page, listOf("faq", { question: text, answer: text })).value).toEqual({
    faq: [
      { question: "What does it cost?", answer: "14.90 zł" },
      { question: "Do you ship abroad?", answer: "Yes." },
      { question: "How long do I have?", answer: "30 days." },
    ],
  });
});

test("leaves out the row with the totals", () => {
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const page = `<main><h1>Accounts</h1><table><tr><th>Entry</th><th>Amount</th></tr>${row("Fees", "100")}${row("Grants", "50")}${row("合計", "150")}</table></main>`;
  const { value } = draftPage(page, listOf("entries", { entry: text, amount: number }));
  expect(value).toEqual({
    entries: [
      { entry: "Fees", amount: 100 },
      { entry: "Grants", amount: 50 },
    ],
  });
});

test("finds a table cell by a row named like the property and a column named in its description", () => {
  const page =
    "<main><h1>Annual report</h1><table><tr><th>in millions</th><th>FY2026</th><th>FY2025</th></tr><tr><td>Revenue</td><td>1,284.6</td><td>1,310.2</td></tr></table></main>";
  const schema = {
    type: "object",
    properties: { revenue: { type: "number", description: "FY2026 in millions of dollars" } },
  };
  expect(draftPage(page, schema).value).toEqual({ revenue: 1284.6 });
});

test("reads names written without umlauts and labels that name a unit", () => {
  const page =
    "<main><h1>Ort</h1><dl><dt>Fläche (km²)</dt><dd>38,5</dd><dt>Veränderung in %</dt><dd>+3,8</dd></dl></main>";
  const schema = {
    type: "object",
    properties: { flaeche_km2: number, veraenderung_prozent: number },
  };
  expect(draftPage(`<html lang="de">${page}</html>`, schema).value).toEqual({
    flaeche_km2: 38.5,
    veraenderung_prozent: 3.8,
  });
});

test("returns a name without the badges, notes and versions behind it", () => {
  const page =
    '<main><h1>brambles <small>3.2.0</small></h1><h2>Dishes</h2><ul><li><h3>Hongos <span title="vegetarian">V</span></h3><p>Mushrooms, corn smut and fresh cheese on blue corn.</p></li><li><h3>Lengua</h3><p>Beef tongue with a green sauce of tomatillos.</p></li></ul></main>';
  expect(draftPage(page, { type: "object", properties: { name: text } }).value).toEqual({
    name: "brambles",
  });
  expect(draftPage(page, listOf("dishes", { name: text })).value).toEqual({
    dishes: [{ name: "Hongos" }, { name: "Lengua" }],
  });
});

test("returns an e-mail address for a certain office only where a label says so", () => {
  const page =
    '<main><h1>Shop</h1><p><a href="mailto:shop@gull.example">shop@gull.example</a></p></main>';
  const schema = {
    type: "object",
    properties: { contact_email: text, press_email: { type: "string", format: "email" } },
  };
  expect(draftPage(page, schema).value ?? {}).not.toHaveProperty("press_email");
});

test("reads a list of names from the first column of a table, and companies with their legal form", () => {
  const page =
    "<main><h1>Film</h1><h2>Cast</h2><table><tr><th>Actor</th><th>Role</th></tr><tr><td>Ada Holm</td><td>Ona</td></tr><tr><td>Ben Ash</td><td>Ivo</td></tr></table><p>Studio: Gull Films, Inc., Tern Ltd</p></main>";
  const schema = {
    type: "object",
    properties: {
      cast: { type: "array", items: text },
      studio: { type: "array", items: text },
    },
  };
  expect(draftPage(page, schema).value).toEqual({
    cast: ["Ada Holm", "Ben Ash"],
    studio: ["Gull Films, Inc.", "Tern Ltd"],
  });
});

test("matches a label to part of a name only where the value shows the rest", () => {
  const page =
    "<main><h1>Ada Holm</h1><dl><dt>Office</dt><dd>Darwin Building, room 2.30</dd><dt>Release</dt><dd>20 November 2026</dd></dl></main>";
  const schema = {
    type: "object",
    properties: { office_hours: text, release_date: { type: "string", format: "date" } },
  };
  expect(draftPage(page, schema).value).toEqual({ release_date: "2026-11-20" });
});

test("keeps a row whose name only begins like a total", () => {
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const page = `<main><h1>Films</h1><table><tr><th>Title</th><th>Year</th></tr>${row("Total Recall", "1990")}${row("Summa", "2001")}${row("Heat", "1995")}</table></main>`;
  expect(draftPage(page, listOf("films", { title: text, year: number })).value).toEqual({
    films: [
      { title: "Total Recall", year: 1990 },
      { title: "Heat", year: 1995 },
    ],
  });
});

test("prefers the list of a section to a table behind it", () => {
  const page =
    "<main><h1>Soup</h1><h2>Ingredients</h2><ul><li>2 leeks</li><li>1 l water</li></ul><table><tr><th>Nutrient</th><th>Amount</th></tr><tr><td>Salt</td><td>2 g</td></tr><tr><td>Fat</td><td>1 g</td></tr></table></main>";
  const schema = { type: "object", properties: { ingredients: { type: "array", items: text } } };
  expect(draftPage(page, schema).value).toEqual({ ingredients: ["2 leeks", "1 l water"] });
});

test("returns a model name without digits", () => {
  const page = "<main><h1>Camera</h1><dl><dt>Model</dt><dd>Thunderbird</dd></dl></main>";
  expect(draftPage(page, { type: "object", properties: { model: text } }).value).toEqual({
    model: "Thunderbird",
  });
});

test("returns no incomplete records where each record spans two rows", () => {
  const screw = (name: string, price: string, stock: string): string =>
    `<tr><td>${name}</td><td></td><td>${price}</td></tr><tr><td></td><td>${stock}</td><td></td></tr>`;
  const page = `<main><h1>Screws</h1><table><tr><th>Name</th><th>Material</th><th>Price</th></tr>${screw("M3", "€1.10", "Steel")}${screw("M4", "€1.20", "Brass")}${screw("M5", "€1.30", "Steel")}</table></main>`;
  const draft = draftPage(page, listOf("screws", { name: text, material: text, price: number }));
  expect(draft.value ?? {}).not.toHaveProperty("screws");
  expect(draft.reasons["/screws"]).toContain("two rows");
});

test("joins a row whose cells cross the columns to the record above it", () => {
  const screw = (number: string, size: string, price: string, material: string): string =>
    `<tr><td rowspan="2">${number}</td><td>${size}</td><td>10</td><td>${price}</td></tr><tr><td colspan="2">${material}</td><td>soon</td></tr>`;
  const page = `<main><h1>Screws</h1><table><tr><th>Number</th><th>Size</th><th>Pieces</th><th>Price</th></tr>${screw("41.008", "M6", "€2.99", "Steel")}${screw("41.017", "M4", "€9.88", "Brass")}</table></main>`;
  expect(
    draftPage(page, listOf("screws", { number: text, size: text, price: number })).value,
  ).toEqual({
    screws: [
      { number: "41.008", size: "M6", price: 2.99 },
      { number: "41.017", size: "M4", price: 9.88 },
    ],
  });
});

test("gives the date above a part of a list to its rows, and no heading to both of two teams", () => {
  const game = (hour: string, hall: string): string =>
    `<div class="g"><div class="t">${hour}</div><div class="h">${hall}</div></div>`;
  const page = `<main><h1>Volleyball</h1><h3>7 March 2026</h3>${game("18:00", "North Hall")}${game("20:00", "East Hall")}<h3>8 March 2026</h3>${game("11:00", "North Hall")}${game("13:30", "West Hall")}</main>`;
  const schema = listOf("games", {
    date: { type: "string", format: "date" },
    start_time: text,
    home_team: text,
    away_team: text,
  });
  const { games } = draftPage(page, schema).value as { games: Record<string, unknown>[] };
  expect(games).toHaveLength(4);
  expect(games[2]).toEqual({ date: "2026-03-08", start_time: "11:00" });
  expect(games.some((each) => "home_team" in each || "away_team" in each)).toBe(false);
});

test("reads the machine-readable date of records that show a relative one", () => {
  const post = (name: string, time: string): string =>
    `<li><b>${name}</b> ${time}<p>Some longer text that ${name} wrote about boats.</p></li>`;
  const page = (third: string): string =>
    `<main><h1>Leaking boat</h1><ol>${post("Ann", '<time datetime="2026-03-02T14:11:09Z">4 days ago</time>')}${post("Bo", '<time datetime="2026-03-03T07:02:51Z">3 days ago</time>')}${post("Cy", third)}</ol></main>`;
  const datesOf = (third: string): unknown =>
    (
      draftPage(page(third), listOf("posts", { author: text, date: text })).value as {
        posts: { date?: string }[];
      }
    ).posts.map(({ date }) => date);
  const [first, second] = ["2026-03-02T14:11:09Z", "2026-03-03T07:02:51Z"];
  expect(datesOf('<time datetime="2026-03-04">yesterday</time>')).toEqual([
    first,
    second,
    "2026-03-04",
  ]);
  expect(datesOf("<time>yesterday</time>")).toEqual([first, second, undefined]);
});
