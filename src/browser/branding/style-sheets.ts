// Runs in an isolated world of the page: reads theme variables, relevant stylesheet rules and
// fonts. Every function is sent as text, so it may use only the others in this file.
import type { BrandingEvidence } from "../../branding-evidence.ts";
import type { PageDocument, PageElement, PageRule, PageWindow } from "./dom-surface.ts";

declare const document: PageDocument;
declare const window: PageWindow;
declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => { getContext(kind: "2d"): { fillStyle: string } | null };

type Declarations = [string, string][];
type FoundSheet = { rules: BrandingEvidence["rules"]; visits: number };

/**
 * Resolves values that only a browser can (mixes, relative and two-scheme colors). Other text
 * stays unchanged.
 */
function createResolver(): (text: string) => string {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  return (text) => {
    if (canvas === null || !/color-mix\(|light-dark\(|\(\s*from\s/.test(text)) return text;
    canvas.fillStyle = "#010203";
    canvas.fillStyle = text;
    return canvas.fillStyle === "#010203" ? text : canvas.fillStyle;
  };
}

/** Returns the root, the body and up to four wrappers around the whole page. */
function findWrappers(): PageElement[] {
  const found = [document.documentElement];
  let inner = document.body;
  while (inner !== null && found.length < 6) {
    found.push(inner);
    const height = inner.getBoundingClientRect().height;
    const next: PageElement | undefined = Array.from(inner.children).find(
      (child) => child.getBoundingClientRect().height >= height * 0.7 && height > 0,
    );
    inner = next ?? null;
  }
  return found;
}

export function readVariables(max: number): Declarations {
  const resolve = createResolver();
  const found = new Map<string, string>();
  for (const element of findWrappers()) {
    for (const [name, values] of element.computedStyleMap()) {
      if (!name.startsWith("--") || name.length > 120 || name.startsWith("--tw-")) continue;
      const text = Array.from(values, String).join(" ").trim();
      if (text === "" || text.length > 300) continue;
      if (found.size >= max && !found.has(name)) break;
      found.set(name, resolve(text).slice(0, 600));
    }
  }
  return [...found];
}

function readDeclarations(rule: PageRule, resolve: (text: string) => string): Declarations {
  const found: Declarations = [];
  const style = rule.style;
  if (style === undefined) return found;
  for (let index = 0; index < style.length && found.length < 40; index += 1) {
    const name = style[index] ?? "";
    const wanted =
      /^(?:--.*|(?:background-|border-(?:top-|bottom-)?|outline-)?color|background-image|fill|stroke|box-shadow|font-family)$/;
    if (!wanted.test(name) || name.length > 120) continue;
    const value = style.getPropertyValue(name).trim();
    if (value !== "" && value.length <= 300) found.push([name, resolve(value).slice(0, 600)]);
  }
  return found;
}

/** True for rules that describe roles, controls, states and plain tags. */
function isTellingSelector(selector: string): boolean {
  return /primary|secondary|accent|brand|success|positive|warn|caution|danger|error|destruct|negative|invalid|valid|critical|muted|link|btn|button|cta|badge|alert|input|form|field|select|focus|(?:^|[\s,>])(?:a|body|html|h[1-6]|code|pre)(?:$|[\s,:.])/i.test(
    selector,
  );
}

/**
 * Returns the rules of an imported sheet, a layer or a condition; undefined if a cross-origin sheet
 * is not readable (SecurityError).
 */
function readInner(rule: PageRule): ArrayLike<PageRule> | undefined {
  try {
    return rule.styleSheet?.cssRules ?? rule.cssRules;
  } catch {
    return undefined;
  }
}

function readRules(
  list: ArrayLike<PageRule>,
  found: FoundSheet,
  max: number,
  resolve: (text: string) => string,
  depth: number,
): void {
  for (let index = 0; index < list.length && found.visits < 40_000; index += 1) {
    const rule = list[index];
    found.visits += 1;
    if (rule === undefined || found.rules.length >= max) return;
    const media = rule.media?.mediaText ?? "";
    if (media !== "" && !window.matchMedia(media).matches) continue;
    const inner = readInner(rule);
    if (rule.selectorText !== undefined && isTellingSelector(rule.selectorText)) {
      const declarations = readDeclarations(rule, resolve);
      const selector = rule.selectorText.slice(0, 300);
      if (declarations.length > 0) found.rules.push({ selector, declarations });
    }
    if (inner !== undefined && inner.length > 0 && depth < 8) {
      readRules(inner, found, max, resolve, depth + 1);
    }
  }
}

/**
 * Reads stylesheets that scripts may access. Cross-origin ones are only visible through computed
 * styles and variables.
 */
export function readSheets(max: number): BrandingEvidence["rules"] {
  const found: FoundSheet = { rules: [], visits: 0 };
  const resolve = createResolver();
  const sheets = [...Array.from(document.styleSheets), ...Array.from(document.adoptedStyleSheets)];
  for (const sheet of sheets) {
    if (sheet.disabled) continue;
    if (sheet.media.mediaText !== "" && !window.matchMedia(sheet.media.mediaText).matches) continue;
    try {
      readRules(sheet.cssRules, found, max, resolve, 0);
    } catch {
      // A cross-origin stylesheet (SecurityError).
    }
  }
  return found.rules;
}

export function readFonts(max: number): BrandingEvidence["fontFaces"] {
  return Array.from(document.fonts)
    .slice(0, max)
    .map(({ family, weight, style, status }) => ({
      family: family.slice(0, 300),
      weight: weight.slice(0, 120),
      style: style.slice(0, 120),
      status: status.slice(0, 120),
    }));
}

/** Everything that the functions above call, as text for the page. */
export const SHEET_FUNCTIONS = [
  createResolver,
  findWrappers,
  readVariables,
  readDeclarations,
  isTellingSelector,
  readInner,
  readRules,
  readSheets,
  readFonts,
];
