import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

type NounCase = readonly [
  statement: string,
  html: string,
  list: string,
  names: string,
  values: unknown[][],
];
/** Reads the rows of a list as arrays; properties with a "*" are strings. */
const read = (html: string, list: string, names: string): unknown[][] => {
  const properties = names.split("|").map((name) => name.replace("*", ""));
  const schema = names
    .split("|")
    .map((name) => [name.replace("*", ""), name.endsWith("*") ? STRING : NUMBER] as const);
  return readRows(html, list, Object.fromEntries(schema)).map((row) =>
    properties.map((name) => row[name] ?? null),
  );
};
const page = (lang: string, heading: string, table: string): string =>
  pageOf(lang, `<h1>${heading}</h1>${table}`);

const AREAS = (head: string): string =>
  page(
    "en",
    "Annual report",
    `<p>The group reports three segments.</p>${tableOf([head, "Revenue", "EBIT"], ["Pumps", "40.1", "4.1"], ["Valves", "21.4", "2.4"], ["Services", "9.0", "0.9"])}${tableOf(["Country", "Revenue", "EBIT"], ["Austria", "30.2", "3.1"], ["Chile", "12.9", "1.4"], ["Japan", "27.4", "2.9"])}`,
  );
const SEGMENTS = [
  ["Pumps", 40.1],
  ["Valves", 21.4],
  ["Services", 9],
];

describe("a first header that is the noun of the list", () => {
  it.each<NounCase>([
    ["Segment", AREAS("Segment"), "segments", "name*|revenue", SEGMENTS],
    [
      "Country",
      AREAS("Segment"),
      "countries",
      "name*|revenue",
      [
        ["Austria", 30.2],
        ["Chile", 12.9],
        ["Japan", 27.4],
      ],
    ],
  ])("gives the rows of its table: %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });

  it.fails.each<NounCase>([
    [
      "Filiale",
      page(
        "de",
        "Unternehmen",
        tableOf(["Filiale", "Umsatz"], ["Ulm", "40"], ["Bonn", "21"]) +
          tableOf(["Produkt", "Umsatz"], ["Pumpe", "12"], ["Ventil", "30"]),
      ),
      "filialen",
      "name*|umsatz",
      [
        ["Ulm", 40],
        ["Bonn", 21],
      ],
    ],
  ])("gives the rows of its table: %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });

  it.each<NounCase>([
    ["countries for regions", AREAS("Segment"), "regions", "name*|revenue", []],
    ["products for branches", AREAS("Product"), "branches", "name*|revenue", []],
    [
      "countries for segments",
      page(
        "en",
        "Annual report",
        tableOf(["Country", "Revenue"], ["Austria", "30.2"], ["Chile", "12.9"]),
      ),
      "segments",
      "name*|revenue",
      [],
    ],
  ])("gives no rows of another table: %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });
});
