import { describe, expect, it } from "vitest";
import {
  DATE,
  NUMBER,
  pageOf,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const COURSE = {
  title: STRING,
  price: NUMBER,
  start_date: DATE,
  teacher: STRING,
  level: STRING,
  language: STRING,
  seats: NUMBER,
  duration_weeks: NUMBER,
  certificate: STRING,
};
const card = (title: string, ...lines: readonly string[]): string =>
  `<article class="card"><h3><a href="/courses/${title.toLowerCase().replaceAll(" ", "-")}">${title}</a></h3>${lines.map((line) => `<p>${line}</p>`).join("")}</article>`;
const read = (lang: string, main: string): readonly Record<string, unknown>[] =>
  readRows(pageOf(lang, main), "courses", COURSE);

describe("cards with few of many properties", () => {
  it.each([
    ["en", "Courses", "€120", "€95", "€140"],
    ["de", "Kurse", "120 €", "95 €", "140 €"],
    ["fr", "Cours", "120 €", "95 €", "140 €"],
    ["es", "Cursos", "120 €", "95 €", "140 €"],
    ["it", "Corsi", "€ 120", "€ 95", "€ 140"],
  ])("are records when each has its title and a value (%s)", (lang, heading, ...prices) => {
    const names = ["Ceramics", "Bookbinding", "Weaving"];
    const cards = names.map((name, at) => card(name, prices[at] ?? "")).join("");
    expect(read(lang, `<h1>${heading}</h1><div class="grid">${cards}</div>`)).toEqual([
      { title: "Ceramics", price: 120 },
      { title: "Bookbinding", price: 95 },
      { title: "Weaving", price: 140 },
    ]);
  });

  it.each([
    ["titles alone", ["Ceramics", "Bookbinding", "Weaving"].map((name) => card(name)).join("")],
    [
      "a menu of topics",
      `<ul>${["Ceramics", "Bookbinding", "Weaving"].map((name) => `<li><a href="/topics/${name}">${name}</a></li>`).join("")}</ul>`,
    ],
    [
      "opening hours",
      `<ul>${["Monday", "Tuesday", "Friday"].map((day) => `<li><b>${day}</b> <span>9:00–17:00</span></li>`).join("")}</ul>`,
    ],
    [
      "downloads",
      `<ul>${["Brochure", "Terms", "Map"].map((name) => `<li><a href="/files/${name}.pdf">${name}</a> <span>PDF, 2 MB</span></li>`).join("")}</ul>`,
    ],
    [
      "steps",
      `<ol>${["Register", "Pay", "Start"].map((name) => `<li><h3>${name}</h3><p>Takes 2 minutes.</p></li>`).join("")}</ol>`,
    ],
  ])("are not made of %s", (_, body) => {
    expect(read("en", `<h1>School of crafts</h1>${body}`)).toEqual([]);
  });

  const ARTICLE = `<h1>How clay dries</h1>${"<p>Clay loses its water slowly, and a thick wall dries later than a thin one. A cover of cloth keeps the rim from drying first.</p>".repeat(12)}`;
  it.each([
    ["two books", `<h2>Books</h2><div>${card("On clay", "€24")}${card("Kilns", "€31")}</div>`],
    [
      "two tools in an aside",
      `<aside><h2>Shop</h2>${card("Sponge", "€4")}${card("Knife", "€9")}</aside>`,
    ],
    [
      "two articles",
      `<h2>Read more</h2><div>${card("Glazing", "4 March 2026")}${card("Firing", "9 March 2026")}</div>`,
    ],
  ])("are not read from a small list beside an article: %s", (_, side) => {
    expect(read("en", ARTICLE + side)).toEqual([]);
  });
});
