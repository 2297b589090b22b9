// Saves content that the fixed removals would delete: formulas in scripts, images in noscript,
// frames. Also normalizes listings and tab panels. Runs first, on the whole page.
import { type ChildNode, type Document, type Element, isTag } from "domhandler";
import { findImageSource, isPlaceholder } from "../images/image-source.ts";
import { replaceFramesets } from "./framesets.ts";
import { isListing, toListing } from "./code-listings.ts";
import { createElement, createText, rename } from "../parse/nodes.ts";
import { clearElementIndex, getElementIndex } from "../evidence/element-index.ts";
import { expandNoscript } from "./noscript-text.ts";
import { isTabRow, namePanels } from "./tabs.ts";
import { isTrackingPixel } from "../images/tracking-pixel.ts";
import {
  readAttribute,
  detachAll,
  findElement,
  foldSpace,
  hasAttribute,
  replaceNode,
  setChildren,
  readText,
} from "../parse/tree.ts";

/** Result of preparing the page. */
type PrepareResult = {
  /** Pages that a frameset shows in its frames; 0 for an ordinary page. */
  readonly frames: number;
};

/** Rewrites formula scripts, noscript images and frames so that selection finds them. */
export function prepareDocument(document: Document): PrepareResult {
  const found = findUnprepared(document);
  if (found.noscripts.length > 0) expandNoscript(document, found.noscripts);
  for (const frame of found.frames) inlineFrame(frame);
  for (const script of found.formulas) restoreFormula(script);
  for (const listing of found.listings) toListing(listing);
  for (const select of found.selects) listChoices(select);
  namePanels(found.tabRows);
  const frames = replaceFramesets(document, found.framesets, found.noframes);
  let isChanged = found.framesets.length > 0;
  for (const noscript of found.noscripts)
    if (noscript.name !== "noscript" || restoreImage(noscript)) isChanged = true;
  if (isChanged) clearElementIndex(document);
  return { frames };
}

type PrepareTargets = Readonly<
  Record<
    | "noscripts"
    | "frames"
    | "framesets"
    | "noframes"
    | "formulas"
    | "listings"
    | "tabRows"
    | "selects",
    Element[]
  >
>;

/** Finds every element to prepare. Most pages have hardly any. */
function findUnprepared(document: Document): PrepareTargets {
  const found: PrepareTargets = {
    noscripts: [],
    frames: [],
    framesets: [],
    noframes: [],
    formulas: [],
    listings: [],
    tabRows: [],
    selects: [],
  };
  const { unprepared, notable } = getElementIndex(document);
  for (const element of unprepared) {
    const { name } = element;
    if (name === "noscript") found.noscripts.push(element);
    else if (name === "iframe") found.frames.push(element);
    else if (name === "frameset") found.framesets.push(element);
    else if (name === "noframes") found.noframes.push(element);
    else if (name === "select") found.selects.push(element);
    else if (/^math\/tex/i.test(readAttribute(element, "type"))) found.formulas.push(element);
  }
  for (const element of notable) {
    const { role, class: classes = "" } = element.attribs;
    if (role === "tablist" || isTabRow(classes)) found.tabRows.push(element);
    else if (isListing(classes)) found.listings.push(element);
  }
  return found;
}

/** Attribute of the element behind a frame in which the browser writes the frame's content. */
const FRAME_CONTENT = "data-frame";

function inlineFrame(frame: Element): void {
  rename(frame, "div");
  frame.attribs = { "data-original-tag": "iframe", ...frame.attribs };
  // The children are a fallback for browsers without frames.
  detachAll(frame.children);
  const { next } = frame;
  if (next === null || !isTag(next) || !hasAttribute(next, FRAME_CONTENT)) return;
  const content = [...next.children];
  detachAll([next]);
  setChildren(frame, content);
}

/** Maximum options of a list of prices. */
const MAX_OPTIONS = 40;
const PRICE = /\p{Sc}\s?\d|\d\s?(?:\p{Sc}|(?:kr|zł|Kč|Ft|lei|CHF|USD|EUR|GBP)(?!\p{L}))/u;

/** Maximum options and characters of a product choice and its forms. */
const MAX_CHOICES = 12;
const MAX_CHOICE_CHARACTERS = 40;
const ORDERING = /cart|basket|bag|checkout|order|warenkorb|panier|carrito|carrello|sepet|kosz/i;
const MAX_FORM_LEVELS = 8;

/** True for a choice of the ordered variant, such as a size; not for a quantity. */
function isOrdered(select: Element, options: readonly Element[]): boolean {
  if (options.length > MAX_CHOICES) return false;
  const texts = options.map((option) => foldSpace(readText(option, MAX_CHOICE_CHARACTERS + 1)));
  if (texts.some((text) => text.length > MAX_CHOICE_CHARACTERS)) return false;
  if (texts.every((text) => /^\d{0,3}$/.test(text))) return false;
  let node = select.parent;
  for (let level = 0; level < MAX_FORM_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "form") return ORDERING.test(readAttribute(node, "action"));
    node = node.parent;
  }
  return false;
}

/** Converts a choice to a list if only its options state something: prices, or variants. */
function listChoices(select: Element): void {
  const options = select.children.filter(
    (child): child is Element => isTag(child) && child.name === "option",
  );
  if (options.length < 2 || options.length > MAX_OPTIONS) return;
  const priced = options.filter((option) => PRICE.test(readText(option, 200)));
  if (priced.length * 2 < options.length && !isOrdered(select, options)) return;
  rename(select, "ul");
  select.attribs = {};
  for (const option of options) {
    rename(option, "li");
    option.attribs = {};
  }
}

/**
 * Turns `<script type="math/tex">` into a span or div that TeX renderers understand, and drops
 * rendered copies.
 */
function restoreFormula(script: Element): void {
  const tex = readText(script).trim();
  if (tex === "") return;
  const display = /mode\s*=\s*display/i.test(readAttribute(script, "type"));
  const drawn: ChildNode[] = [];
  for (let node = script.prev; node !== null; node = node.prev) {
    if (!isTag(node)) {
      if ("data" in node && node.data.trim() === "") continue;
      break;
    }
    if (!/(?:^|\s)MathJax/.test(readAttribute(node, "class"))) break;
    drawn.push(node);
  }
  detachAll(drawn);
  const text = createText(display ? `\\[${tex}\\]` : `\\(${tex}\\)`);
  const element = createElement(display ? "div" : "span", { class: "math" }, [text]);
  text.parent = element;
  replaceNode(script, element);
}

/**
 * Replaces the empty image before a noscript, or the noscript itself, with the image inside it.
 * Returns false if nothing changes.
 */
function restoreImage(noscript: Element): boolean {
  const image = findElement(noscript, (element) => element.name === "img");
  if (image === undefined || noscript.parent === null) return false;
  if (readAttribute(image, "src") === "" || isTrackingPixel(image)) return false;
  // A head cannot hold images; this one is a tracking pixel.
  if (isTag(noscript.parent) && noscript.parent.name === "head") return false;
  const shown = findPreviousImage(noscript);
  if (shown !== undefined) {
    const source = findImageSource(shown);
    if (source !== "" && !isPlaceholder(source)) return false;
    shown.attribs = { ...shown.attribs, ...image.attribs };
    return true;
  }
  replaceNode(noscript, image);
  return true;
}

function findPreviousImage(noscript: Element): Element | undefined {
  for (let node = noscript.prev; node !== null; node = node.prev) {
    if (!isTag(node)) {
      if ("data" in node && node.data.trim() === "") continue;
      return undefined;
    }
    return node.name === "img" ? node : findElement(node, (element) => element.name === "img");
  }
  return undefined;
}
