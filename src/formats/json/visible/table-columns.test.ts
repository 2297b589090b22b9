import { describe, expect, it } from "vitest";
import { parseHtml } from "../../../html/parse/parse.ts";
import { PageModel } from "../../../page-model/page-model.ts";
import { grouped } from "../../../../test/understanding/report-pages.ts";
import {
  BOOLEAN,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";
import { listRowGroups } from "./visible-rows.ts";

const page = (body: string): string => pageOf("en", `<h1>Overview</h1>${body}`);

describe("columns of units", () => {
  const PLAN = { name: STRING, sso: BOOLEAN, backups: BOOLEAN, price: STRING };
  const plansOf = (...rows: readonly (readonly string[])[]): unknown[] =>
    readRows(page(tableOf(["", "Basic", "Team", "Pro"], ...rows)), "plans", PLAN).map(
      ({ name }) => name,
    );

  it.each([
    ["dashes", "–", "–"],
    ["n/a", "n/a", "n/a"],
  ])("are not told by %s", (_, one, two) => {
    expect(
      plansOf(["SSO", one, "✓", "✓"], ["Backups", two, "✓", "✓"], ["API", one, "–", "✓"]),
    ).toEqual(["Basic", "Team", "Pro"]);
  });

  it.each([
    ["grades", "C", "A", "C"],
    ["states", "MA", "PA", "IN"],
    ["one repeated unit", "GB", "GB", "GB"],
    ["units of one letter", "m", "g", "l"],
  ])("are not told by %s", (_, one, two, three) => {
    const rows = [
      ["Price", one, "4", "5"],
      ["Support", two, "9", "8"],
      ["Storage", three, "1", "7"],
    ];
    expect(plansOf(...rows)).toEqual(["Basic", "Team", "Pro"]);
  });

  it("are told by three units of two kinds beside rows without one", () => {
    const table = tableOf(
      ["", "", "KP 20", "KP 40"],
      ["Weight", "kg", "4.5", "7"],
      ["Length", "mm", "35", "60"],
      ["Height", "mm", "20", "30"],
      ["Colour", "–", "red", "blue"],
    );
    const model = { model: STRING, weight_kg: NUMBER, colour: STRING };
    expect(readRows(page(table), "models", model)).toEqual([
      { model: "KP 20", weight_kg: 4.5, colour: "red" },
      { model: "KP 40", weight_kg: 7, colour: "blue" },
    ]);
  });
});

describe("columns of one name", () => {
  const sizes = (...rows: readonly (readonly string[])[]): unknown[] =>
    readRows(page(tableOf(["Name", "Size", "Size"], ...rows)), "items", {
      name: STRING,
      size: NUMBER,
    }).map(({ size }) => size ?? null);

  it("give a number from the column of numbers in every row", () => {
    expect(
      sizes(
        ["Cap", "S", "10"],
        ["Coat", "M", "12"],
        ["Sock", "6", "14"],
        ["Shoe", "41", "large"],
        ["Belt", "L", "16"],
        ["Scarf", "XL", "18"],
      ),
    ).toEqual([10, 12, 14, null, 16, 18]);
  });

  it("give no number where the column of numbers has no cell", () => {
    expect(
      sizes(["Cap", "S", "10"], ["Coat", "M", "12"], ["Shoe", "41"], ["Belt", "L", "16"]),
    ).toEqual([10, 12, null, 16]);
  });
});

describe("tables without headers below headings", () => {
  const plain = (heading: string, ...rows: readonly (readonly string[])[]): string =>
    `<h2>${heading}</h2><table>${rows
      .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
      .join("")}</table>`;
  /** The lengths of the lists of the page that are longer than each of its tables. */
  const listsOf = (...parts: readonly string[]): number[] =>
    listRowGroups(new PageModel(parseHtml(page(parts.join("")))))
      .map(({ scopes }) => scopes.length)
      .filter((length) => length > 3);
  const MORNING = [
    ["09:00", "Tides and harbours"],
    ["10:30", "Knots for beginners"],
  ];
  const NOON = [
    ["11:00", "Sails of the north"],
    ["14:30", "Charts by night"],
  ];

  it.each([
    ["dates", "Monday 3 May 2027", "Tuesday 4 May 2027"],
    ["dates without a year", "3 May", "4 May"],
    ["weekdays", "Monday", "Tuesday"],
  ])("are one list below %s", (_, first, second) => {
    expect(listsOf(plain(first, ...MORNING), plain(second, ...NOON))).toEqual([4]);
  });

  it("are one list below three other headings", () => {
    const parts = ["Harbour", "Workshop", "Hall"].map((heading) => plain(heading, ...NOON));
    expect(listsOf(...parts)).toEqual([6]);
  });

  it("are two lists below two other headings", () => {
    expect(listsOf(plain("Harbour", ...MORNING), plain("Workshop", ...NOON))).toEqual([]);
  });

  it("are other lists when their columns have other kinds of values", () => {
    const rooms = [
      ["Hall one", "4"],
      ["Small saloon", "6"],
    ];
    const lists = listsOf(
      plain("Monday", ...MORNING),
      plain("Tuesday", ...NOON),
      plain("Wednesday", ...rooms),
    );
    expect(lists).toEqual([4]);
  });
});

describe("columns below a header over several", () => {
  const read = (groups: string, name: string): unknown[] =>
    readRows(
      page(grouped("School", groups, "Alder|4|2|1|3", "Birch|7|5|2|6", "Cedar|1|8|6|9")),
      "schools",
      { school: STRING, [name]: NUMBER },
    ).map((row) => row[name] ?? null);

  it.each(["Administration", "Plants", "Plastic", "Homework"])(
    "are named by their own header below %s",
    (group) => {
      expect(read(`${group}:Gold,Silver|Boys:Bronze,Total`, "gold")).toEqual([4, 7, 1]);
    },
  );

  it.each(["Last season", "Planned", "Maximum", "Vorjahreswert", "Jahresmittel"])(
    "are not named by their own header below %s",
    (group) => {
      expect(read(`${group}:Gold,Silver|Boys:Bronze,Total`, "gold")).toEqual([null, null, null]);
    },
  );

  it("give no change where several have one, of other years", () => {
    const groups = "Change 2011–2024:absolute,share|Change 2022–2024:percent,rank";
    expect(read(groups, "change_absolute")).toEqual([null, null, null]);
  });
});
