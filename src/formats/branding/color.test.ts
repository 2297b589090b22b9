import { describe, expect, it } from "vitest";
import {
  compositeOver,
  computeContrast,
  measureDistance,
  parseColor,
  parseThemeColor,
  toHex,
} from "./color.ts";

const hex = (text: string): string | undefined => {
  const color = parseThemeColor(text);
  return color === undefined ? undefined : toHex(color);
};

describe("parseColor", () => {
  // Pairs as resolved by Chromium (canvas fillStyle), up to rounding.
  it.each([
    ["#0d6efd", "#0D6EFD"],
    ["#abc", "#AABBCC"],
    ["#abcd", "#AABBCC"],
    ["rebeccapurple", "#663399"],
    ["RGB(13, 110, 253)", "#0D6EFD"],
    ["rgba(13 110 253 / 50%)", "#0D6EFD"],
    ["hsl(210, 50%, 40%)", "#336699"],
    ["hsl(0.5turn 100% 25%)", "#008080"],
    ["hwb(120 0% 50%)", "#008000"],
    ["oklch(0.627966 0.257704 29.2346)", "#FF0000"],
    ["oklch(62.7966% 0.257704 29.2346deg)", "#FF0000"],
    ["oklab(0.7017 0.2746 -0.1692)", "#FF00FF"],
    ["lab(54.2905 80.8049 69.891)", "#FF0000"],
    ["lch(29.5683 131.201 301.364)", "#0000FF"],
    ["color(srgb 0.5 0.25 1)", "#8040FF"],
    ["color(srgb-linear 1 0 0)", "#FF0000"],
    ["color(display-p3 0 0 1)", "#0000FF"],
    ["color(xyz 0.9505 1 1.0891)", "#FFFFFF"],
  ])("parses %s as the color %s", (text, expected) => {
    expect(hex(text)).toBe(expected);
  });

  it("keeps alpha and clamps colors outside sRGB", () => {
    expect(parseColor("rgb(0 0 0 / 0.25)")?.alpha).toBe(0.25);
    expect(parseColor("#00000080")?.alpha).toBeCloseTo(0.502, 3);
    expect(hex("color(srgb 1.4 -0.2 0)")).toBe("#FF0000");
  });

  it.each(["", "var(--primary)", "none", "inherit", "rgb(1,2)", "#12", "constructor", "10px"])(
    "rejects %j as a color",
    (text) => {
      expect(parseColor(text)).toBeUndefined();
    },
  );
});

describe("parseThemeColor", () => {
  it("parses the bare triples of theme variables", () => {
    expect(hex("222.2 47.4% 11.2%")).toBe("#0F172A");
    expect(hex("24,103,192")).toBe("#1867C0");
    expect(hex("0.627966 0.257704 29.2346")).toBe("#FF0000");
    expect(hex("8px 4px 2px")).toBeUndefined();
    expect(hex("300 400 500")).toBeUndefined();
  });
});

describe("contrastOf, distanceOf and composite", () => {
  const black = { red: 0, green: 0, blue: 0, alpha: 1 };
  const white = { red: 255, green: 255, blue: 255, alpha: 1 };

  it("returns 21 for black and white in either order", () => {
    expect(computeContrast(black, white)).toBeCloseTo(21, 6);
    expect(computeContrast(white, black)).toBeCloseTo(21, 6);
    expect(computeContrast(white, white)).toBe(1);
  });

  it("returns distance 1 for black and white, and nearly 0 for one step", () => {
    expect(measureDistance(black, white)).toBeCloseTo(1, 3);
    expect(measureDistance(white, { ...white, red: 254 })).toBeLessThan(0.01);
  });

  it("composites a translucent color over another", () => {
    expect(toHex(compositeOver({ ...white, alpha: 0.4 }, black))).toBe("#666666");
  });
});
