import { describe, expect, it } from "vitest";
import { toHex } from "./color.ts";
import { readNamedColors, resolveVariables } from "./theme.ts";

describe("resolveVariables", () => {
  it("follows chains of variables and uses fallbacks", () => {
    const variables = new Map([
      ["--a", "var(--b)"],
      ["--b", "#123456"],
    ]);
    expect(resolveVariables("var(--a)", variables)).toBe("#123456");
    expect(resolveVariables("var(--none, red)", variables)).toBe("red");
    expect(resolveVariables("rgba(var(--none), 1)", variables)).toBe("rgba(var(--none), 1)");
  });

  it("terminates on variables that reference each other or grow", () => {
    const circle = new Map([
      ["--a", "var(--b)"],
      ["--b", "var(--a)"],
      ["--c", "var(--c) var(--c)"],
    ]);
    expect(resolveVariables("var(--a)", circle)).toMatch(/^var\(--[ab]\)$/);
    expect(resolveVariables("var(--c)".repeat(400), circle)).toContain("var(--c)");
  });
});

describe("readNamedColors", () => {
  it("reads colors, triples and references, and nothing else", () => {
    const found = readNamedColors([
      ["--primary", "262.1 83.3% 57.8%"],
      ["--v-theme-secondary", "24,103,192"],
      ["--danger", "var(--red)"],
      ["--red", "oklch(0.577 0.245 27.325)"],
      ["--accent", "4px"],
      ["--success", "transparent"],
    ]);
    expect(found.map(({ role, color }) => [role, toHex(color)])).toEqual([
      ["primary", "#7C3AED"],
      ["secondary", "#1867C0"],
      ["error", "#E7000B"],
    ]);
  });
});
