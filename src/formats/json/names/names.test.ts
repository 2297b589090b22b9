import { expect, test } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";
import { parseName, parseNameInContext, scoreSimilarity, splitCurrency } from "./names.ts";

const text = { type: "string" };
const markup = (more: string): string =>
  `<title>Mara Lind | University</title><h1>Mara Lind</h1><dl>${more}<dt>Email</dt><dd>mara@uni.example</dd></dl>`;

test.each([
  ["a position", "<dt>Position</dt><dd>Lecturer</dd>", { title: "Lecturer" }],
  ["nothing of the kind", "", {}],
])("reads the title of a contact as a job title: %s", (_name, said, title) => {
  const properties = { name: text, title: text, email: text };
  const { value } = draftPage(markup(said), { type: "object", properties });
  expect(value).toEqual({ name: "Mara Lind", ...title, email: "mara@uni.example" });
});

test("reads the title of anything else as its name", () => {
  const properties = { title: text, email: text };
  const { value } = draftPage(markup(""), { type: "object", properties });
  expect(value).toMatchObject({ title: "Mara Lind" });
  expect(parseNameInContext("title", ["name", "price"])).toEqual(parseName("title"));
  expect(scoreSimilarity(parseNameInContext("title", ["name", "phone"]), parseName("Title"))).toBe(
    1,
  );
});

test.each([
  ["revenue_eur_million", "revenue", "EUR"],
  ["revenue_million_eur", "revenue", "EUR"],
  ["revenue_in_usd", "revenue", "USD"],
  ["price_gbp", "price", "GBP"],
  ["net_income_million", "net income", undefined],
  ["budget_in_euros", "budget", undefined],
])("splits the currency and scale off %s", (name, rest, currency) => {
  const split = splitCurrency(parseName(name).words);
  expect(split.words.join(" ")).toBe(rest);
  expect(split.currency).toBe(currency);
});

test.each([
  "eur",
  "million",
  "price",
  "check_in",
  "price_per_million",
  "euro_area_gdp",
  "logged_in",
])("splits nothing off %s", (name) => {
  const { words } = parseName(name);
  expect(splitCurrency(words)).toEqual({ words });
});

test.each([
  ["dateOfBirth", "date of birth"],
  ["checkInTime", "check in time"],
  ["isInStock", "is in stock"],
  ["eBay LaTeX", "ebay latex"],
])("splits %s into the words %s", (name, words) => {
  expect(parseName(name).key).toBe(words);
});

test("splits a part of a currency off as it is written on pages", () => {
  const { words, subunit, currency } = splitCurrency(parseName("eps_pence").words);
  expect(words).toEqual(["eps"]);
  expect(currency).toBeUndefined();
  expect(subunit?.test("12.4p")).toBe(true);
  expect(subunit?.test("£0.124")).toBe(false);
});

test.each([
  ["the currency that the name asks for", "<dt>Price</dt><dd>€ 24.00</dd>", { price_eur: 24 }],
  ["no amount in another currency", "<dt>Price</dt><dd>24.00 CHF</dd>", {}],
  ["no amount in pence of one in pounds", "<dt>Price</dt><dd>£24.00</dd>", {}],
])("gives %s", (_, said, expected) => {
  const isPence = said.includes("£");
  const properties = { [isPence ? "price_pence" : "price_eur"]: { type: "number" } };
  const html = `<title>Deck lamp</title><h1>Deck lamp</h1><dl>${said}<dt>Material</dt><dd>Oak</dd></dl>`;
  expect(draftPage(html, { type: "object", properties }).value ?? {}).toEqual(expected);
});
