import { describe, expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const table = (head: string, rows: string): string =>
  `<!doctype html><html lang="en"><body><main><h1>Annual figures</h1><table><thead><tr><th>${head}</th><th>2026</th><th>2025</th></tr></thead><tbody>${rows}</tbody></table></main></body></html>`;
const SALES =
  "<tr><td>Sales</td><td>82.4</td><td>79.9</td></tr><tr><td>Dividend per share</td><td>0.35</td><td>0.30</td></tr>";
const valueOf = (head: string, name: string, description = ""): unknown =>
  draftPage(table(head, SALES), {
    type: "object",
    properties: { [name]: { type: "number", description } },
  }).value;

describe("amounts in millions and thousands", () => {
  it("converts amounts to the currency's unit for a property that names only the currency", () => {
    expect(valueOf("CHF million", "sales_2026_chf")).toEqual({ sales_2026_chf: 82_400_000 });
    expect(valueOf("in thousands", "sales_2025", "in dollars")).toEqual({ sales_2025: 79_900 });
  });

  it("returns amounts as printed for a property that names their scale or none", () => {
    expect(valueOf("CHF million", "sales_2026", "in millions")).toEqual({ sales_2026: 82.4 });
    expect(valueOf("CHF million", "sales_2026")).toEqual({ sales_2026: 82.4 });
    expect(valueOf("CHF", "sales_2026_chf")).toEqual({ sales_2026_chf: 82.4 });
  });

  it("converts amounts between scales", () => {
    expect(valueOf("in thousands", "sales_2026", "in millions")).toEqual({ sales_2026: 0.0824 });
  });

  it("does not scale amounts per share", () => {
    expect(valueOf("CHF million", "dividend_per_share_2026_chf")).toEqual({
      dividend_per_share_2026_chf: 0.35,
    });
  });
});

describe("a scale written behind a number", () => {
  const figure = (value: string, description: string): unknown =>
    draftPage(
      `<!doctype html><html lang="en"><body><main><h1>Annual figures</h1><dl><dt>Sales</dt><dd>${value}</dd></dl></main></body></html>`,
      { type: "object", properties: { sales: { type: "number", description } } },
    ).value;

  it("applies the scale written behind a number, in the scale that the property asks for", () => {
    expect(figure("£82.4m", "")).toEqual({ sales: 82_400_000 });
    expect(figure("£82.4m", "in millions")).toEqual({ sales: 82.4 });
    expect(figure("82.4 million euros", "")).toEqual({ sales: 82_400_000 });
    expect(figure("1.2 bn dollars", "in million dollars")).toEqual({ sales: 1_200 });
  });

  it("does not read a letter behind a number as a scale when it may mean meters", () => {
    expect(figure("82 m", "")).toEqual({ sales: 82 });
  });
});
