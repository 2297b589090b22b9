import { describe, expect, it } from "vitest";
import { readShape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import { coversProperty } from "./column-words.ts";
import { toWanted } from "./label-match.ts";
import { cost } from "../../../../test/growth.ts";
import { grouped } from "../../../../test/understanding/report-pages.ts";
import {
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

type ColumnCase = readonly [
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

const MEDALS = page(
  "en",
  "Medal table",
  grouped(
    "School",
    "Medals Girls:Gold,Silver|Medals Boys:Gold,Silver",
    "Alder|4|2|1|3",
    "Birch|0|5|2|2",
    "Cedar|1|1|6|0",
  ),
);
const towns = (change: string): string =>
  page(
    "de",
    "Bevölkerung der Gemeinden",
    grouped(
      "Gemeinde",
      `Bevölkerung:09.05.2011,31.12.2024|${change}:absolut,in %`,
      "Auheim|8.120|8.904|784|9,7",
      "Brück|3.310|3.102|–208|–6,3",
      "Celle|5.000|5.250|250|5,0",
    ),
  );
const TOWNS = towns("Veränderung 2011–2024");
const PLAIN_CHANGE = towns("Veränderung");
const FLAT_TOWNS = page(
  "de",
  "Gemeinden",
  tableOf(
    ["Gemeinde", "Bevölkerung 09.05.2011", "Bevölkerung 31.12.2024"],
    ["Auheim", "8.120", "8.904"],
    ["Brück", "3.310", "3.102"],
    ["Celle", "5.000", "5.250"],
  ),
);
const CLUBS = (...heads: readonly string[]): string =>
  page(
    "en",
    "Clubs",
    tableOf(
      ["Club", ...heads],
      ["Orn Rovers", "41", "38"],
      ["Gull United", "33", "52"],
      ["Tern City", "29", "30"],
    ),
  );
const NONE = [
  ["Orn Rovers", null],
  ["Gull United", null],
  ["Tern City", null],
];
const FIRST = [
  ["Orn Rovers", 41],
  ["Gull United", 33],
  ["Tern City", 29],
];
const PARIS = (...heads: readonly string[]): string =>
  page(
    "fr",
    "Communes",
    tableOf(
      ["Commune", ...heads],
      ["Aulnes", "8 120", "8 904"],
      ["Brive", "3 310", "3 102"],
      ["Cluny", "5 000", "5 250"],
    ),
  );

describe("columns named in words", () => {
  it.fails.each<ColumnCase>([
    [
      "absolut below Veränderung and its years",
      TOWNS,
      "gemeinden",
      "gemeinde*|change_absolute",
      [
        ["Auheim", 784],
        ["Brück", -208],
        ["Celle", 250],
      ],
    ],
  ])("are read by %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });

  it.fails.each<ColumnCase>([
    [
      "a change of which there are two",
      TOWNS,
      "gemeinden",
      "gemeinde*|change",
      [
        ["Auheim", null],
        ["Brück", null],
        ["Celle", null],
      ],
    ],
  ])("are not taken for %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });

  it.each<ColumnCase>([
    [
      "the group and the column",
      MEDALS,
      "schools",
      "school*|girls_gold|boys_gold",
      [
        ["Alder", 4, 1],
        ["Birch", 0, 2],
        ["Cedar", 1, 6],
      ],
    ],
    [
      "the second column of a group",
      MEDALS,
      "schools",
      "school*|boys_silver",
      [
        ["Alder", 3],
        ["Birch", 2],
        ["Cedar", 0],
      ],
    ],
    [
      "absolut below Veränderung",
      PLAIN_CHANGE,
      "gemeinden",
      "gemeinde*|change_absolute",
      [
        ["Auheim", 784],
        ["Brück", -208],
        ["Celle", 250],
      ],
    ],
    [
      "in % below Veränderung",
      TOWNS,
      "gemeinden",
      "gemeinde*|change_percent",
      [
        ["Auheim", 9.7],
        ["Brück", -6.3],
        ["Celle", 5],
      ],
    ],
    [
      "a day below Bevölkerung",
      TOWNS,
      "gemeinden",
      "gemeinde*|population_2011",
      [
        ["Auheim", 8120],
        ["Brück", 3310],
        ["Celle", 5000],
      ],
    ],
    [
      "a day behind Bevölkerung",
      FLAT_TOWNS,
      "gemeinden",
      "gemeinde*|population_2011",
      [
        ["Auheim", 8120],
        ["Brück", 3310],
        ["Celle", 5000],
      ],
    ],
    [
      "a plain name beside the season before",
      CLUBS("Points", "Points previous season"),
      "clubs",
      "club*|points",
      FIRST,
    ],
    [
      "a plain name beside a target",
      CLUBS("Members", "Target members"),
      "clubs",
      "club*|members",
      FIRST,
    ],
    [
      "a year behind Population",
      PARIS("Population 2011", "Population 2024"),
      "communes",
      "commune*|population_2011",
      [
        ["Aulnes", 8120],
        ["Brive", 3310],
        ["Cluny", 5000],
      ],
    ],
  ])("are read by %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });

  it.each<ColumnCase>([
    [
      "gold alone of girls and boys",
      MEDALS,
      "schools",
      "school*|gold",
      [
        ["Alder", null],
        ["Birch", null],
        ["Cedar", null],
      ],
    ],
    [
      "bronze of girls",
      MEDALS,
      "schools",
      "school*|girls_silver|girls_bronze",
      [
        ["Alder", 2, null],
        ["Birch", 5, null],
        ["Cedar", 1, null],
      ],
    ],
    [
      "gold of mixed teams",
      MEDALS,
      "schools",
      "school*|girls_gold|mixed_gold",
      [
        ["Alder", 4, null],
        ["Birch", 0, null],
        ["Cedar", 1, null],
      ],
    ],
    [
      "population of a year that no column has",
      TOWNS,
      "gemeinden",
      "gemeinde*|population_2011|population_2017",
      [
        ["Auheim", 8120, null],
        ["Brück", 3310, null],
        ["Celle", 5000, null],
      ],
    ],
    [
      "population of two years",
      FLAT_TOWNS,
      "gemeinden",
      "gemeinde*|population",
      [
        ["Auheim", null],
        ["Brück", null],
        ["Celle", null],
      ],
    ],
    [
      "points of the season before",
      CLUBS("Points previous season", "Matches"),
      "clubs",
      "club*|points",
      NONE,
    ],
    ["a target", CLUBS("Target members", "Matches"), "clubs", "club*|members", NONE],
    ["an average", CLUBS("Average attendance", "Matches"), "clubs", "club*|attendance", NONE],
    ["a column per member", CLUBS("Fee per member", "Matches"), "clubs", "club*|members", NONE],
    ["goals at home and away", CLUBS("Goals home", "Goals away"), "clubs", "club*|goals", NONE],
    ["goals against", CLUBS("Goals against", "Matches"), "clubs", "club*|goals", NONE],
    [
      "population density",
      PARIS("Densité de population", "Superficie"),
      "communes",
      "commune*|population",
      [
        ["Aulnes", null],
        ["Brive", null],
        ["Cluny", null],
      ],
    ],
    [
      "a projected population",
      PARIS("Population projetée", "Superficie"),
      "communes",
      "commune*|population",
      [
        ["Aulnes", null],
        ["Brive", null],
        ["Cluny", null],
      ],
    ],
    [
      "the price of a square meter",
      page(
        "es",
        "Barrios",
        tableOf(
          ["Barrio", "Precio medio por m²", "Pisos"],
          ["Alameda", "3.100", "12"],
          ["Bosque", "2.400", "9"],
        ),
      ),
      "barrios",
      "barrio*|precio",
      [
        ["Alameda", null],
        ["Bosque", null],
      ],
    ],
    [
      "last year's turnover",
      page(
        "sv",
        "Bolag",
        tableOf(
          ["Bolag", "Omsättning föregående år", "Anställda"],
          ["Alm", "310", "12"],
          ["Björk", "240", "9"],
        ),
      ),
      "bolag",
      "bolag*|omsattning",
      [
        ["Alm", null],
        ["Björk", null],
      ],
    ],
  ])("are not taken for %s", (_, html, list, names, values) => {
    expect(read(html, list, names)).toEqual(values);
  });
});

describe("coversProperty", () => {
  const covers = (property: string, column: string, type = "number", lead = ""): boolean => {
    const shape = readShape({ type });
    const [wanted] = toWanted(parseName(property), shape, new Set());
    return coversProperty(wanted!, { name: column, lead });
  };

  it.each([
    ["votes", "Votes for"],
    ["time", "Time in"],
    ["score", "Score A"],
    ["team", "Team A"],
    ["goals", "Goals by"],
    ["points", "Points at"],
    ["results", "Results on"],
    ["medals", "Medals and"],
  ])("does not find %s in the column %s", (property, column) => {
    expect(covers(property, column)).toBe(false);
  });

  it.each([
    ["bridges", "Number of bridges", "number", true],
    ["bridges", "Number of bridges", "string", false],
    ["prenom", "Prénom de la", "string", true],
  ])("finds %s in the column %s as a %s: %s", (property, column, type, expected) => {
    expect(covers(property, column, type)).toBe(expected);
  });

  it("finds two words that a third one joins", () => {
    expect(covers("imie_nazwisko", "Imię i nazwisko", "string")).toBe(true);
  });

  it("compares at most five words", () => {
    const [five, six] = ["a1 b1 c1 d1 e1", "a1 b1 c1 d1 e1 f1"];
    expect([covers(five, five), covers(six, six)]).toEqual([true, false]);
  });

  it("gives up on a label of repeated words", () => {
    const label = "gold ".repeat(11);
    expect(covers("gold gold gold gold silver", label)).toBe(false);
    expect(cost(() => void covers("gold gold gold gold silver", label))).toBeLessThan(300);
  });
});
