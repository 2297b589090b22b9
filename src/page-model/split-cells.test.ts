import { describe, expect, it } from "vitest";
import { joinIndentedLabels, joinSplitCells } from "./split-cells.ts";

const row = (...texts: readonly string[]) => ({
  cells: texts.map((text) => ({ text, columns: 1 })),
});
const read = (rows: readonly { cells: readonly ({ text: string } | undefined)[] }[]): string[][] =>
  joinSplitCells(rows as never).map(({ cells }) => cells.map((cell) => cell?.text ?? ""));

describe("joinSplitCells", () => {
  it("joins a sign before and a bracket behind an amount", () => {
    expect(
      read([
        row("Net loss", "$", "(2,874", ")", "", "$", "(613", ")"),
        row("Revenue", "", "79,819", "", "", "", "74,026", ""),
      ]),
    ).toEqual([
      ["Net loss", "$(2,874)", "$(613)"],
      ["Revenue", "79,819", "74,026"],
    ]);
  });

  it("leaves a table without columns of signs as it is", () => {
    const rows = [row("Alder", "", "12"), row("Birch", "", "9")];
    expect(joinSplitCells(rows)).toBe(rows);
  });

  it("keeps a column that has signs and other words", () => {
    expect(read([row("Fee", "%", "2"), row("Rate", "each", "3")])).toEqual([
      ["Fee", "%", "2"],
      ["Rate", "each", "3"],
    ]);
  });

  it.each([
    ["results", ["Rovers", "WIN", "3"], ["City", "TIE", "1"]],
    ["multiplication signs", ["Tent", "2", "x"], ["Rope", "4", "x"]],
    ["units behind labels", ["Alcohol", "%", "4.5"], ["Sugar", "%", "2.1"]],
    ["currencies of a list of rates", ["Canada", "CAD", "1.36"], ["Norway", "NOK", "10.8"]],
    ["currencies before words", ["Fee", "EUR", "on request"], ["Rent", "EUR", "by area"]],
  ])("keeps a column of %s", (_, ...rows) => {
    expect(read(rows.map((texts) => row(...texts)))).toEqual(rows);
  });

  it("joins signs to the amounts of a column with a few words and dashes", () => {
    expect(
      read([
        row("", "", "2025"),
        row("Sales", "$", "61"),
        row("Rent", "", "—"),
        row("Staff", "", "20"),
        row("Power", "", "4"),
        row("Other", "$", "n/a"),
        row("Cost", "$", "24"),
      ]),
    ).toEqual([
      ["", "2025"],
      ["Sales", "$61"],
      ["Rent", "—"],
      ["Staff", "20"],
      ["Power", "4"],
      ["Other", "n/a"],
      ["Cost", "$24"],
    ]);
  });

  it("keeps a first column of signs, which names the rows", () => {
    expect(read([row("$", "€", "1"), row("£", "€", "2")])).toEqual([
      ["$", "€1"],
      ["£", "€2"],
    ]);
  });
});

describe("joinIndentedLabels", () => {
  const cell = (text: string) => ({ text, columns: 1 });
  const wide = (text: string, ...values: readonly string[]) => {
    const label = { text, columns: 2 };
    return { cells: [label, label, ...values.map(cell)] };
  };

  it("drops a first column that only indents the labels of parts", () => {
    const rows = [wide("Net sales", "418"), row("", "Research", "34"), wide("Net income", "40")];
    expect(joinIndentedLabels(rows).map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ["Net sales", "418"],
      ["Research", "34"],
      ["Net income", "40"],
    ]);
  });

  it("keeps a first column with names of its own", () => {
    const rows = [wide("Total", "418"), row("North", "Research", "34"), wide("Sum", "40")];
    expect(joinIndentedLabels(rows)).toBe(rows);
  });
});
