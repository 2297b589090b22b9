import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const MANY = Object.fromEntries(
  "level lecturer language format room fee campus intake duration credits mode"
    .split(" ")
    .map((name) => [name, STRING]),
);
const COURSE = { ...MANY, name: STRING, start_date: STRING, seats: NUMBER };
const entry = (name: string, date: string): string =>
  `<li class="entry"><h3>${name}</h3><p>${date}</p><p>A day by the water with tea, talks and a walk along the old pier.</p></li>`;
const LIST = `<ul>${entry("Kite day", "7 March 2026")}${entry("Boat fair", "14 March 2026")}${entry("Lantern walk", "21 March 2026")}${entry("Choir evening", "28 March 2026")}</ul>`;
const namesIn = (main: string): unknown[] =>
  readRows(pageOf("en", main), "courses", COURSE).map(({ name }) => name);

describe("a list that has few of the asked properties", () => {
  it("is accepted below the heading of the page", () => {
    expect(namesIn(`<h1>Evening school</h1>${LIST}`)).toHaveLength(4);
  });

  it("is accepted below a heading with the asked name", () => {
    expect(namesIn(`<h1>Evening school</h1><p>Hull</p><h2>Courses</h2>${LIST}`)).toHaveLength(4);
  });

  it("is accepted below a heading with a word of the asked name", () => {
    const main = `<h1>Evening school</h1><p>Hull</p><h2>Find the course that fits you</h2>${LIST}`;
    expect(namesIn(main)).toHaveLength(4);
  });

  it("is not accepted below a heading of its own with another name", () => {
    expect(namesIn(`<h1>Evening school</h1><p>Hull</p><h2>Open days</h2>${LIST}`)).toEqual([]);
  });

  it("is accepted in parts with a heading each", () => {
    const main = `<h1>Evening school</h1><h2>Spring</h2>${entry("Kite day", "7 March 2026")}${entry("Boat fair", "14 March 2026")}<h2>Autumn</h2>${entry("Lantern walk", "7 October 2026")}${entry("Choir evening", "14 October 2026")}`;
    expect(namesIn(main.replaceAll("li", "div"))).toHaveLength(4);
  });
});
