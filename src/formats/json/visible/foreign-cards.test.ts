import { describe, expect, it } from "vitest";
import {
  CLOCK,
  DATE,
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const product = (name: string, price: string): string =>
  `<li class="tile"><a href="/shop/lamps/${name.toLowerCase()}"><h3>${name}</h3></a><p>${price}</p></li>`;
const teaser = (name: string, href: string, line: string): string =>
  `<li class="tile"><a href="${href}"><h3>${name}</h3></a><p>${line}</p></li>`;
const linkedCard = (name: string, line: string, href: string): string =>
  `<div class="card"><a href="${href}"><img src="/i/${name.length}.jpg" alt=""><h3>${name}</h3><p>${line}</p></a></div>`;
const shop = (lang: string, heading: string, extra: string): unknown[] =>
  readRows(
    pageOf(
      lang,
      `<h1>${heading}</h1><ul class="grid">${product("Orn", "€49.00")}${product("Tern", "€59.00")}${extra}${product("Heron", "€79.00")}${product("Gull", "€89.00")}${product("Swan", "€99.00")}</ul>`,
    ),
    "products",
    { name: STRING, price: NUMBER },
  ).map(({ name }) => name);
const LAMPS = ["Orn", "Tern", "Heron", "Gull", "Swan"];
const linkedCards = (names: readonly string[], teaser: string): unknown[] => {
  const lamps = names.map((lamp, at) => linkedCard(lamp, `€${at + 4}9.00`, `/shop/lamps/${lamp}`));
  const cards = lamps.toSpliced(2, 0, teaser).join("");
  const html = pageOf("en", `<h1>Lamps</h1><div class="grid">${cards}</div>`);
  return readRows(html, "products", { name: STRING, price: NUMBER }).map(({ name }) => name);
};

describe("product cards", () => {
  it.each([
    ["a magazine", "How to light a desk", "Read our guide", "/magazine/desk-light"],
    ["a guide with a number", "Lamps for readers", "5 tips", "/guides/lamps"],
    ["a page with a price", "Desk lamps", "From €9.00", "/magazine/9"],
    ["Ratgeber", "Licht im Bad", "Jetzt lesen", "/ratgeber/bad"],
  ])("do not include a teaser that is a link as a whole: %s", (_, name, line, href) => {
    expect(linkedCards(LAMPS, linkedCard(name, line, href))).toEqual(LAMPS);
  });

  it("do not include a teaser among four products", () => {
    const lamps = LAMPS.slice(0, 4);
    const guide = linkedCard("How to light a desk", "Read our guide", "/magazine/desk-light");
    expect(linkedCards(lamps, guide)).toEqual(lamps);
  });

  it.each([
    ["a magazine", "en", teaser("How to light a desk", "/magazine/desk-light", "Read our guide")],
    ["an advice page", "de", teaser("Licht im Bad", "/ratgeber/bad", "Jetzt lesen")],
    ["a blog", "fr", teaser("Nos conseils", "/blog/lumiere", "Lire l’article")],
    ["a gift card", "en", teaser("Gift cards", "/gift-cards", "From €25.00")],
    ["a club", "es", teaser("Hazte socio", "/club/alta", "10 € de descuento")],
    ["another site", "it", teaser("Seguici", "https://social.example/lamps", "Novità ogni giorno")],
  ])("do not include a teaser for %s", (_, lang, extra) => {
    expect(shop(lang, "Lamps", extra)).toEqual(LAMPS);
  });

  it("include a product of the same part of the site", () => {
    expect(shop("en", "Lamps", product("Rail", "€69.00"))).toHaveLength(6);
  });
});

const MATCH = {
  date: DATE,
  kickoff: CLOCK,
  home_team: STRING,
  away_team: STRING,
};
const TABLE = (heads: string, ...rows: readonly string[]): string =>
  `<table><thead><tr>${heads
    .split("|")
    .map((head) => `<th>${head}</th>`)
    .join("")}</tr></thead><tbody>${rows
    .map(
      (row) =>
        `<tr>${row
          .split("|")
          .map((text) => `<td>${text}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</tbody></table>`;
const RESULTS = [
  "7 March 2026|Orn Rovers|3–1|Gull United",
  "14 March 2026|Tern City|0–2|Heron Town",
];
const COMING = [
  "21 March 2026|Gull United|15:00|Tern City",
  "28 March 2026|Heron Town|17:30|Orn Rovers",
];
const HEADS = "Date|Home|Time / Result|Away";
const homes = (main: string, name: string, lang = "en"): unknown[] =>
  readRows(pageOf(lang, main), name, MATCH).map(({ home_team }) => home_team);

describe("matches to come", () => {
  it.each(["fixtures", "upcoming_matches"])("leave out those already played (%s)", (name) => {
    const given = homes(`<h1>Matches</h1>${TABLE(HEADS, ...RESULTS, ...COMING)}`, name);
    expect(given).toEqual(["Gull United", "Heron Town"]);
  });

  it.each(["fixtures", "upcoming_matches"])("are not read from results alone (%s)", (name) => {
    expect(homes(`<h1>Results</h1>${TABLE("Date|Home|Result|Away", ...RESULTS)}`, name)).toEqual(
      [],
    );
  });

  it.each(["fixtures", "upcoming_matches"])(
    "leave out the table of results before them (%s)",
    (name) => {
      const main = `<h1>Matches</h1><h2>Results</h2>${TABLE("Date|Home|Result|Away", ...RESULTS)}<h2>Fixtures</h2>${TABLE("Date|Home|Time|Away", ...COMING)}`;
      const given = homes(main, name);
      expect(given).not.toContain("Orn Rovers");
      expect(given).not.toContain("Tern City");
    },
  );
});

const paper = (title: string, year: number): string =>
  `<li><a href="/papers/${year}-${title.length}">${title}</a>. Journal of Peat Studies, ${year}.</li>`;
const OWN = `<h2>Publications</h2><ul>${paper("Water tables of raised bogs", 2025)}${paper("Carbon in drained fens", 2023)}${paper("Mosses after rewetting", 2021)}</ul>`;
const OWN_TITLES = [
  "Water tables of raised bogs",
  "Carbon in drained fens",
  "Mosses after rewetting",
];
const papers = (html: string): unknown[] =>
  readRows(html, "publications", { title: STRING, year: INTEGER }).map(({ title }) => title);

describe("publications of a person", () => {
  it("are those of the own list", () => {
    expect(papers(pageOf("en", `<h1>Ilse Brandt</h1>${OWN}`))).toEqual(OWN_TITLES);
  });

  it.each([
    ["News of the institute", "en"],
    ["Neues aus dem Institut", "de"],
    ["À lire aussi", "fr"],
  ])("leave out those of an aside beside the own list (%s)", (heading, lang) => {
    const aside = `<aside><h2>${heading}</h2><ul>${paper("A map of European mires", 2026)}${paper("Ten years of peat news", 2024)}</ul></aside>`;
    const given = papers(pageOf(lang, `<h1>Ilse Brandt</h1>${OWN}${aside}`));
    expect(given).toEqual(OWN_TITLES);
  });
});
