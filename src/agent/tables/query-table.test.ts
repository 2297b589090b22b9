import { describe, expect, it } from "vitest";
import { CollectedTables } from "./collected.ts";
import { resolveRows } from "./give-rows.ts";
import { compileTarget } from "../answer/target.ts";
import { QueryFault, queryTable, type TableQuery } from "./query-table.ts";

const row = (value: Record<string, unknown>) => ({
  value,
  sources: Object.fromEntries(
    Object.keys(value).map((column) => [column, { url: "https://a.example/" }]),
  ),
});
const BOOKS = {
  name: "books",
  columns: ["title", "author", "price"],
  rows: [
    row({ title: "Fog", author: "Kowal", price: 16 }),
    row({ title: "Salt", author: "Pryce", price: 24.5 }),
    row({ title: "Trains", author: "pryce", price: 9 }),
    row({ title: "Hive", author: "Tate" }),
  ],
};
const AUTHORS = {
  name: "authors",
  columns: ["name", "country", "title"],
  rows: [
    row({ name: "Pryce", country: "Wales", title: "Dr" }),
    row({ name: "Kowal", country: "Poland", title: "Prof" }),
  ],
};
const titles = (query: TableQuery): unknown[] =>
  queryTable(BOOKS, query).rows.map(({ value }) => value["title"]);

describe("queries over collected rows", () => {
  it.each<[string, TableQuery, string[]]>([
    ["=", { where: [{ column: "author", is: "=", value: "PRYCE" }] }, ["Salt", "Trains"]],
    ["= with a number as text", { where: [{ column: "price", is: "=", value: "16" }] }, ["Fog"]],
    ["<", { where: [{ column: "price", is: "<", value: 16 }] }, ["Trains"]],
    [
      ">= and contains",
      {
        where: [
          { column: "price", is: ">=", value: 16 },
          { column: "title", is: "contains", value: "al" },
        ],
      },
      ["Salt"],
    ],
    ["is missing", { where: [{ column: "price", is: "is missing" }] }, ["Hive"]],
    ["sort and limit", { sort: [{ column: "price" }], limit: 2 }, ["Trains", "Fog"]],
    [
      "descending with missing values last",
      { sort: [{ column: "price", descending: true }] },
      ["Salt", "Fog", "Trains", "Hive"],
    ],
    ["distinct", { distinct: "author" }, ["Fog", "Salt", "Hive"]],
    [
      "join",
      {
        join: { table: AUTHORS, on: "author", to: "name" },
        where: [{ column: "country", is: "=", value: "Wales" }],
      },
      ["Salt", "Trains"],
    ],
  ])("selects by %s", (_, query, expected) => {
    expect(titles(query)).toEqual(expected);
  });

  it('excludes rows without the value from every comparison, even from "not equal"', () => {
    expect(titles({ where: [{ column: "price", is: "!=", value: 16 }] })).toEqual([
      "Salt",
      "Trains",
    ]);
  });

  it("a join keeps columns of both tables apart", () => {
    const { columns, rows } = queryTable(BOOKS, {
      join: { table: AUTHORS, on: "author", to: "name" },
    });
    expect(columns).toEqual(["title", "author", "price", "name", "country", "authors.title"]);
    expect(rows[0]?.value).toMatchObject({ title: "Fog", "authors.title": "Prof" });
  });

  it("sorts and compares texts with numbers in them by size", () => {
    const sizes = {
      name: "s",
      columns: ["size"],
      rows: ["1.200 €", "900 €", "80,50 €"].map((size) => row({ size })),
    };
    expect(
      queryTable(sizes, { sort: [{ column: "size" }] }).rows.map(({ value }) => value["size"]),
    ).toEqual(["80,50 €", "900 €", "1.200 €"]);
  });

  it("names the known columns in the error for an unknown one", () => {
    expect(() => queryTable(BOOKS, { sort: [{ column: "cost" }] })).toThrow(QueryFault);
    expect(() => queryTable(BOOKS, { columns: ["cost"] })).toThrow(
      '"cost"; it has title, author, price',
    );
  });
});

describe("rows in an answer", () => {
  const tables = new CollectedTables();
  tables.put(BOOKS);

  it("returns whole tables, counts, first rows, single values and columns with their sources", () => {
    const given = resolveRows(
      {
        "/all": "books",
        "/n": "books.count",
        "/first": "books.first",
        "/price": "books.first.price",
        "/titles": "books.column.title",
      },
      tables,
    );
    expect(given.faults).toEqual([]);
    expect(given.value).toMatchObject({
      n: 4,
      first: { title: "Fog", author: "Kowal", price: 16 },
      price: 16,
      titles: ["Fog", "Salt", "Trains", "Hive"],
    });
    expect(Object.keys(given.places)).toEqual(
      expect.arrayContaining(["/all/3/title", "/n", "/first/price", "/price", "/titles/0"]),
    );
  });

  it("converts cell text to the types of the schema, and to null if it does not fit", () => {
    const own = new CollectedTables();
    const rows = [
      ["Fog", "£16.00", "yes"],
      ["Salt", "on request", "no"],
    ].map(([title, price, sold]) => ({ value: { title, price, sold }, sources: {} }));
    own.add("all", ["title", "price", "sold"], rows);
    const target = compileTarget({
      type: "object",
      properties: {
        cheapest: { type: "number" },
        books: {
          type: "array",
          items: {
            type: "object",
            properties: {
              title: { type: "string" },
              price: { type: "number" },
              sold: { type: "boolean" },
            },
          },
        },
      },
    });
    const { value } = resolveRows({ "/cheapest": "all.first.price", "/books": "all" }, own, target);
    expect(value).toEqual({
      cheapest: 16,
      books: [
        { title: "Fog", price: 16, sold: true },
        { title: "Salt", price: null, sold: false },
      ],
    });
  });

  it("names an unknown table and an unknown column", () => {
    expect(resolveRows({ "/a": "films", "/b": "books.first.cost" }, tables).faults).toEqual([
      'There is no table "films"; there are books.',
      'books has no column "cost"; it has title, author, price.',
    ]);
  });

  it("keeps one copy of a row that is collected twice", () => {
    const all = new CollectedTables();
    all.add("books", BOOKS.columns, BOOKS.rows);
    all.add("books", BOOKS.columns, BOOKS.rows.slice(0, 2));
    expect(all.find("books")?.rows).toHaveLength(4);
  });
});
