import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import type { Grid } from "./grids.ts";
import { PageModel } from "./page-model.ts";

const gridOf = (table: string): Grid => {
  const html = `<!doctype html><html lang="en"><body><main>${table}</main></body></html>`;
  return new PageModel(parseHtml(html)).grids[0] as Grid;
};
/** Builds a table from lines of cells separated by "|". */
const plain = (...lines: readonly string[]): string =>
  `<table>${lines
    .map(
      (line) =>
        `<tr>${line
          .split("|")
          .map((cell) => `<td>${cell}</td>`)
          .join("")}</tr>`,
    )
    .join("")}</table>`;
/** Names, groups and "footer" of the rows. */
const rowsOf = ({ rows }: Grid): string[] =>
  rows.map(({ cells: [first], group, isFooter }) =>
    [first?.text ?? "", group, isFooter ? "footer" : ""].join("|"),
  );

describe("header rows", () => {
  it.each(["In stock", "En route", "In the Willows", "In Bruges", "In transit"])(
    "do not include the data row %s",
    (name) => {
      const grid = gridOf(plain(`${name}|open|north`, "Delayed|closed|south", "Lost|open|west"));
      expect(grid.rows.map(({ cells }) => cells[0]?.text)).toEqual([name, "Delayed", "Lost"]);
    },
  );

  it.each([
    "in millions",
    "(in thousands)",
    "In millions of US dollars",
    "dollars in thousands",
    "(unaudited; in thousands)",
    "$ in millions",
    "in Mio. €",
    "in TEUR",
    "in %",
    "en millions d’euros",
    "en M€",
    "in EUR",
    "en miles de euros",
    "unaudited",
  ])("include one with the unit %s in place of a name", (unit) => {
    const grid = gridOf(plain(`${unit}|2025|2024`, "Sales|61.5|58.0", "Profit|3.1|4.4"));
    expect(grid.headers).toEqual([unit, "2025", "2024"]);
  });
});

describe("groups of rows", () => {
  const title = (text: string): string => `<tr><td colspan="3">${text}</td></tr>`;
  const row = (...cells: readonly string[]): string =>
    `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  const HEAD = "<thead><tr><th>Site</th><th>Beds</th><th>Staff</th></tr></thead>";
  const table = (...rows: readonly string[]): Grid =>
    gridOf(`<table>${HEAD}<tbody>${rows.join("")}</tbody></table>`);

  it("end at the total of their figures", () => {
    const grid = table(
      title("North"),
      row("Alder", "10", "4"),
      row("Birch", "20", "6"),
      row("Total", "30", "10"),
      row("Head office", "0", "9"),
    );
    expect(rowsOf(grid)).toEqual([
      "Alder|North|",
      "Birch|North|",
      "Total|North|footer",
      "Head office||",
    ]);
  });

  it.each(["Total North", "North total"])("end at the row %s", (total) => {
    const grid = table(
      row("North:", "", ""),
      row("Alder", "10", "4"),
      row("Birch", "20", "6"),
      row(total, "30", "10"),
      row("Head office", "0", "9"),
    );
    expect(grid.rows.map(({ group }) => group)).toEqual(["North", "North", "North", ""]);
  });

  it("have a title without the blank before its colon", () => {
    const grid = table(row("Nord :", "", ""), row("Alder", "10", "4"), row("Birch", "20", "6"));
    expect(grid.rows.map(({ group }) => group)).toEqual(["Nord", "Nord"]);
  });

  const region = (name: string, ...cells: readonly string[]): string =>
    `<tr><th scope="rowgroup">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

  it("are named by row group headers, whose sums are footers", () => {
    const grid = table(
      region("North", "30", "10"),
      row("Alder", "10", "4"),
      row("Birch", "20", "6"),
      region("South", "12", "5"),
      row("Cedar", "5", "2"),
      row("Elm", "7", "3"),
      row("Country", "42", "15"),
    );
    expect(rowsOf(grid)).toEqual([
      "North|North|footer",
      "Alder|North|",
      "Birch|North|",
      "South|South|footer",
      "Cedar|South|",
      "Elm|South|",
      "Country||footer",
    ]);
  });

  it("keep a row group header whose figures are no sums as a row", () => {
    const grid = table(
      region("Plan A", "30", "1"),
      row("Backup", "5", "2"),
      row("Support", "7", "2"),
    );
    expect(grid.rows.map(({ isFooter }) => isFooter)).toEqual([false, false, false]);
  });

  it("keep rows that all have row group headers", () => {
    const grid = table(region("North", "30", "10"), region("South", "20", "4"));
    expect(rowsOf(grid)).toEqual(["North||", "South||"]);
  });

  it("add up to a grand total within rounding, which is a footer", () => {
    const grid = table(
      title("North"),
      row("Alder", "10.2", "4"),
      row("Birch", "20.2", "6"),
      row("Total", "30.4", "10"),
      title("South"),
      row("Cedar", "5.1", "2"),
      row("Elm", "7.2", "3"),
      row("Total", "12.3", "5"),
      row("Both coasts", "42.8", "15"),
    );
    expect(rowsOf(grid).at(-1)).toBe("Both coasts||footer");
  });

  it("leave a row behind them that is no sum of their totals", () => {
    const grid = table(
      title("North"),
      row("Alder", "10", "4"),
      row("Total", "10", "4"),
      title("South"),
      row("Cedar", "5", "2"),
      row("Total", "5", "2"),
      row("Head office", "0", "9"),
    );
    expect(rowsOf(grid).at(-1)).toBe("Head office||");
  });
});
