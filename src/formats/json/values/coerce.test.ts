import { describe, expect, it } from "vitest";
import { findFirstNumber } from "./coerce.ts";

describe("findFirstNumber", () => {
  it.each([
    ["€ 1.299,50 incl. VAT", 1299.5],
    ["$1,499.00", 1499],
    ["−3 °C", -3],
    [`Chapter 1 ${".".repeat(300)} 5`, 1],
    ["–4,1", -4.1],
    ["– 12", -12],
    ["10–12", 10],
  ])("reads from %j the number %d", (text, number) => expect(findFirstNumber(text)).toBe(number));

  it.each([["none"], ["9".repeat(500)]])("finds no number in %j", (text) =>
    expect(findFirstNumber(text)).toBeUndefined(),
  );
});
