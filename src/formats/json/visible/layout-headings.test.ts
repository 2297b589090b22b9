import { describe, expect, it } from "vitest";
import {
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const cells = (...texts: readonly string[]): string =>
  `<table role="presentation"><tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr></table>`;
const section = (heading: string, text: string): string => `<h2>${heading}</h2><p>${text}</p>`;
const HOURS = section("Opening hours", "Daily from 9 to 17, closed on public holidays");
const PARKING = section("Parking", "Behind the mill, forty places");
const read = (main: string, name: string, lang = "en"): unknown =>
  readObject(pageOf(lang, `<h1>Alder Mill</h1>${main}`), { [name]: STRING })[name];

describe("headings in the cells of a layout table", () => {
  it.each([
    ["first", cells(HOURS, PARKING)],
    ["second", cells(PARKING, HOURS)],
  ])("cover the text of their own cell (%s)", (_, main) => {
    expect(read(main, "parking")).toBe("Behind the mill, forty places");
  });

  it.each([
    ["en", "Parking", "Museum shop with books and prints"],
    ["de", "Parken", "Museumsladen mit Büchern und Drucken"],
    ["fr", "Stationnement", "Boutique avec livres et gravures"],
  ])("do not cover the text of the next cell (%s)", (lang, heading, next) => {
    const main = cells(section(heading, "Behind the mill, forty places"), `<p>${next}</p>`);
    expect(String(read(main, "parking", lang))).not.toContain(next);
  });

  it("do not cover the list of the next cell", () => {
    const people = `<ul><li><b>Ilse Brandt</b> <span>Curator</span></li><li><b>Jon Ahl</b> <span>Miller</span></li></ul>`;
    const main = cells(section("Sponsors", "We thank the town of Hull."), people);
    const html = pageOf("en", `<h1>Alder Mill</h1>${main}`);
    expect(readRows(html, "sponsors", { name: STRING, role: STRING })).toEqual([]);
  });

  it("cover the next cell when their own cell holds nothing else", () => {
    expect(read(cells("<h2>Parking</h2>", "<p>Behind the mill, forty places</p>"), "parking")).toBe(
      "Behind the mill, forty places",
    );
  });
});
