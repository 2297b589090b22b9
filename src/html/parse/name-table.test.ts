import { describe, expect, it } from "vitest";
import { NameTable, matchesAt } from "./name-table.ts";

describe("NameTable", () => {
  it("distinguishes any number of names and reads a repeated name only once", () => {
    const read: string[] = [];
    const table = new NameTable((name) => {
      read.push(name);
      return `<${name}>`;
    });
    const names = Array.from({ length: 2_000 }, (_, at) => `n${at}`);
    const text = names.join(" ");
    let start = 0;
    for (const name of names) {
      const end = start + name.length;
      expect(table.at(text, start, end)).toBe(`<${name}>`);
      expect(table.at(text, start, end)).toBe(`<${name}>`);
      start = end + 1;
    }
    expect(read).toEqual(names);
    expect(table.at("n1 n12", 0, 2)).toBe("<n1>");
    expect(table.at("n1 n12", 3, 6)).toBe("<n12>");
  });
});

it("compares names only up to the end of the text in matchesAt", () => {
  expect(matchesAt("div", "</div>", 2)).toBe(true);
  expect(matchesAt("div", "</diV>", 2)).toBe(false);
  expect(matchesAt("div", "</di", 2)).toBe(false);
});
