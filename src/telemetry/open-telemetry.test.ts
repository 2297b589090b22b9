import { describe, expect, it } from "vitest";
import { createBudget, parseHeaderList } from "./open-telemetry.ts";

describe("createBudget", () => {
  it("allows a burst of one second, then refills with time", () => {
    let now = 0;
    const hasBudget = createBudget(2, () => now);
    expect([hasBudget(), hasBudget(), hasBudget()]).toEqual([true, true, false]);
    now = 500;
    expect([hasBudget(), hasBudget()]).toEqual([true, false]);
    now = 60_000;
    expect([hasBudget(), hasBudget(), hasBudget()]).toEqual([true, true, false]);
  });

  it("allows everything with 0", () => {
    const hasBudget = createBudget(0);
    expect(Array.from({ length: 100 }, () => hasBudget()).every(Boolean)).toBe(true);
  });
});

describe("parseHeaderList", () => {
  it("decodes percent-encoded values and keeps = within a value", () => {
    expect(parseHeaderList("authorization=Basic%20YQ==, x-team=blue")).toEqual({
      authorization: "Basic YQ==",
      "x-team": "blue",
    });
  });

  it("keeps a value with an invalid escape as written", () => {
    expect(parseHeaderList("a=100%,=none")).toEqual({ a: "100%" });
  });
});
