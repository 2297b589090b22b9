import { describe, expect, it } from "vitest";
import { readNumber, usesDecimalCommas } from "./cell-number.ts";
import { lookUpCell } from "../rules/look-up.ts";
import { readTableRows } from "./markdown-table.ts";
import { compileTarget } from "../answer/target.ts";

describe("numbers in cells", () => {
  it.each([
    ["1.234,50", false, 1234.5],
    ["1,234.50", false, 1234.5],
    ["1.234 €", false, 1234],
    ["1.234", true, 1234],
    ["1.234", false, 1.234],
    ["(1,204)", false, -1204],
    ["12.4K", false, 12_400],
    ["€ 12,5", false, 12.5],
  ])("reads %s (decimal commas: %s) as %d", (text, hasDecimalCommas, number) => {
    expect(readNumber(text, hasDecimalCommas)).toBe(number);
  });

  it.each(["3 of 5", "10–20", "1,23,4", "n/a", ""])("reads no number from %j", (text) => {
    expect(readNumber(text, false)).toBeUndefined();
  });

  it("a column has decimal commas when a cell can be read in no other way", () => {
    expect(usesDecimalCommas(["1.234", "12,5"])).toBe(true);
    expect(usesDecimalCommas(["1,234", "12.5"])).toBe(false);
    expect(usesDecimalCommas(["1.234", "2.000"])).toBe(false);
  });
});

const TABLE = `
| Artikel | Preis | Menge |
| --- | --- | --- |
| Lampe | 1.234,50 € | 1.500 |
| Tisch | 89,90 € | 2.250,5 |
`;

describe("tables of pages with decimal commas", () => {
  const target = compileTarget({
    type: "array",
    items: {
      type: "object",
      properties: {
        artikel: { type: "string" },
        preis: { type: "number" },
        menge: { type: "number" },
      },
    },
  });

  it("parses the numbers of table rows with decimal commas", () => {
    expect(readTableRows(TABLE, target.lists, 0, "artikel")).toEqual([
      { artikel: "Lampe", preis: 1234.5, menge: 1500 },
      { artikel: "Tisch", preis: 89.9, menge: 2250.5 },
    ]);
  });

  it("parses the number of a looked-up cell with decimal commas", () => {
    const asked = { name: "preis", isNumber: true, open: ["lampe"], known: new Set(["lampe"]) };
    expect(lookUpCell({ markdown: TABLE }, asked)?.value).toBe(1234.5);
  });
});
