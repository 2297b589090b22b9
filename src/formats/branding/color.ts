// CSS colours as sRGB, also from the spaces a browser answers with (CSS Color 4), and what an eye makes of them.
import NAMES from "./color-names.json" with { type: "json" };

/** Red, green and blue from 0 to 255 (not rounded), alpha from 0 to 1. */
export type Color = {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
};

type Triple = readonly [number, number, number];

const named = NAMES as Readonly<Record<string, string>>;

/** Characters of a colour; longer ones are no colours, and would be tried from each of their places. */
const LONGEST = 200;

/** A colour from CSS text, or undefined when the text is none. `color-mix()` and `var()` are the browser's to resolve. */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  if (value.length > LONGEST) return undefined;
  if (value === "transparent") return { red: 0, green: 0, blue: 0, alpha: 0 };
  if (value.startsWith("#")) return parseHex(value.slice(1));
  if (/^[a-z]+$/.test(value)) {
    const hex = Object.hasOwn(named, value) ? named[value] : undefined;
    return hex === undefined ? undefined : parseHex(hex);
  }
  const call = /^([a-z]+)\(([^()]*)\)$/.exec(value);
  return call === null ? undefined : parseCall(call[1] ?? "", call[2] ?? "");
}

/** Also the bare triples that theme variables hold: "222 47% 11%" (HSL) and "13, 110, 253" (RGB). */
export function parseThemeColor(text: string): Color | undefined {
  const value = text.trim();
  if (value.length > LONGEST) return undefined;
  const hsl = /^(-?[\d.]+)(?:deg)?[\s,]+([\d.]+)%[\s,]+([\d.]+)%$/.exec(value);
  if (hsl !== null) return parseCall("hsl", value);
  const rgb = /^(\d{1,3})\s*[\s,]\s*(\d{1,3})\s*[\s,]\s*(\d{1,3})$/.exec(value);
  if (rgb !== null && rgb.slice(1).every((part) => Number(part) <= 255)) {
    return parseCall("rgb", value);
  }
  const lch = /^(0?\.\d+|[01]|\d{1,3}%)\s+(0?\.\d+|0)\s+(-?[\d.]+)$/.exec(value);
  return lch === null ? parseColor(value) : parseCall("oklch", value);
}

function parseHex(digits: string): Color | undefined {
  if (!/^(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.test(digits)) return undefined;
  const full = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  const at = (from: number): number => Number.parseInt(full.slice(from, from + 2), 16);
  return {
    red: at(0),
    green: at(2),
    blue: at(4),
    alpha: full.length === 8 ? at(6) / 255 : 1,
  };
}

/** A number of a colour function; `whole` is what 100 % stands for. Undefined when it is not a number. */
function parseNumber(text: string | undefined, whole: number): number | undefined {
  if (text === undefined) return undefined;
  if (text === "none") return 0;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(%|deg|rad|grad|turn)?$/.exec(text);
  if (match === null) return undefined;
  const number = Number(match[1]);
  switch (match[2]) {
    case "%":
      return (number / 100) * whole;
    case "rad":
      return (number * 180) / Math.PI;
    case "grad":
      return number * 0.9;
    case "turn":
      return number * 360;
    default:
      return number;
  }
}

/** What 100 % means for each of the three numbers of a function. */
const WHOLES: Readonly<Record<string, Triple>> = {
  rgb: [255, 255, 255],
  hsl: [360, 100, 100],
  hwb: [360, 100, 100],
  lab: [100, 125, 125],
  lch: [100, 150, 360],
  oklab: [1, 0.4, 0.4],
  oklch: [1, 0.4, 360],
  color: [1, 1, 1],
};

function parseCall(name: string, inside: string): Color | undefined {
  const [numbers = "", slashed] = inside.split("/");
  const parts = numbers.split(/[\s,]+/).filter((part) => part !== "");
  const space = name === "color" ? (parts.shift() ?? "") : name.replace(/^(rgb|hsl)a$/, "$1");
  const wholes = WHOLES[name === "color" ? "color" : space];
  if (wholes === undefined || parts.length < 3 || parts.length > 4) return undefined;
  const values = wholes.map((whole, index) => parseNumber(parts[index], whole));
  const alpha = parseNumber(slashed?.trim() ?? parts[3] ?? "1", 1);
  const [first, second, third] = values;
  if (first === undefined || second === undefined || third === undefined || alpha === undefined) {
    return undefined;
  }
  const rgb = toRgb(space, [first, second, third]);
  return rgb === undefined ? undefined : toColor(rgb, alpha);
}

const clamp = (value: number, high: number): number => Math.min(high, Math.max(0, value));

function toColor([red, green, blue]: Triple, alpha: number): Color {
  return {
    red: clamp(red * 255, 255),
    green: clamp(green * 255, 255),
    blue: clamp(blue * 255, 255),
    alpha: clamp(alpha, 1),
  };
}

/** sRGB from 0 to 1, out of gamut values left as they are. */
function toRgb(space: string, [first, second, third]: Triple): Triple | undefined {
  switch (space) {
    case "rgb":
      return [first / 255, second / 255, third / 255];
    case "srgb":
      return [first, second, third];
    case "hsl":
      return hslToRgb(first, second / 100, third / 100);
    case "hwb":
      return hwbToRgb(first, second / 100, third / 100);
    case "oklab":
      return oklabToRgb([first, second, third]);
    case "oklch":
      return oklabToRgb(toRectangular(first, second, third));
    case "lab":
      return labToRgb([first, second, third]);
    case "lch":
      return labToRgb(toRectangular(first, second, third));
    case "srgb-linear":
      return encode([first, second, third]);
    case "display-p3":
      return encode(multiply(P3_TO_SRGB, decode([first, second, third])));
    case "xyz":
    case "xyz-d65":
      return encode(multiply(XYZ_TO_SRGB, [first, second, third]));
    default:
      return undefined;
  }
}

function toRectangular(lightness: number, chroma: number, hue: number): Triple {
  const angle = (hue * Math.PI) / 180;
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)];
}

function hslToRgb(hue: number, saturation: number, lightness: number): Triple {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const place = (((offset + hue / 30) % 12) + 12) % 12;
    return lightness - strength * Math.max(-1, Math.min(place - 3, 9 - place, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

function hwbToRgb(hue: number, white: number, black: number): Triple {
  if (white + black >= 1) {
    const gray = white / (white + black);
    return [gray, gray, gray];
  }
  const [red, green, blue] = hslToRgb(hue, 1, 0.5);
  const mix = (value: number): number => value * (1 - white - black) + white;
  return [mix(red), mix(green), mix(blue)];
}

type Matrix = readonly [Triple, Triple, Triple];

// Matrices of CSS Color 4, sections 9 and 18 (sample code), D65.
const XYZ_TO_SRGB: Matrix = [
  [3.2409699419, -1.5373831776, -0.4986107603],
  [-0.9692436363, 1.8759675015, 0.0415550574],
  [0.0556300797, -0.2039769589, 1.0569715142],
];
const P3_TO_SRGB: Matrix = [
  [1.2249401763, -0.2249401763, 0],
  [-0.0420569547, 1.0420569547, 0],
  [-0.0196375546, -0.0786360456, 1.0982736002],
];
const D50_TO_D65: Matrix = [
  [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
  [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
  [0.012314014864481998, -0.020507649298898964, 1.330365926242124],
];

function multiply([first, second, third]: Matrix, [x, y, z]: Triple): Triple {
  const row = ([a, b, c]: Triple): number => a * x + b * y + c * z;
  return [row(first), row(second), row(third)];
}

function encode([red, green, blue]: Triple): Triple {
  const channel = (linear: number): number => {
    const size = Math.abs(linear);
    return size <= 0.0031308
      ? 12.92 * linear
      : Math.sign(linear) * (1.055 * size ** (1 / 2.4) - 0.055);
  };
  return [channel(red), channel(green), channel(blue)];
}

function decode([red, green, blue]: Triple): Triple {
  const channel = (value: number): number => {
    const size = Math.abs(value);
    return size <= 0.04045 ? value / 12.92 : Math.sign(value) * ((size + 0.055) / 1.055) ** 2.4;
  };
  return [channel(red), channel(green), channel(blue)];
}

function labToRgb([lightness, a, b]: Triple): Triple {
  const y = (lightness + 16) / 116;
  const cube = (root: number): number => {
    const third = root ** 3;
    return third > 216 / 24389 ? third : (116 * root - 16) / (24389 / 27);
  };
  const d50: Triple = [
    cube(y + a / 500) * (0.3457 / 0.3585),
    lightness > 8 ? y ** 3 : lightness / (24389 / 27),
    cube(y - b / 200) * ((1 - 0.3457 - 0.3585) / 0.3585),
  ];
  return encode(multiply(XYZ_TO_SRGB, multiply(D50_TO_D65, d50)));
}

function oklabToRgb([lightness, a, b]: Triple): Triple {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return encode([
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]);
}

/** Lightness from 0 to 1, chroma from 0 (gray) to about 0.32, hue in degrees: how alike two colours look (OKLCH). */
export function toPerceived(color: Color): {
  lightness: number;
  a: number;
  b: number;
  chroma: number;
  hue: number;
} {
  const [red, green, blue] = decode([color.red / 255, color.green / 255, color.blue / 255]);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a,
    b,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

/** `#RRGGBB`, alpha left out. */
export function toHex(color: Color): string {
  const part = (value: number): string => Math.round(value).toString(16).padStart(2, "0");
  return `#${part(color.red)}${part(color.green)}${part(color.blue)}`.toUpperCase();
}

/** What is seen when `top` lies on an opaque `bottom`. */
export function composite(top: Color, bottom: Color): Color {
  const mix = (above: number, below: number): number => above * top.alpha + below * (1 - top.alpha);
  return {
    red: mix(top.red, bottom.red),
    green: mix(top.green, bottom.green),
    blue: mix(top.blue, bottom.blue),
    alpha: 1,
  };
}

/** Contrast ratio of two opaque colours, 1 to 21 (WCAG 2.2). */
export function contrastOf(first: Color, second: Color): number {
  const luminance = (color: Color): number => {
    const [red, green, blue] = decode([color.red / 255, color.green / 255, color.blue / 255]);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(first), luminance(second)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Distance of two colours in OKLab: 0.02 is a just noticeable difference, black to white is 1. */
export function distanceOf(first: Color, second: Color): number {
  const one = toPerceived(first);
  const two = toPerceived(second);
  return Math.hypot(one.lightness - two.lightness, one.a - two.a, one.b - two.b);
}
