import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const number = { type: "number" };
const listOf = (name: string, properties: Record<string, unknown>) => ({
  type: "object",
  properties: { [name]: { type: "array", items: { type: "object", properties } } },
});
const table = (heads: readonly string[], ...rows: readonly (readonly string[])[]): string =>
  `<main><h1>Annual report</h1><table><tr>${heads.map((head) => `<th>${head}</th>`).join("")}</tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("")}</table></main>`;
const REVENUE = ["Revenue", "120", "110", "95"];
const PROFIT = ["Net profit", "12", "9", "7"];

describe("columns of years as records", () => {
  it.each([
    ["years", ["EUR m", "2025", "2024", "2023"]],
    ["financial years", ["EUR m", "FY 2025", "FY 2024", "FY 2023"]],
    [
      "days",
      ["EUR m", "Year ended 31 March 2025", "Year ended 31 March 2024", "Year ended 31 March 2023"],
    ],
  ])("returns a record with the year and the values of each column: %s", (_, heads) => {
    const schema = listOf("years", { year: { type: "integer" }, revenue: number, profit: number });
    expect(draftPage(table(heads, REVENUE, PROFIT), schema).value).toEqual({
      years: [
        { year: 2025, revenue: 120, profit: 12 },
        { year: 2024, revenue: 110, profit: 9 },
        { year: 2023, revenue: 95, profit: 7 },
      ],
    });
  });

  it("returns the quarter as the period of a record", () => {
    const html = table(["EUR m", "Q3 2025", "Q2 2025", "Q1 2025"], REVENUE, PROFIT);
    const schema = listOf("quarters", { period: { type: "string" }, revenue: number });
    expect(draftPage(html, schema).value).toEqual({
      quarters: [
        { period: "Q3 2025", revenue: 120 },
        { period: "Q2 2025", revenue: 110 },
        { period: "Q1 2025", revenue: 95 },
      ],
    });
  });

  it("leaves out an empty cell", () => {
    const html = table(["EUR m", "2025", "2024", "2023"], REVENUE, ["Net profit", "12", "", "7"]);
    const schema = listOf("years", { year: { type: "integer" }, revenue: number, profit: number });
    expect(draftPage(html, schema).value).toEqual({
      years: [
        { year: 2025, revenue: 120, profit: 12 },
        { year: 2024, revenue: 110 },
        { year: 2023, revenue: 95, profit: 7 },
      ],
    });
  });

  it("returns no years when the columns are plans", () => {
    const html = table(["", "Solo", "Team", "Studio"], ["Seats", "1", "5", "20"], PROFIT);
    const schema = listOf("years", { year: { type: "integer" }, seats: number });
    expect(JSON.stringify(draftPage(html, schema).value ?? {})).not.toContain('"year"');
  });

  it("returns no revenue when no row names it", () => {
    const html = table(["EUR m", "2025", "2024", "2023"], ["Staff", "40", "38", "31"], PROFIT);
    const schema = listOf("years", { year: { type: "integer" }, revenue: number });
    expect(JSON.stringify(draftPage(html, schema).value ?? {})).not.toContain("revenue");
  });
});
