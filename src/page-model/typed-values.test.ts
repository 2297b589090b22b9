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
});
