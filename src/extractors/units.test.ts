import { describe, expect, it } from "vitest";
import { convertUnit, findUnitConflict, isSameUnit, toMinutes } from "./units.ts";

describe("toMinutes", () => {
  it.each([
    ["1 h 45", 105],
    ["50 min", 50],
    ["1 godz. 32 min", 92],
    ["2 h", 120],
    ["2 Std. 5 Min.", 125],
  ])("parses the duration %j", (text, minutes) => {
    expect(toMinutes(text)).toBe(minutes);
  });

  it.each(["112", "3 km", "1 h 45 and more than that", "one hour"])(
    "rejects %j as a duration",
    (text) => {
      expect(toMinutes(text)).toBeUndefined();
    },
  );
});

describe("units", () => {
  it("treats singular and plural of a unit as equal, and other words as different", () => {
    expect(isSameUnit("review", "reviews")).toBe(true);
    expect(isSameUnit("bed", "bath")).toBe(false);
    expect(isSameUnit("g", "kg")).toBe(false);
  });

  it("converts units within the metric system only", () => {
    expect(convertUnit(1.2, "kg", "g")).toBe(1200);
    expect(convertUnit(3, "cm", "kg")).toBeUndefined();
  });

  it("reports a conflict when the schema asks for another unit than the page has", () => {
    expect(findUnitConflict("area_m2", "1,184 sq ft")).toBe("m²");
    expect(findUnitConflict("area_m2", "110 m²")).toBeUndefined();
    expect(findUnitConflict("Weight in grams", "412 g")).toBeUndefined();
  });
});
