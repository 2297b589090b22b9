import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const page = (title: string, columns: readonly string[]): string =>
  `<!doctype html><html lang="en"><body><main><h1>${title}</h1><table><thead><tr><th></th><th>Note</th>${columns.map((name) => `<th>${name}</th>`).join("")}</tr></thead><tbody><tr><th>Revenue</th><td>2</td><td>61.5</td><td>58.0</td></tr><tr><th>Operating profit</th><td></td><td>(3.1)</td><td>4.4</td></tr></tbody></table></main></body></html>`;
const YEARS = ["2025 €m", "2024 €m"];
const valueOf = (html: string, name: string, description = ""): unknown =>
  draftPage(html, { type: "object", properties: { [name]: { type: "number", description } } })
    .value;

describe("tables with a column for each year", () => {
  const results = page("Results for the year ended 31 March 2025", YEARS);

  it("returns the values of the year that the heading names and of the year before", () => {
    expect(valueOf(results, "revenue")).toEqual({ revenue: 61.5 });
    expect(valueOf(results, "operating_profit")).toEqual({ operating_profit: -3.1 });
    expect(valueOf(results, "revenue_prior_year")).toEqual({ revenue_prior_year: 58 });
  });

  it("returns the latest year when the description asks for it, and nothing without a year in the heading", () => {
    const undated = page("Key figures", YEARS);
    expect(valueOf(undated, "revenue")).toBeUndefined();
    expect(valueOf(undated, "revenue", "latest year")).toEqual({ revenue: 61.5 });
  });

  it("returns nothing when the heading names both years or a column is a plan", () => {
    expect(valueOf(page("2025 compared with 2024", YEARS), "revenue")).toBeUndefined();
    const plan = page("Results 2025", ["2025", "Plan 2026"]);
    expect(valueOf(plan, "revenue")).toBeUndefined();
  });
});
