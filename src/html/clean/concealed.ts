// Separates text that a reader never sees from text that one click shows. Concealed text may be
// aimed at language models or search engines and is dropped. Answers, tabs and details that are
// only folded stay.
import { type Document, type Element, isTag, isText, type ParentNode } from "domhandler";
import { isForScreenReaders, getElementIndex } from "../evidence/element-index.ts";
import type { RemovedElement } from "./removal.ts";
import { toRemoval } from "../select/select.ts";
import {
  readAttribute,
  detachAll,
  foldSpace,
  hasAttribute,
  readText,
  walk,
} from "../parse/tree.ts";

const COLLAPSED =
  /accordion|collaps|tab-?pane|tab-?panel|tab-?content|tabs?__|faq|answer|toggle|expand|spoiler|details|disclosure|read-?more|show-?more|more-?text|dropdown-content|panel|reveal|hidden-content|mw-collapsible|carousel|slide|swiper/i;
const DISPLAY_NONE = /(?:^|;|\s)display\s*:\s*none/i;
const INVISIBLE = /(?:^|;|\s)visibility\s*:\s*(?:hidden|collapse)/i;
const OFFSCREEN =
  /(?:^|;|\s)(?:left|top|right|text-indent|margin-left|margin-top)\s*:\s*-\s*(?:\d{4,}|[2-9]\d{2})\s*(?:px|em|rem|vw|vh|%)/i;
const CLIPPED =
  /(?:^|;|\s)clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)|inset\(\s*(?:50|100)%)/i;
const NO_SIZE = /(?:^|;|\s)(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|$|!)/i;
const NO_OVERFLOW = /(?:^|;|\s)overflow(?:-[xy])?\s*:\s*(?:hidden|clip)/i;
/**
 * Zero, at most two points, or less than a fifth of the surrounding size. 1em and .9em are ordinary
 * text.
 */
const TINY =
  /(?:^|;|\s)font-size\s*:\s*(?:0*(?:\.0+)?(?:px|pt|r?em|%)?|(?:[01]?\.\d+|[012])(?:px|pt)|0?\.[01]\d*r?em|1?\d(?:\.\d+)?%)\s*(?:;|$|!)/i;
const TRANSPARENT_STYLE = /(?:^|;|\s)opacity\s*:\s*0(?:\.0+)?\s*(?:;|$|!)/i;
const ANIMATION_STYLE = /transform|transition|animation|will-change/i;
const TRANSPARENT = /(?:^|;|\s)color\s*:\s*(?:transparent|rgba\([^)]{0,80},\s*0(?:\.0+)?\s*\))/i;
const COLOR = /(?:^|;|\s)color\s*:\s*([^;!]+)/i;
const BACKGROUND = /(?:^|;|\s)background(?:-color)?\s*:\s*([^;!]+)/i;
const MATH = /(?:^|\s)(?:mwe-math|katex|MathJax|mjx|math)/;

/** Returns the rule by which an element conceals its text, or undefined if it does not. */
function findConcealment(element: Element): string | undefined {
  const style = readStyle(element);
  if (style !== "") {
    if (DISPLAY_NONE.test(style)) return "display:none";
    if (INVISIBLE.test(style)) return "visibility:hidden";
    if (OFFSCREEN.test(style) && /absolute|fixed|text-indent/i.test(style)) return "off-screen";
    if (CLIPPED.test(style)) return "clipped";
    if (NO_SIZE.test(style) && NO_OVERFLOW.test(style)) return "no-size";
    if (TINY.test(style) && hasOwnText(element)) return "tiny-text";
    if (TRANSPARENT_STYLE.test(style) && !ANIMATION_STYLE.test(style)) return "opacity:0";
    if (TRANSPARENT.test(style) && !/background-clip|text-fill/i.test(style)) return "transparent";
    const color = COLOR.exec(style)?.[1]?.trim().toLowerCase();
    if (color !== undefined && color === BACKGROUND.exec(style)?.[1]?.trim().toLowerCase())
      return "color-on-itself";
  }
  const { hidden } = element.attribs;
  if (hidden !== undefined && hidden !== "until-found") return "hidden";
  const classes = element.attribs["class"];
  if (classes !== undefined && isForScreenReaders(classes)) return "screen-reader";
  if (element.attribs["aria-hidden"] === "true" && isDecoration(element)) return "decoration";
  return undefined;
}

/**
 * Collapses whitespace, because the patterns above would otherwise retry a long run from every
 * position.
 */
function readStyle(element: Element): string {
  const { style = "" } = element.attribs;
  return style.length > 200 ? style.replaceAll(/\s+/g, " ") : style;
}

function hasOwnText(element: Element): boolean {
  return element.children.some((child) => isText(child) && child.data.trim() !== "");
}

/**
 * aria-hidden hides only from screen readers. An element with words is still visible to everybody
 * else.
 */
function isDecoration(element: Element): boolean {
  if (element.children.some((child) => isTag(child) && child.name === "img")) return false;
  return (
    !/[\p{L}\p{N}]/u.test(readText(element, 200)) && foldSpace(readText(element, 50)).length < 8
  );
}

type ConcealmentOptions = {
  readonly isStrict?: boolean | undefined;
  /** Keeps hidden parts of dialogs, such as a form that a button opens. */
  readonly keepsDialogs?: boolean | undefined;
};

/**
 * Drops concealed elements and reports each. Keeps folded interface text, formulas, the page itself
 * and text that is most of the page, because a page that hides nearly all of itself shows it by
 * script. With `isStrict` such text is dropped too if other text is left to read; `hidden` reports
 * which case applied.
 */
export function removeConcealed(
  root: Document,
  { isStrict = false, keepsDialogs = false }: ConcealmentOptions = {},
): { readonly removals: RemovedElement[]; readonly hidden: "none" | "dropped" | "kept" } {
  const { concealed, controlled } = findConcealed(root);
  let lengths: ReadonlyMap<ParentNode, number> | undefined;
  const leaving = new Map<Element, string>();
  const large = new Map<Element, string>();
  for (const [element, rule] of concealed) {
    if (
      isInside(element, leaving) ||
      isKept(element, rule, controlled) ||
      (keepsDialogs && FOLDING_RULES.has(rule) && isInDialog(element))
    ) {
      if (isStrict && WHOLE.has(element.name)) large.set(element, rule);
      continue;
    }
    if (rule !== "screen-reader") {
      lengths ??= measureTextLengths(root);
      if ((lengths.get(element) ?? 0) * 3 > (lengths.get(root) ?? 0)) {
        large.set(element, rule);
        continue;
      }
    }
    leaving.set(element, rule);
  }
  const isDropped = isStrict && large.size > 0 && hasOtherText(root, [...leaving, ...large]);
  if (isDropped) for (const [element, rule] of large) leaving.set(element, rule);
  const isSeen = !isStrict || large.size === 0;
  const removals: RemovedElement[] = [];
  for (const [element, rule] of leaving)
    if (foldSpace(readText(element, 200)) !== "")
      removals.push(toRemoval(element, "concealed", rule));
  detachAll(leaving.keys());
  return { removals, hidden: isSeen ? "none" : isDropped ? "dropped" : "kept" };
}

/** Elements that hold the whole page or its content. */
const WHOLE = new Set(["html", "body", "main"]);
/** A page with fewer characters than this has nothing to read. */
const MIN_TEXT = 80;

/** True if the page still has text to read without these elements. */
function hasOtherText(root: Document, concealed: readonly (readonly [Element, string])[]): boolean {
  const without = new Set(concealed.map(([element]) => element));
  let left = 0;
  walk(root, (node) => {
    if (isText(node)) left += node.data.trim().length;
    return isTag(node) && without.has(node) ? "skip" : "children";
  });
  return left >= MIN_TEXT;
}

type ConcealmentFindings = {
  /** In document order, outer elements before inner ones. */
  readonly concealed: (readonly [element: Element, rule: string])[];
  /** Ids that some control of the page opens. */
  readonly controlled: Set<string>;
};

function findConcealed(root: Document): ConcealmentFindings {
  const found: ConcealmentFindings = { concealed: [], controlled: new Set() };
  for (const element of getElementIndex(root).notable) {
    if (!isBelow(element, root)) continue;
    addControlled(element, found.controlled);
    const rule = findConcealment(element);
    if (rule !== undefined) found.concealed.push([element, rule]);
  }
  return found;
}

function isBelow(element: Element, root: ParentNode): boolean {
  let { parent } = element;
  while (parent !== null && parent !== root) ({ parent } = parent);
  return parent === root;
}

function isInside(element: Element, outer: ReadonlyMap<Element, string>): boolean {
  if (outer.size > 0)
    for (let node = element.parent; node !== null && isTag(node); node = node.parent)
      if (outer.has(node)) return true;
  return false;
}

/** Ways of hiding that scripts undo when a reader opens a part. */
const FOLDING_RULES = new Set([
  "display:none",
  "hidden",
  "visibility:hidden",
  "no-size",
  "opacity:0",
]);

function isInDialog(element: Element): boolean {
  let node: ParentNode | null = element;
  while (node !== null && isTag(node)) {
    if (node.name === "dialog" || /^(?:alert)?dialog$/.test(readAttribute(node, "role")))
      return true;
    node = node.parent;
  }
  return false;
}

function isKept(element: Element, rule: string, controlled: ReadonlySet<string>): boolean {
  const { name } = element;
  if (name === "body" || name === "html" || name === "main" || name === "math") return true;
  const classes = readAttribute(element, "class");
  if (MATH.test(classes)) return true;
  if (rule === "screen-reader") return isOnlyLabel(element);
  if (rule === "decoration") return false;
  if (!FOLDING_RULES.has(rule)) return false;
  const role = readAttribute(element, "role");
  if (role === "tabpanel" || role === "region") return true;
  const id = readAttribute(element, "id");
  if (id !== "" && controlled.has(id)) return true;
  if (hasAttribute(element, "aria-labelledby") || COLLAPSED.test(`${classes} ${id}`)) return true;
  if (followsQuestion(element)) return true;
  // Checks two levels of folding, which covers the nesting of common interface libraries.
  let outer: ParentNode | null = element.parent;
  for (let step = 0; step < 2 && outer !== null && isTag(outer); step++) {
    if (COLLAPSED.test(`${readAttribute(outer, "class")} ${readAttribute(outer, "id")}`))
      return true;
    if (outer.name === "details" || hasAttribute(outer, "aria-expanded")) return true;
    outer = outer.parent;
  }
  return false;
}

/** True for a hidden block right after a heading, a question or the button that opens it. */
function followsQuestion(element: Element): boolean {
  let { prev } = element;
  while (prev !== null && !isTag(prev)) prev = prev.prev;
  if (prev === null || !isTag(prev)) return false;
  return (
    /^(?:h[1-6]|dt|button|summary)$/.test(prev.name) ||
    hasAttribute(prev, "aria-expanded") ||
    readAttribute(prev, "role") === "button" ||
    /question|accordion|toggle|trigger/i.test(readAttribute(prev, "class"))
  );
}

/** Maximum characters of a screen-reader text that stands for the symbol of a table cell. */
const MAX_CELL_LABEL = 40;

/**
 * True if this screen-reader text is the only label of its link or heading, or the only text of a
 * cell: "Yes" beside a check mark.
 */
function isOnlyLabel(element: Element): boolean {
  for (
    let node: ParentNode | null = element.parent;
    node !== null && isTag(node);
    node = node.parent
  ) {
    const isCell = /^(?:t[dh]|dd)$/.test(node.name);
    if (isCell || node.name === "a" || /^h[1-6]$/.test(node.name)) {
      const own = foldSpace(readText(element, 300));
      if (isCell && own.length > MAX_CELL_LABEL) return false;
      return foldSpace(readText(node, 600)) === own && own !== "" && !/^skip/i.test(own);
    }
  }
  return false;
}

/** Counts the characters of text below each element in one walk. */
function measureTextLengths(root: ParentNode): ReadonlyMap<ParentNode, number> {
  const lengths = new Map<ParentNode, number>();
  const open: number[] = [0];
  walk(
    root,
    (node) => {
      if (isText(node)) open[open.length - 1] = (open.at(-1) ?? 0) + node.data.length;
      else if (isTag(node)) open.push(0);
      else return "skip";
      return "children";
    },
    (element) => {
      const own = open.pop() ?? 0;
      lengths.set(element, own);
      open[open.length - 1] = (open.at(-1) ?? 0) + own;
    },
  );
  lengths.set(root, open[0] ?? 0);
  return lengths;
}

function addControlled({ attribs }: Element, ids: Set<string>): void {
  const controls = attribs["aria-controls"];
  if (controls !== undefined) for (const id of controls.split(/\s+/)) if (id !== "") ids.add(id);
  addTarget(attribs["data-target"], ids);
  addTarget(attribs["data-bs-target"], ids);
  addTarget(attribs["data-toggle-target"], ids);
  if (
    attribs["data-toggle"] !== undefined ||
    attribs["role"] === "tab" ||
    attribs["aria-expanded"] !== undefined
  )
    addTarget(attribs["href"], ids);
}

function addTarget(target: string | undefined, ids: Set<string>): void {
  if (target?.startsWith("#") === true) ids.add(target.slice(1));
}
