import { describe, expect, it } from "vitest";
import { cost } from "../../../../test/growth.ts";
import {
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";
import { findUnitInLabel } from "./value-leaves.ts";

const valueOf = (property: string, label: string, value: string): unknown => {
  const html = pageOf("en", `<h1>Alder</h1><dl><dt>${label}</dt><dd>${value}</dd></dl>`);
  return readObject(html, { [property]: NUMBER })[property] ?? null;
};
const columnOf = (property: string, header: string, ...values: readonly string[]): unknown[] => {
  const rows = values.map((value, at) => [`Row ${at + 1}`, value]);
  const html = pageOf("en", `<h1>Alder</h1>${tableOf(["Name", header], ...rows)}`);
  return readRows(html, "rows", { name: STRING, [property]: NUMBER }).map(
    (row) => row[property] ?? null,
  );
};

describe("units of labels", () => {
  it.each([
    ["Chest (M)", ""],
    ["DEPTH (M)", "M"],
    ["Length (m)", "m"],
    ["Weight, kg", "kg"],
    ["Woodland hectares", "hectares"],
    ["Area square feet", "square feet"],
    ["Rain mm", "mm"],
    ["High °F", "°F"],
    ["Team A", ""],
    ["Vitamin C", ""],
    ["Checked in", ""],
    ["Model T", ""],
    ["Price per kg", ""],
    ["Price per square foot", ""],
    ["Born in MA", ""],
    ["kg", ""],
  ])("are read in %s as “%s”", (label, unit) => {
    expect(findUnitInLabel(label)).toBe(unit);
  });

  it("are read at the end of a long label in linear time", () => {
    const label = `${"( ".repeat(50_000)}Weight (kg)`;
    expect(findUnitInLabel(label)).toBe("kg");
    expect(cost(() => void findUnitInLabel(label))).toBeLessThan(300);
  });
});

describe("amounts in other units", () => {
  it.each([
    ["chest_cm", "Chest (M)", "102", 102],
    ["growth_pct", "Growth %", "12.5*", 12.5],
    ["weight_g", "Weight (g)", "450*", 450],
    ["weight_kg", "Weight (g)", "450*", null],
    ["woodland_km2", "Woodland hectares", "120", 1.2],
    ["rainfall_mm", "Rainfall", "3.5 cm", 35],
    ["rainfall_cm", "Rainfall", "35 mm", 3.5],
    ["pressure_hpa", "Pressure", "1013 mb", 1013],
    ["pressure_hpa", "Pressure (mb)", "1013", 1013],
    ["pressure_mb", "Pressure", "1013 hPa", 1013],
    ["download_mb", "Download", "1.5 GB", 1500],
    ["temperature_f", "Temperature", "24 °C", null],
    ["temperature_f", "Temperature (°C)", "24", null],
    ["temperature_f", "Temperature", "75 °F", 75],
    ["temperature_f", "Temperature", "24 °C / 75 °F", 75],
    ["temperature_c", "Temperature °F", "75", null],
    ["temperature_c", "Temperature (°F)", "75", null],
  ])("give %s from %s: %s as %s", (property, label, value, expected) => {
    expect(valueOf(property, label, value)).toBe(expected);
  });

  it.each([
    ["high_c", "High °F", null],
    ["high_f", "High °C", null],
    ["high_f", "High (°F)", 75],
    ["high_c", "High °C", 75],
  ])("fill the column %s below %s with %s", (property, header, expected) => {
    expect(columnOf(property, header, "75", "75")).toEqual([expected, expected].filter(Boolean));
  });

  it("give the rate of a year, which is no pascal", () => {
    expect(valueOf("interest_pa", "Interest pa", "3.5 %")).toBe(3.5);
  });

  it.each([
    ["weight_kg", "kg"],
    ["area_ha", "ha"],
    ["length_mm", "mm"],
  ])("give no %s below a header that is only a unit", (property, header) => {
    expect(columnOf(property, header, "12", "15")).toEqual([]);
  });

  it("give calories below Calories", () => {
    expect(columnOf("calories", "Calories", "120", "150")).toEqual([120, 150]);
  });
});
