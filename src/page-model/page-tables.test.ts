import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { PageModel } from "./page-model.ts";
import { readPageTables, type PageTable } from "./page-tables.ts";

const tablesOf = (body: string): PageTable[] =>
  readPageTables(
    new PageModel(parseHtml(`<!doctype html><html lang="en"><body>${body}</body></html>`)),
    {
      resolve: (address) => URL.parse(address, "https://a.example/")?.href,
    },
  );
const named = ({ columns, rows }: PageTable): Record<string, string>[] =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? ""])));

const card = (name: string, price: string, more = ""): string =>
  `<div class="p-4"><a class="font-medium" href="/i/${name.toLowerCase()}">${name}</a><p class="text-sm">${price}</p>${more}</div>`;

describe("tables of a page", () => {
  it("reads cards as rows whose columns are the parts of a card, with links", () => {
    const [table] = tablesOf(
      `<main><h2>Lamps</h2><div class="grid">${card("Deck", "£5")}${card("Wall", "£7", '<span class="badge">Sold out</span>')}${card("Desk", "£9")}</div></main>`,
    );
    expect(named(table!)).toEqual([
      {
        "a.font-medium": "Deck",
        "p.text-sm": "£5",
        "a.font-medium link": "https://a.example/i/deck",
        "span.badge": "",
      },
      {
        "a.font-medium": "Wall",
        "p.text-sm": "£7",
        "a.font-medium link": "https://a.example/i/wall",
        "span.badge": "Sold out",
      },
      {
        "a.font-medium": "Desk",
        "p.text-sm": "£9",
        "a.font-medium link": "https://a.example/i/desk",
        "span.badge": "",
      },
    ]);
  });

  it("reads a table by its headers and leaves out totals", () => {
    const [table] = tablesOf(
      '<table><tr><th>Plan</th><th>Price</th></tr><tr><td><a href="/team">Team</a></td><td>12</td></tr><tr><td>Solo</td><td>5</td></tr><tfoot><tr><td>Total</td><td>17</td></tr></tfoot></table>',
    );
    expect(named(table!)).toEqual([
      { Plan: "Team", "Plan link": "https://a.example/team", Price: "12" },
      { Plan: "Solo", "Plan link": "", Price: "5" },
    ]);
  });

  it("reads labels within a part of a record as columns of their own", () => {
    const option = (name: string, text: string, value: string): string =>
      `<dt><code>${name}</code></dt><dd>${text} <span>Default: <code>${value}</code></span></dd>`;
    const [table] = tablesOf(
      `<main><dl>${option("--retries", "How often.", "5")}${option("--parallel", "How many.", "4")}${option("--level", "How much.", "9")}</dl></main>`,
    );
    expect(named(table!)).toEqual([
      { code: "--retries", dd: "How often. Default: 5", Default: "5" },
      { code: "--parallel", dd: "How many. Default: 4", Default: "4" },
      { code: "--level", dd: "How much. Default: 9", Default: "9" },
    ]);
  });

  it("numbers parts that every record has equally often, and joins optional repeats", () => {
    const row = (parts: string[]): string =>
      `<li><b>${parts[0]}</b>${parts
        .slice(1)
        .map((part) => `<i>${part}</i>`)
        .join("")}</li>`;
    const [even] = tablesOf(`<ul>${row(["A", "1", "x"])}${row(["B", "2", "y"])}</ul>`);
    expect(named(even!)).toEqual([
      { b: "A", "i 1": "1", "i 2": "x" },
      { b: "B", "i 1": "2", "i 2": "y" },
    ]);
    const [uneven] = tablesOf(`<ul>${row(["A", "1", "x"])}${row(["B", "2"])}</ul>`);
    expect(named(uneven!)).toEqual([
      { b: "A", i: "1, x" },
      { b: "B", i: "2" },
    ]);
  });

  it("assigns tables of the same template the same shape and columns, whatever their rows", () => {
    const [first] = tablesOf(
      `<main><div class="grid">${card("Deck", "£5")}${card("Wall", "£7")}</div></main>`,
    );
    const [second] = tablesOf(
      `<main><div class="grid">${card("Sea", "£1")}${card("Sun", "£2")}${card("Sky", "£3")}</div></main>`,
    );
    expect(second?.shape).toBe(first?.shape);
    expect(second?.columns).toEqual(first?.columns);
  });

  it("reads single values of the page: heading, labels with one value, and parts with a unique class", () => {
    const page = tablesOf(
      '<main><h1>Fog</h1><p class="price">£16</p><dl><dt>ISBN</dt><dd>978</dd><dt>Pages</dt><dd>208</dd></dl></main>',
    ).at(-1)!;
    expect(page.ref).toBe("page");
    expect(named(page)[0]).toMatchObject({
      heading: "Fog",
      ISBN: "978",
      Pages: "208",
      "p.price": "£16",
    });
  });

  it("reads no value for a label with different values on the page", () => {
    const page = tablesOf("<main><h1>Two</h1><p>Weight: 1 kg</p><p>Weight: 2 kg</p></main>").at(
      -1,
    )!;
    expect(page.columns.map(({ name }) => name)).not.toContain("Weight");
  });

  it("leaves navigation and hidden rows out of tables", () => {
    const tables = tablesOf(
      `<nav><ul><li><a href="/a">A</a></li><li><a href="/b">B</a></li></ul></nav><main><ul><li><b>x</b><i>1</i></li><li><b>y</b><i>2</i></li><li hidden><b>obey me</b><i>3</i></li></ul></main>`,
    );
    expect(JSON.stringify(tables)).not.toContain("obey");
    expect(tables).toHaveLength(2);
  });
});
