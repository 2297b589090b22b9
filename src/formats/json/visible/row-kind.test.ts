import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readRows, STRING } from "../../../../test/understanding/schema-pages.ts";

const CARD = { name: STRING, url: STRING };
const card = (name: string, path: string, rest = ""): string =>
  `<li class="grid-cell"><a href="${path}"><h3>${name}</h3></a>${rest}</li>`;
const JACKETS = `<ul>${["Fjell Jacket", "Storm Shell", "Ridge Parka", "Dune Vest"]
  .map((name, at) => card(name, `/p/${at}`, `<p>$${at + 1}84.00</p>`))
  .join("")}</ul>`;
const PEOPLE = ["Ada Holm", "Jon Lind", "Mia Roth"];
const namesIn = (main: string, list: string, properties: object = CARD): unknown[] =>
  readRows(pageOf("en", main), list, properties as typeof CARD).map(({ name }) => name);

describe("a list whose rows have only names and links", () => {
  it.each(["employees", "team", "people", "events", "speakers", "jobs", "branches"])(
    "is not given as %s if it is one of jackets",
    (list) => {
      expect(namesIn(`<h1>Jackets</h1>${JACKETS}`, list)).toEqual([]);
      expect(namesIn(`<h1>Jackets</h1>${JACKETS}`, list, { name: STRING })).toEqual([]);
    },
  );

  it.each(["jackets", "products", "items", "results"])("is given as %s", (list) => {
    expect(namesIn(`<h1>Jackets</h1>${JACKETS}`, list)).toHaveLength(4);
  });

  it("is given if the heading of the page says what its rows are", () => {
    const main = `<h1>Meet our employees</h1><ul>${PEOPLE.map((name) => card(name, "/x")).join("")}</ul>`;
    expect(namesIn(main, "employees")).toEqual(PEOPLE);
  });

  it("is given if the addresses of its links say what its rows are", () => {
    const main = `<h1>Harbor Theater</h1><ul>${PEOPLE.map((name, at) => card(name, `/people/${at}`)).join("")}</ul>`;
    expect(namesIn(main, "people")).toEqual(PEOPLE);
  });

  it("is given if a value of its rows tells more than their names", () => {
    const main = `<h1>Harbor Theater</h1><ul>${PEOPLE.map((name) => card(name, "/x", `<p><a href="mailto:${name.slice(0, 3).toLowerCase()}@harbor.example">${name.slice(0, 3).toLowerCase()}@harbor.example</a></p>`)).join("")}</ul>`;
    expect(namesIn(main, "people", { name: STRING, email: STRING })).toEqual(PEOPLE);
  });
});

describe("a list of objects with one property", () => {
  it("has the titles of records, not their whole text", () => {
    const main =
      "<h1>Harbor Kitchen</h1><h2>Dishes</h2><ul><li><h3>Hake</h3><p>With leeks and cream.</p></li><li><h3>Lentils</h3><p>With mustard and thyme.</p></li></ul>";
    expect(namesIn(main, "dishes", { name: STRING })).toEqual(["Hake", "Lentils"]);
  });

  it("has the texts of a list of words", () => {
    const main =
      "<h1>Harbor Kitchen</h1><h2>Allergens</h2><ul><li>Fish</li><li>Mustard</li><li>Milk</li></ul>";
    expect(namesIn(main, "allergens", { name: STRING })).toEqual(["Fish", "Mustard", "Milk"]);
  });

  it("keeps numbers apart from names", () => {
    const main = `<h1>Jackets</h1>${JACKETS}`;
    const rows = readRows(pageOf("en", main), "jackets", { name: STRING, price: NUMBER });
    expect(rows[0]).toEqual({ name: "Fjell Jacket", price: 184 });
  });
});
