// Finds families, sizes, weights and line heights of the elements with text.
import type { Branding } from "../../contract/page/branding.ts";
import type { Look } from "./looks.ts";

const GENERIC =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+|math|emoji|-apple-system|blinkmacsystemfont|inherit|initial)$/i;
const ICONS = /icon|awesome|glyph|symbols|dashicons|emoji/i;

/** Returns the families of a `font-family` value, without quotes and build-tool suffixes. */
export function readStack(fontFamily: string): string[] {
  const names = fontFamily.match(/"[^"]*"|'[^']*'|[^,]+/g) ?? [];
  const clean = names
    .map((name) => cleanFamily(name.trim().replace(/^["']|["']$/g, "")))
    .filter(Boolean);
  return [...new Set(clean)];
}

/**
 * "__Inter_Fallback_a1b2c3" is Next.js's fallback for Inter; "Inter Variable" and "InterVariable"
 * are Inter.
 */
function cleanFamily(name: string): string {
  const built = /^__(.+?)(?:_Fallback)?_[\da-f]{6}$/.exec(name);
  const plain = (built?.[1] ?? name).replaceAll("_", " ");
  if (/ fallback$/i.test(plain) || /_Fallback_/.test(name)) return "";
  return plain.replace(/[\s-]?(?:Variable|VF)$/, "").trim();
}

/** Returns the first family of a stack. */
export const parseFirstFamily = (stack: readonly string[]): string | undefined =>
  stack.find((name) => !ICONS.test(name)) ?? stack[0];

type Measure = { stack: string[]; size: number; weight: number; lineHeight: number | undefined };

function measure({ style }: Look): Measure {
  const pixels = Number.parseFloat(style.lineHeight);
  return {
    stack: readStack(style.fontFamily),
    size: style.fontSize,
    weight: style.fontWeight,
    lineHeight:
      Number.isFinite(pixels) && style.fontSize > 0
        ? Math.round((pixels / style.fontSize) * 100) / 100
        : undefined,
  };
}

/** Returns the most common value weighted by text length; on a tie, the first one. */
export function findCommonest<Value>(
  looks: readonly Look[],
  read: (look: Look) => Value | undefined,
): Value | undefined {
  const counts = new Map<string, { value: Value; weight: number }>();
  for (const look of looks) {
    const value = read(look);
    if (value === undefined) continue;
    const key = JSON.stringify(value);
    const entry = counts.get(key) ?? { value, weight: 0 };
    entry.weight += Math.max(1, Math.min(600, look.element.textLength));
    counts.set(key, entry);
  }
  return [...counts.values()].toSorted((a, b) => b.weight - a.weight)[0]?.value;
}

export type Texts = {
  readonly all: readonly Look[];
  readonly body: readonly Look[];
  readonly headings: readonly Look[];
  readonly code: readonly Look[];
  readonly paragraphs: readonly Look[];
};

/**
 * Groups the looks with text by kind. Display text, such as hero lines without a heading tag, is
 * not body text.
 */
export function sortTexts(looks: readonly Look[]): Texts {
  const all = looks.filter(
    ({ element, style }) =>
      element.textLength > 0 && !ICONS.test(readStack(style.fontFamily)[0] ?? ""),
  );
  const body = all.filter(
    ({ part, element }) => (part === "other" || part === "link") && element.region === "page",
  );
  return {
    all,
    body: body.length > 0 ? body : all,
    headings: all.filter(({ part }) => part === "heading"),
    code: looks.filter(
      ({ part, style }) =>
        part === "code" && /mono|code|courier|consol|menlo/i.test(style.fontFamily),
    ),
    paragraphs: all.filter(({ element }) => element.tag === "p"),
  };
}

export function findTypography(texts: Texts): NonNullable<Branding["typography"]> {
  const findFontStack = (looks: readonly Look[]): string[] | undefined =>
    findCommonest(looks, (look) => measure(look).stack);
  const body = findFontStack(texts.body) ?? [];
  const heading = findFontStack(texts.headings) ?? body;
  const code = findFontStack(texts.code);
  const families: Record<string, string> = {};
  const stacks: Record<string, string[]> = {};
  const put = (role: string, stack: readonly string[] | undefined): void => {
    const family = parseFirstFamily(stack ?? []);
    if (family !== undefined) families[role] = family;
  };
  put("primary", body);
  put("heading", heading);
  put("code", code);
  for (const [role, stack] of [
    ["primary", body],
    ["heading", heading],
    ["body", body],
    ["paragraph", findFontStack(texts.paragraphs) ?? body],
    ["code", code],
  ] as const) {
    if (stack !== undefined && stack.length > 0) stacks[role] = [...stack];
  }
  return {
    fontFamilies: families,
    fontStacks: stacks,
    fontSizes: findSizes(texts),
    fontWeights: findWeights(texts),
    lineHeights: findLineHeights(texts),
  };
}

/** True for a control in the browser's default font. */
const isUnstyled = ({ part, style }: Look): boolean =>
  (part === "button" || part === "input") &&
  style.fontFamily === "Arial" &&
  Math.abs(style.fontSize - 40 / 3) < 0.01;

const formatPixels = (size: number): string => `${Math.round(size * 100) / 100}px`;

function findSizes(texts: Texts): Record<string, string> {
  const sizes: Record<string, string> = {};
  for (const tag of ["h1", "h2", "h3", "h4", "h5", "h6"]) {
    const size = findCommonest(
      texts.headings.filter(({ element }) => element.tag === tag),
      (look) => look.style.fontSize,
    );
    if (size !== undefined) sizes[tag] = formatPixels(size);
  }
  const body = findCommonest(texts.body, (look) => look.style.fontSize);
  if (body === undefined) return sizes;
  sizes["body"] = formatPixels(body);
  const small = findCommonest(
    texts.all
      .filter((look) => !isUnstyled(look))
      .filter(({ style }) => style.fontSize < body && style.fontSize >= 9),
    (look) => look.style.fontSize,
  );
  if (small !== undefined) sizes["small"] = formatPixels(small);
  return sizes;
}

/** Returns the weights in use under their CSS names. */
function findWeights(texts: Texts): Record<string, number> {
  const weights: Record<string, number> = {};
  const ranges = [
    ["light", 100, 399],
    ["regular", 400, 499],
    ["medium", 500, 599],
    ["bold", 600, 1000],
  ] as const;
  for (const [name, from, to] of ranges) {
    const weight = findCommonest(texts.all, ({ style }) =>
      style.fontWeight >= from && style.fontWeight <= to ? style.fontWeight : undefined,
    );
    if (weight !== undefined) weights[name] = weight;
  }
  return weights;
}

function findLineHeights(texts: Texts): Record<string, number> {
  const found: Record<string, number> = {};
  const heading = findCommonest(texts.headings, (look) => measure(look).lineHeight);
  const body = findCommonest(texts.body, (look) => measure(look).lineHeight);
  if (heading !== undefined) found["heading"] = heading;
  if (body !== undefined) found["body"] = body;
  return found;
}

/** Returns each family that shows text with its uses, the most used first. */
export function findFonts(texts: Texts): NonNullable<Branding["fonts"]> {
  const { fontFamilies = {} } = findTypography(texts);
  const roles: [string, string | undefined][] = [
    ["body", fontFamilies["primary"]],
    ["heading", fontFamilies["heading"]],
    ["monospace", fontFamilies["code"]],
  ];
  const fonts = new Map<string, string>();
  for (const [role, family] of roles) {
    if (family !== undefined && !fonts.has(family)) fonts.set(family, role);
  }
  for (const look of texts.all) {
    const family = parseFirstFamily(readStack(look.style.fontFamily));
    if (isUnstyled(look)) continue;
    if (family === undefined || fonts.has(family) || GENERIC.test(family) || fonts.size >= 8)
      continue;
    fonts.set(family, "display");
  }
  return [...fonts].map(([family, role]) => ({ family, role }));
}
