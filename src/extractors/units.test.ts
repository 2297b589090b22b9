import { describe, expect, it } from "vitest";
import { convertUnit, findUnitConflict, isSameUnit, toMinutes } from "./units.ts";

describe("toMinutes", () => {
  it.each([
    ["1 h 45", 105],
    ["50 min", 50],
    ["1 godz. 32 min", 92],
    ["2 h", 120],
    ["2 Std. 5 Min.", 125],
  ])("reads %j", (text, minutes) => {
    expect(toMinutes(text)).toBe(minutes);
  });

  it.each(["112", "3 km", "1 h 45 and more than that", "one hour"])("refuses %j", (text) => {
    expect(toMinutes(text)).toBeUndefined();
  });
});

describe("units", () => {
  it("are the same in singular and plural, not in other words", () => {
    expect(isSameUnit("review", "reviews")).toBe(true);
    expect(isSameUnit("bed", "bath")).toBe(false);
    expect(isSameUnit("g", "kg")).toBe(false);
  });

  it("convert within the metric system only", () => {
    expect(convertUnit(1.2, "kg", "g")).toBe(1200);
    expect(convertUnit(3, "cm", "kg")).toBeUndefined();
  });

  it("conflict where the schema asks for another one than the page has", () => {
    expect(findUnitConflict("area_m2", "1,184 sq ft")).toBe("m²");
    expect(findUnitConflict("area_m2", "110 m²")).toBeUndefined();
    expect(findUnitConflict("Weight in grams", "412 g")).toBeUndefined();
  });
});
