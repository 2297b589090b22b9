// Determines which text of a page is visible. The functions run in an isolated world of the page.
import type {
  Rectangle,
  SeenDocument,
  SeenElement,
  SeenNode,
  SeenStyle,
  SeenText,
} from "./visibility-surface.ts";

declare const document: SeenDocument;
declare const innerWidth: number;
declare const innerHeight: number;
declare const scrollX: number;
declare const scrollY: number;
declare const getComputedStyle: (element: SeenElement) => SeenStyle;

/** Inherited visibility of an element's content. */
export type Surroundings = {
  /** Product of its own opacity and that of all ancestors. */
  readonly opacity: number;
  readonly isClipped: boolean;
  /** Area in which the element itself is visible or can be scrolled to. */
  readonly own: Rectangle;
  /** Same for its content, and for absolutely positioned content. */
  readonly flow: Rectangle;
  readonly absolute: Rectangle;
  /** Background color of its text; undefined if unknown. */
  readonly ground: readonly number[] | undefined;
};

export type VisibilityCache = { readonly known: Map<SeenElement, Surroundings> };

/** Parses red, green, blue and alpha; undefined for other color spaces. */
export function toColor(text: string): number[] | undefined {
  const [, inside] = /^rgba?\(([^)]*)\)$/.exec(text) ?? [];
  const [red = 0, green = 0, blue = 0, alpha = 1] = (inside ?? "").split(/[\s,/]+/).map(Number);
  return inside === undefined ? undefined : [red, green, blue, alpha];
}

export function intersect(one: Rectangle, other: Rectangle): Rectangle {
  return {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/** True if the area is too small to read. */
export function isSliver({ left, top, right, bottom }: Rectangle): boolean {
  return right - left < 1.5 || bottom - top < 1.5;
}

export function findParent(node: SeenText): SeenElement | undefined {
  return node.assignedSlot ?? node.parentElement ?? node.getRootNode().host;
}

/** The scrollable area of the page, in window coordinates. */
export function describeWholePage(): Surroundings {
  const root = document.documentElement;
  const style = root === null ? undefined : getComputedStyle(root);
  const body = document.body === null ? undefined : getComputedStyle(document.body);
  const isStuck = [style, body].some((one) => /hidden|clip/.test(one?.overflowX ?? ""));
  const aside = isStuck ? 0 : 3 * innerWidth;
  const isReversed = style?.direction === "rtl" || body?.direction === "rtl";
  const page = {
    left: -scrollX - (isReversed ? aside : 0),
    top: -scrollY,
    right: innerWidth - scrollX + (isReversed ? 0 : aside),
    bottom: Infinity,
  };
  const ground = [255, 255, 255];
  return { opacity: 1, isClipped: false, own: page, flow: page, absolute: page, ground };
}

export function computeSurroundings(element: SeenElement, cache: VisibilityCache): Surroundings {
  const known = cache.known.get(element);
  if (known !== undefined) return known;
  const parent = findParent(element);
  const around = parent === undefined ? describeWholePage() : computeSurroundings(parent, cache);
  const style = getComputedStyle(element);
  const { position } = style;
  const viewport = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const own =
    position === "fixed" ? viewport : position === "absolute" ? around.absolute : around.flow;
  const flow = computeClip(element, style, own);
  const isPlaced = position !== "static" || style.transform !== "none" || style.filter !== "none";
  const faint = /opacity\(([\d.]+)\)/.exec(style.filter)?.[1] ?? "1";
  const surroundings = {
    opacity: around.opacity * Number(style.opacity) * Number(faint),
    isClipped: around.isClipped || isClippedAway(element, style),
    own,
    flow,
    absolute: isPlaced ? flow : around.absolute,
    ground: computeGround(style, around.ground),
  };
  cache.known.set(element, surroundings);
  return surroundings;
}

/**
 * Returns the visible area of an element's content: clipped to its box, or unbounded after its
 * start if it scrolls.
 */
export function computeClip(element: SeenElement, style: SeenStyle, own: Rectangle): Rectangle {
  const { display, overflowX, overflowY } = style;
  const isRoot = element === document.documentElement || element === document.body;
  if (isRoot || display === "inline" || display === "contents") return own;
  if (overflowX === "visible" && overflowY === "visible") return own;
  const box = element.getBoundingClientRect();
  const shown = intersect(own, box);
  const { scrollLeft, scrollTop } = element;
  const isCut = (overflow: string): boolean => overflow === "hidden" || overflow === "clip";
  if (isSliver(shown)) return shown;
  const across = isCut(overflowX)
    ? { left: shown.left, right: shown.right }
    : overflowX === "visible"
      ? { left: own.left, right: own.right }
      : { left: scrollLeft < 0 ? -Infinity : box.left - scrollLeft, right: Infinity };
  const down = isCut(overflowY)
    ? { top: shown.top, bottom: shown.bottom }
    : overflowY === "visible"
      ? { top: own.top, bottom: own.bottom }
      : { top: scrollTop < 0 ? -Infinity : box.top - scrollTop, bottom: Infinity };
  return { ...across, ...down };
}

/** True if hidden by `clip` (of absolutely positioned elements) or `clip-path`. */
export function isClippedAway(element: SeenElement, style: SeenStyle): boolean {
  const { clip, clipPath, position } = style;
  const [, edges] = /^rect\(([^)]*)\)/.exec(clip) ?? [];
  if (edges !== undefined && (position === "absolute" || position === "fixed")) {
    const box = element.getBoundingClientRect();
    const [top = 0, right = Infinity, bottom = Infinity, left = 0] = edges
      .split(/[\s,]+/)
      .map((edge) => (edge === "auto" ? undefined : Number.parseFloat(edge)));
    const width = Math.min(right, box.right - box.left) - Math.max(left, 0);
    if (width < 2 || Math.min(bottom, box.bottom - box.top) - Math.max(top, 0) < 2) return true;
  }
  if (/^(?:circle|ellipse)\(\s*0(?:px|%)?(?=[\s)])/.test(clipPath)) return true;
  if (
    /^polygon\((?:\s*(?:\w+,)?\s*(-?[\d.]+(?:px|%)? -?[\d.]+(?:px|%)?)(?:,\s*\1)*)\)$/.test(
      clipPath,
    )
  )
    return true;
  const [, inset] = /^inset\(([^)]*)\)/.exec(clipPath) ?? [];
  if (inset === undefined) return false;
  const box = element.getBoundingClientRect();
  const sides = inset.split(/\s+round\s/)[0]?.split(/\s+/) ?? [];
  const [top = "0", right = top, bottom = top, left = right] = sides;
  const part = (edge: string, size: number): number =>
    edge.endsWith("%") ? (Number.parseFloat(edge) / 100) * size : Number.parseFloat(edge);
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  return (
    part(left, width) + part(right, width) > width - 2 ||
    part(top, height) + part(bottom, height) > height - 2
  );
}

export function computeGround(
  { backgroundColor, backgroundImage }: SeenStyle,
  around: readonly number[] | undefined,
): readonly number[] | undefined {
  if (backgroundImage !== "none") return undefined;
  const color = toColor(backgroundColor);
  const alpha = color?.[3];
  if (alpha === undefined || (alpha > 0.05 && alpha < 0.95)) return undefined;
  return alpha >= 0.95 ? color : around;
}

/**
 * True if the text has the color of its background and no picture or other element is under it.
 */
export function isColorless(
  element: SeenElement,
  style: SeenStyle,
  box: Rectangle,
  { ground }: Surroundings,
): boolean {
  const letters = toColor(style.webkitTextFillColor);
  if (letters === undefined || style.textShadow !== "none") return false;
  for (let at: SeenElement | undefined = element, up = 0; at !== undefined && up < 6; up++) {
    if (getComputedStyle(at).backgroundClip.includes("text")) return false;
    at = findParent(at);
  }
  if ((letters[3] ?? 1) < 0.1) return true;
  if (ground === undefined) return false;
  if ([0, 1, 2].some((at) => Math.abs((letters[at] ?? 0) - (ground[at] ?? 0)) > 12)) return false;
  let looked = 0;
  for (const other of document.querySelectorAll("body *")) {
    if ((looked += 1) > 5_000) break;
    if (other.contains(element) || isSliver(intersect(box, other.getBoundingClientRect())))
      continue;
    const paint = getComputedStyle(other);
    const isPicture = /^(?:img|video|canvas|svg|picture|object|embed|iframe)$/.test(
      other.localName,
    );
    if (isPicture || paint.backgroundImage !== "none") return false;
    if ((toColor(paint.backgroundColor)?.[3] ?? 1) > 0.05) return false;
  }
  return true;
}

/** True for rendered but invisible text. */
export function isTextConcealed(
  node: SeenNode,
  element: SeenElement,
  cache: VisibilityCache,
): boolean {
  const around = computeSurroundings(element, cache);
  if (around.opacity < 0.1 || around.isClipped) return true;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  const style = getComputedStyle(element);
  if (isSliver(box) || box.bottom - box.top < 4 || Number.parseFloat(style.fontSize) < 4)
    return true;
  if (isSliver(intersect(box, around.flow))) return true;
  return isColorless(element, style, box, around);
}

/** True for an invisible element, even if it has an accessible name. */
export function isElementConcealed(element: SeenElement, cache: VisibilityCache): boolean {
  const { opacity, isClipped, own } = computeSurroundings(element, cache);
  if (opacity < 0.1 || isClipped) return true;
  const box = element.getBoundingClientRect();
  const isLeaf = element.children.length === 0;
  if (isSliver(box)) return isLeaf && (element.textContent ?? "").trim() === "";
  return isSliver(intersect(box, own));
}

/** All functions as one text to run in a page. */
export const VISIBILITY_FUNCTIONS = [
  toColor,
  intersect,
  isSliver,
  findParent,
  describeWholePage,
  computeSurroundings,
  computeClip,
  isClippedAway,
  computeGround,
  isColorless,
  isTextConcealed,
  isElementConcealed,
]
  .map((part) => part.toString())
  .join("\n");
