// CSS colors as sRGB, and their perception (contrast, distance).
import { createRequire } from "node:module";
import type * as Culori from "culori";

// `require` finds the library in one file, `import` in 150: a tenth of the time in which a thread starts.
const { converter, differenceEuclidean, wcagContrast } = createRequire(import.meta.url)(
  "culori",
) as typeof Culori;

/** Red, green and blue from 0 to 255 (not rounded), alpha from 0 to 1. */
export type Color = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

const toRgb = converter("rgb");
const toOklab = converter("oklab");
const classifyDifference = differenceEuclidean("oklab");

/** Longer texts are not parsed as colors, which bounds the time for hostile input. */
const MAX_CHARACTERS = 200;

/**
 * Parses a CSS color. Returns undefined for other texts. The browser resolves `color-mix()` and
 * `var()`.
 */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  if (value.length > MAX_CHARACTERS) return undefined;
  // culori also accepts hexadecimal digits without "#", which CSS does not.
  if (/^[\da-f]+$/.test(value)) return undefined;
  const rgb = toRgb(value);
  if (rgb === undefined) return undefined;
  return {
    red: clamp(rgb.r * 255, 255),
    green: clamp(rgb.g * 255, 255),
    blue: clamp(rgb.b * 255, 255),
    alpha: clamp(rgb.alpha ?? 1, 1),
  };
}

/**
 * Also parses the bare triples of theme variables: "222 47% 11%" (HSL) and "13, 110, 253" (RGB).
 */
export function parseThemeColor(text: string): Color | undefined {
  const value = text.trim();
  if (value.length > MAX_CHARACTERS) return undefined;
  const hsl = /^(-?[\d.]+)(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%$/.exec(value);
  if (hsl !== null) return parseColor(`hsl(${value})`);
  const rgb = /^(\d{1,3})\s*[\s,]\s*(\d{1,3})\s*[\s,]\s*(\d{1,3})$/.exec(value);
  if (rgb !== null && rgb.slice(1).every((part) => Number(part) <= 255)) {
    return parseColor(`rgb(${value})`);
  }
  const lch = /^(0?\.\d+|[01]|\d{1,3}%)\s+(0?\.\d+|0)\s+(-?[\d.]+)$/.exec(value);
  return lch === null ? parseColor(value) : parseColor(`oklch(${value})`);
}

const clamp = (value: number, high: number): number => Math.min(high, Math.max(0, value));

/**
 * Returns OKLCH values for perceptual comparison: lightness from 0 to 1, chroma from 0 (gray) to
 * about 0.32, hue in degrees.
 */
export function toPerceived(color: Color): {
  lightness: number;
  a: number;
  b: number;
  chroma: number;
  hue: number;
} {
  const { l, a, b } = toOklab(toCulori(color));
  return {
    lightness: l,
    a,
    b,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

const toCulori = ({ red, green, blue, alpha }: Color): Culori.Rgb => ({
  mode: "rgb",
  r: red / 255,
  g: green / 255,
  b: blue / 255,
  alpha,
});

/** Returns `#RRGGBB` without alpha. */
export function toHex(color: Color): string {
  const toHexPart = (value: number): string => Math.round(value).toString(16).padStart(2, "0");
  return `#${toHexPart(color.red)}${toHexPart(color.green)}${toHexPart(color.blue)}`.toUpperCase();
}

/** Returns the visible color of `top` over an opaque `bottom`. */
export function compositeOver(top: Color, bottom: Color): Color {
  const mix = (above: number, below: number): number => above * top.alpha + below * (1 - top.alpha);
  return {
    red: mix(top.red, bottom.red),
    green: mix(top.green, bottom.green),
    blue: mix(top.blue, bottom.blue),
    alpha: 1,
  };
}

/** Returns the contrast ratio of two opaque colors, 1 to 21 (WCAG 2.2). */
export const computeContrast = (first: Color, second: Color): number =>
  wcagContrast(toCulori(first), toCulori(second));

/**
 * Returns the distance of two colors in OKLab: 0.02 is a just noticeable difference, black to white
 * is 1.
 */
export const measureDistance = (first: Color, second: Color): number =>
  classifyDifference(toCulori(first), toCulori(second));
