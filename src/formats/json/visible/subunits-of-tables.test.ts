import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const ROW = { period: STRING, gross_pence: NUMBER, net_pence: NUMBER };
const page = (heading: string, heads: readonly string[]): string =>
  pageOf(
    "en",
    `<h1>Ferncastle Estates</h1><h2>${heading}</h2>${tableOf(
      heads,
      ["First interim", "4.10", "3.28", "77.4"],
      ["Second interim", "4.20", "3.36", "79.1"],
      ["Final", "5.00", "4.00", "93.0"],
    )}`,
  );

describe("amounts in a part of a currency", () => {
  it("are those of a table whose heading names it", () => {
    const html = page("Dividends (pence per share)", ["Period", "Gross", "Net", "Net (SA cents)"]);
    expect(readRows(html, "dividends", ROW)[1]).toEqual({
      period: "Second interim",
      gross_pence: 4.2,
      net_pence: 3.36,
    });
  });

  it.each([
    ["the heading names none", "Dividends", ["Period", "Gross", "Net", "Cover"]],
    ["the columns have others", "Dividends in pence", ["Period", "Gross (£)", "Net (£)", "Cover"]],
  ])("are not read where %s", (_, heading, heads) => {
    const rows = readRows(page(heading, heads), "dividends", ROW);
    expect(rows.filter((row) => row.gross_pence !== undefined)).toEqual([]);
  });
});
