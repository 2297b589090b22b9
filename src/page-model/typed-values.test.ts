import { describe, expect, it } from "vitest";
import { readTypedValues } from "./typed-values.ts";

const amountOf = (text: string): unknown => readTypedValues(text, "day-first")[0]?.amount;

describe("readTypedValues", () => {
  it("reads square and cubic meters as units, not as millions", () => {
    expect(amountOf("612 m²")).toBe(612);
    expect(amountOf("40 m³ of water")).toBe(40);
    expect(amountOf("40 m long")).toBe(40);
  });

  it("reads thousands and millions before the counted noun", () => {
    expect(amountOf("12.4K views")).toBe(12_400);
    expect(amountOf("3M users")).toBe(3_000_000);
    expect(amountOf("1.2m views")).toBe(1_200_000);
  });

  it.each([
    ["Sven, Jan 15, 2026 at 7:44 AM", "Jan 15, 2026 at 7:44 AM"],
    ["Jan 15, 2026 at 7:44 a.m. in Oslo", "Jan 15, 2026 at 7:44 a.m."],
    ["Jan 15, 2026 at 7:44 PM", "Jan 15, 2026 at 7:44 PM"],
    ["Jan 15, 2026 at 7:44 amber", "Jan 15, 2026 at 7:44"],
    ["1：名無しさん：2026/03/02(月)", "2026/03/02(月)"],
  ])("reads the whole date in %s and nothing before it", (text, date) => {
    const dates = readTypedValues(text, "month-first").filter(({ type }) => type === "date");
    expect(dates.map((value) => value.text)).toEqual([date]);
  });

  it.each([
    ["299,-", 299],
    ["1.299,-", 1299],
    ["1 299:-", 1299],
    ["49,–", 49],
    ["Nur 299,- im Markt", 299],
  ])("reads %s as a price", (text, amount) => {
    expect(readTypedValues(text, "day-first")[0]).toMatchObject({ type: "price", amount });
  });

  it.each([
    ["a range", "299-399"],
    ["a list", "12, 14, - and more"],
    ["a product number", "ABC299,-x"],
    ["a part of a date", "2025-06-04"],
    ["a sentence", "In 1998, - as everyone knows - it rained."],
    ["a chapter and verse", "12:3-5"],
    ["a share", "3,-4"],
  ])("reads no price in %s", (_, text) => {
    const types = readTypedValues(text, "day-first").map(({ type }) => type);
    expect(types).not.toContain("price");
  });

  it("reads an amount with a sign of currency and a dash once", () => {
    const prices = readTypedValues("€ 299,-", "day-first").filter(({ type }) => type === "price");
    expect(prices).toHaveLength(1);
    expect(prices[0]).toMatchObject({ amount: 299, unit: "EUR" });
  });
});
