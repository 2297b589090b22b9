// Resolves the evidence for each element: effective colors over what is behind it, and its role.
import type { BrandingEvidence, EvidenceElement, EvidenceStyle } from "../../branding-evidence.ts";
import { type Color, compositeOver, measureDistance, parseColor } from "./color.ts";

export type Part = "button" | "input" | "link" | "heading" | "code" | "other";

export type Look = {
  readonly element: EvidenceElement;
  readonly style: EvidenceStyle;
  readonly part: Part;
  /** Text color over its background. */
  readonly color: Color;
  /** The element's own background over what is behind it; undefined if it has none. */
  readonly fill: Color | undefined;
  /** Stops of an opaque gradient, whose middle color counts as fill. */
  readonly gradient: readonly Color[];
  readonly border: Color | undefined;
  /** Color behind the element. */
  readonly behind: Color;
  /** Color behind its text: the fill, or what is behind the element. */
  readonly surface: Color;
  /** Square pixels. */
  readonly area: number;
};

const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 };
const BLACK: Color = { red: 0, green: 0, blue: 0, alpha: 1 };
/** Chromium's canvas color for `color-scheme: dark`. */
const DARK_CANVAS: Color = { red: 18, green: 18, blue: 18, alpha: 1 };

/** Returns one look for each element of the evidence, in order. */
export function readLooks(evidence: BrandingEvidence): Look[] {
  const canvas = /^dark\b/.test(evidence.colorScheme) ? DARK_CANVAS : WHITE;
  const looks: Look[] = [];
  for (const element of evidence.elements) {
    const style = evidence.styles[element.style];
    if (style === undefined) break;
    const parent = looks[element.parent];
    looks.push(readLook(element, style, parent, parent?.surface ?? canvas));
  }
  return looks;
}

function readLook(
  element: EvidenceElement,
  style: EvidenceStyle,
  parent: Look | undefined,
  behind: Color,
): Look {
  const gradient = readGradient(style.backgroundImage);
  const painted = parseColor(style.background);
  const solid =
    painted !== undefined && painted.alpha > 0.02 ? compositeOver(painted, behind) : undefined;
  const blend = blendStops(gradient);
  const fill = solid ?? (blend === undefined ? undefined : compositeOver(blend, behind));
  const surface = fill ?? behind;
  const text = parseColor(style.color) ?? BLACK;
  const edge = style.borderWidth > 0 ? parseColor(style.borderColor) : undefined;
  const [, , width, height] = element.box;
  return {
    element,
    style,
    gradient,
    part: findPart(element, style, parent, fill, behind),
    color: compositeOver(text, surface),
    fill,
    border: edge !== undefined && edge.alpha > 0.02 ? compositeOver(edge, surface) : undefined,
    behind,
    surface,
    area: Math.max(0, width) * Math.max(0, height),
  };
}

/** Returns the stops of the first gradient in a computed `background-image`. */
export function readGradient(image: string): Color[] {
  if (!/^[a-z-]*gradient\(/.test(image)) return [];
  const stops = image.match(/(?:rgba?|oklch|oklab|lab|lch|color)\([^()]*\)/g) ?? [];
  return stops.flatMap((stop) => parseColor(stop) ?? []).filter(({ alpha }) => alpha > 0.5);
}

function blendStops(stops: readonly Color[]): Color | undefined {
  if (stops.length === 0) return undefined;
  const mean = (pick: (color: Color) => number): number =>
    stops.reduce((sum, stop) => sum + pick(stop), 0) / stops.length;
  return {
    red: mean(({ red }) => red),
    green: mean(({ green }) => green),
    blue: mean(({ blue }) => blue),
    alpha: 1,
  };
}

const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i;
const NOT_BUTTON_CLASS = /(?:btn|button)s?[-_]?(?:group|row|bar|list|wrap|container|toolbar)/i;
const INPUT_TYPES = /^(?:|text|email|search|password|tel|url|number|date|invalid)$/;

function findPart(
  element: EvidenceElement,
  style: EvidenceStyle,
  parent: Look | undefined,
  fill: Color | undefined,
  behind: Color,
): Part {
  const { tag, role, type, classes } = element;
  if (tag === "input") {
    if (/^(?:submit|button)$/.test(type)) return "button";
    return INPUT_TYPES.test(type) ? "input" : "other";
  }
  if (tag === "textarea" || tag === "select") return "input";
  if (/^h[1-6]$/.test(tag)) return "heading";
  if (/^(?:code|pre|kbd|samp)$/.test(tag)) return "code";
  if (parent?.part === "button") return "other";
  if (tag === "button" || role === "button") return "button";
  if (BUTTON_CLASS.test(classes) && !NOT_BUTTON_CLASS.test(classes)) return "button";
  if (tag !== "a") return "other";
  return looksPressable(element, style, fill, behind) ? "button" : "link";
}

/**
 * True for a link that looks like a button: a filled or framed box with padding around a short
 * text.
 */
function looksPressable(
  element: EvidenceElement,
  style: EvidenceStyle,
  fill: Color | undefined,
  behind: Color,
): boolean {
  const [, , width, height] = element.box;
  const [top, right] = style.padding;
  const roomy = top >= 4 && right >= 8 && height >= 24 && height <= 90 && width <= 420;
  const filled = fill !== undefined && measureDistance(fill, behind) > 0.05;
  return roomy && element.textLength < 60 && (filled || style.borderWidth >= 1);
}
