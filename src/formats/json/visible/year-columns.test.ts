import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const described = (description: string): object => ({ type: "number", description });
const rowsOf = (
  lang: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  properties: Record<string, unknown>,
): unknown[] =>
  readRows(pageOf(lang, `<h1>Results</h1>${tableOf(heads, ...rows)}`), "rows", properties).map(
    (row) => Object.keys(properties).map((name) => row[name]),
  );
const TWO = [
  ["Licenses", "120.5", "110.2"],
  ["Services", "80.0", "95.1"],
  ["Hardware", "14.3", "(1.7)"],
] as const;
const THREE = TWO.map((row, index) => [...row, String(60 + index)]);

describe("columns of years", () => {
  const VALUES = [
    [120.5, 110.2],
    [80, 95.1],
    [14.3, -1.7],
  ];

  it.each([
    ["newest first", ["", "Q2 2023", "Q2 2022"], false],
    ["oldest first", ["", "Q2 2022", "Q2 2023"], true],
  ] as const)("give each property the year that its description names, %s", (_, heads, swapped) => {
    expect(
      rowsOf("en", heads, TWO, {
        current: described("Value for the 2023 quarter"),
        prior: described("Value for the 2022 quarter"),
      }),
    ).toEqual(swapped ? VALUES.map(([a, b]) => [b, a]) : VALUES);
  });

  it("give the year that the description names among three years", () => {
    expect(
      rowsOf("en", ["", "2024", "2023", "2022"], THREE, {
        current: described("Value for 2023"),
        prior_year: described("Value for 2022"),
      }),
    ).toEqual([
      [110.2, 60],
      [95.1, 61],
      [-1.7, 62],
    ]);
  });

  it.fails.each([
    ["this_quarter", "that_quarter"],
    ["value", "comparison"],
  ])("give %s and %s the year that their description names", (first, second) => {
    expect(
      rowsOf("en", ["Segment", "Q2 2023", "Q2 2022"], TWO, {
        [first]: described("Value for the 2023 quarter"),
        [second]: described("Value for the 2022 quarter"),
      }),
    ).toEqual(VALUES);
  });

  it.each([
    ["newest first", ["Segment", "2024", "2023"], false],
    ["oldest first", ["Segment", "2023", "2024"], true],
  ] as const)("give current and prior_year of two years, %s", (_, heads, swapped) => {
    const expected = [
      ["Licenses", 120.5, 110.2],
      ["Services", 80, 95.1],
      ["Hardware", 14.3, -1.7],
    ].map(([name, first, second]) => (swapped ? [name, second, first] : [name, first, second]));
    expect(
      rowsOf("en", heads, TWO, { segment: STRING, current: NUMBER, prior_year: NUMBER }),
    ).toEqual(expected);
  });

  it("give years in a German table", () => {
    expect(
      rowsOf(
        "de",
        ["Position", "2024", "2023"],
        TWO.map(([a, b, c]) => [a, b.replace(".", ","), c.replace(".", ",")]),
        {
          current: described("Value for fiscal year 2024"),
          prior_year: described("Value for fiscal year 2023"),
        },
      ),
    ).toEqual(VALUES);
  });

  it.fails("give revenue and prior_year_revenue of two years", () => {
    expect(
      rowsOf("en", ["Segment", "Revenue 2024", "Revenue 2023"], TWO, {
        segment: STRING,
        revenue: NUMBER,
        prior_year_revenue: NUMBER,
      }),
    ).toEqual([
      ["Licenses", 120.5, 110.2],
      ["Services", 80, 95.1],
      ["Hardware", 14.3, -1.7],
    ]);
  });

  it.each(["previous", "prior_year", "previous_year"])(
    "give no %s when there are three years",
    (name) => {
      const values = rowsOf("en", ["Segment", "2024", "2023", "2022"], THREE, {
        segment: STRING,
        [name]: NUMBER,
      });
      expect(values.map((row) => (row as unknown[])[1])).not.toContain(60);
      expect(values.map((row) => (row as unknown[])[1])).not.toContain(120.5);
    },
  );

  it("give no value for a year that no column has", () => {
    expect(
      rowsOf("en", ["Segment", "2024", "2023"], TWO, {
        segment: STRING,
        value: described("Value for the 2021 quarter"),
      }).map((row) => (row as unknown[])[1] ?? undefined),
    ).not.toContain(120.5);
  });

  it("give no prior_year when the columns are of two measures", () => {
    const values = rowsOf(
      "en",
      ["Segment", "Revenue 2024", "Employees 2023"],
      [
        ["Licenses", "120.5", "310"],
        ["Services", "80.0", "95"],
        ["Hardware", "14.3", "44"],
      ],
      { segment: STRING, current: NUMBER, prior_year: NUMBER },
    );
    expect(values.map((row) => (row as unknown[])[2] ?? null)).not.toContain(310);
  });

  it("give no prior_year_revenue from a column of profits", () => {
    const values = rowsOf("en", ["Segment", "Revenue 2024", "Profit 2023"], TWO, {
      segment: STRING,
      revenue: NUMBER,
      prior_year_revenue: NUMBER,
    });
    expect(values.map((row) => (row as unknown[])[2] ?? null)).not.toContain(110.2);
  });

  it.each([
    ["a forecast", ["Segment", "2023", "2024 (forecast)"]],
    ["a target", ["Segment", "Target 2024", "Actual 2023"]],
    ["another quarter", ["Segment", "Q1 2024", "Q4 2023"]],
    ["another currency", ["Segment", "2024 (USD)", "2023 (EUR)"]],
    ["a budget", ["Segment", "2024", "Budget 2023"]],
  ])("give no prior_year beside %s", (_, heads) => {
    const values = rowsOf("en", heads, TWO, { segment: STRING, prior_year: NUMBER });
    for (const row of values) expect((row as unknown[])[1] ?? undefined).toBeUndefined();
  });

  it("give no prior_year when the other year is five years before", () => {
    const values = rowsOf("en", ["Segment", "2024", "2019"], TWO, {
      segment: STRING,
      current: NUMBER,
      prior_year: NUMBER,
    });
    expect(values.map((row) => (row as unknown[])[2] ?? null)).not.toContain(110.2);
  });

  it("give no prior_year from a column of changes", () => {
    const values = rowsOf(
      "en",
      ["Segment", "2024", "Change"],
      [
        ["Licenses", "120.5", "9.3"],
        ["Services", "80.0", "(15.1)"],
        ["Hardware", "14.3", "16.0"],
      ],
      { segment: STRING, current: NUMBER, prior_year: NUMBER },
    );
    expect(values.map((row) => (row as unknown[])[2] ?? null)).not.toContain(9.3);
  });
});

describe("years of one row on a page", () => {
  const statement = (heads: readonly string[], ...cells: readonly string[]): string =>
    pageOf(
      "en",
      `<h1>Income statement</h1>${tableOf(heads, ["Revenue", ...cells], ["Net loss", ...cells.map(() => "(1.7)")], ["Employees", ...cells.map((_, index) => String(300 + index))])}`,
    );

  it("give prior_year_revenue of two years", () => {
    const page = statement(["", "2024", "2023"], "120.5", "110.2");
    expect(readObject(page, { prior_year_revenue: NUMBER }).prior_year_revenue).toBe(110.2);
  });

  it("give prior_year_revenue and negative losses of two years, oldest first", () => {
    const page = statement(["", "2023", "2024"], "120.5", "110.2");
    expect(readObject(page, { prior_year_revenue: NUMBER, prior_year_net_loss: NUMBER })).toEqual({
      prior_year_revenue: 120.5,
      prior_year_net_loss: -1.7,
    });
  });

  it("never give the current year as prior_year_revenue of three years", () => {
    const page = statement(["", "2024", "2023", "2022"], "120.5", "110.2", "98.7");
    const value = readObject(page, { prior_year_revenue: NUMBER }).prior_year_revenue;
    expect([undefined, 110.2]).toContain(value);
  });

  it("give no prior_year_revenue when there is one year", () => {
    const page = statement(["", "2024"], "120.5");
    expect(readObject(page, { prior_year_revenue: NUMBER }).prior_year_revenue).toBeUndefined();
  });
});
