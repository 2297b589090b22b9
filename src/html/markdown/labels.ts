// Small texts around headings and links: names for links without text, and links that are only
// anchors.
import { type ChildNode, type Element, isTag, isText } from "domhandler";
import { mayHaveUncommon } from "../parse/nodes.ts";
import { isAdmonition, isAdmonitionTitle } from "../clean/note-marks.ts";
import { computeImageKey } from "../images/image-key.ts";
import { readAttribute, findElement, foldSpace, isBlank, readText } from "../parse/tree.ts";

const PERMALINK_CLASS =
  /(?:^|\s)(?:headerlink|header-anchor|header-link|heading-anchor|heading-link|anchorjs-link|anchor-link|hash-link|permalink|octicon-link|direct-link|anchor|toc-anchor|deep-link|sl-anchor-link|mw-editsection|mw-cite-backlink|md-anchor|section-link|zola-anchor|docs-heading-link|self-?link|copiable-(?:anchor|link))(?:\s|$)/;
const PERMALINK_TEXT =
  /^(?:[¶#§*∞⚓🔗⌗]\ufe0f?|permalink|anchor|link|direct link(?: to .*)?|(?:permanent )?link to (?:this|the) .*|permalink to .*|section titled.*|section ?\d+|copy link.*|edit|\[edit\]|\[edit source\]|)$/iu;

const BACK_TO_TOP_TEXT = /^(?:(?:back )?to )?top$|^[↑⇧⬆▲]\ufe0f?$/i;

/** True if a link beside the words of a heading only leads to the top of the page. */
function isBackToTop({ prev, next }: Element, href: string, text: string): boolean {
  return (
    /^#(?:top\w*)?$/i.test(href) && BACK_TO_TOP_TEXT.test(text) && (prev !== null || next !== null)
  );
}

/** True if an element in or beside a heading only copies the heading's address. */
export function isPermalink(element: Element, inHeading: boolean): boolean {
  const classes = readAttribute(element, "class");
  if (element.name !== "a" && !classes.includes("mw-")) return false;
  const classed = classes !== "" && PERMALINK_CLASS.test(classes);
  if (classed && /(?:^|\s)(?:mw-editsection|mw-cite-backlink)(?:\s|$)/.test(classes)) return true;
  if (element.name !== "a" || (!classed && !inHeading)) return false;
  const href = readAttribute(element, "href");
  if (!href.includes("#") && href !== "") return false;
  if (
    element.children.some(
      (child) => isTag(child) && child.name === "img" && readAttribute(child, "alt") !== "",
    )
  )
    return false;
  const text = foldSpace(readText(element, 200));
  return (
    PERMALINK_TEXT.test(text) || (inHeading && isBackToTop(element, parseFragment(href), text))
  );
}

const parseFragment = (href: string): string => href.slice(Math.max(0, href.indexOf("#")));

const ADDRESS = /^(?:https?:\/)?\/\S*$/i;

/** Returns a name for a link without text: its label, its tooltip, or the title of its SVG. */
export function linkLabel(link: Element): string {
  for (const name of ["aria-label", "title"]) {
    const label = foldSpace(readAttribute(link, name));
    if (label !== "" && !ADDRESS.test(label)) return label;
  }
  const drawing = findElement(
    link,
    (element) => element.name === "title" || readAttribute(element, "aria-label") !== "",
  );
  if (drawing === undefined) return "";
  return foldSpace(readAttribute(drawing, "aria-label") || readText(drawing, 200));
}

/** True if a button only copies, shares or plays something beside the text. */
export function isToolButton(button: Element): boolean {
  const words = `${readAttribute(button, "class")} ${readAttribute(button, "aria-label")} ${readAttribute(button, "title")} ${readText(button, 40)}`;
  return /\b(?:copy|clipboard|copied)\b/i.test(words);
}

/** Longer repeated texts are not compared. */
const MAX_REPEAT_CHARACTERS = 300;
const SCREEN_READER_CLASS =
  /(?:^|[\s_-])(?:sr-(?:only|text)|screen-?reader(?:-\w+)?|visually-?hidden|(?:v-)?visible-sr|a-offscreen|u-hidden-visually)(?:$|[\s_-])/i;

/**
 * True if an element repeats the screen-reader text before it ("£10.37£10.37"), or abbreviates the
 * hidden text after it ("18", "18 gold badges").
 */
export function isRepeat(element: Element): boolean {
  if (!mayHaveUncommon(element) || element.attribs["aria-hidden"] !== "true") return false;
  const prev = findNeighbor(element.prev, "prev");
  const next = findNeighbor(element.next, "next");
  if (prev === undefined && next === undefined) return false;
  const shown = foldSpace(readText(element, MAX_REPEAT_CHARACTERS + 1));
  if (shown.length > MAX_REPEAT_CHARACTERS || !/[\p{L}\p{N}]/u.test(shown)) return false;
  if (prev !== undefined && shown === foldSpace(readText(prev, MAX_REPEAT_CHARACTERS + 1)))
    return true;
  if (next === undefined || !SCREEN_READER_CLASS.test(readAttribute(next, "class"))) return false;
  return stripSpace(readText(next, MAX_REPEAT_CHARACTERS)).includes(stripSpace(shown));
}

/**
 * Returns the adjacent element, ignoring whitespace, unless it is hidden from screen readers too.
 */
function findNeighbor(node: ChildNode | null, side: "prev" | "next"): Element | undefined {
  const there = node !== null && isText(node) && isBlank(node.data) ? node[side] : node;
  if (there === null || !isTag(there) || there.attribs["aria-hidden"] === "true") return undefined;
  return there;
}

const stripSpace = (text: string): string => text.replaceAll(/\s+/g, "");

const LIGATURE_FONT =
  /(?:^|\s)(?:material-(?:icons|symbols)[\w-]*|mat-icon|google-symbols)(?:\s|$)/;
const LIGATURE = /^\s*[a-z][a-z0-9]*(?:_[a-z0-9]+)*\s*$/;

/**
 * Returns the ligature name of a font icon, such as "arrow_drop_down", if it is the element's only
 * text, else "".
 */
function findLigature({ name, attribs, children }: Element): string {
  const classes = attribs["class"] ?? "";
  const isNamed = classes.includes("ma") || classes.includes("google");
  if (children.length !== 1 || (name !== "i" && !isNamed)) return "";
  const isDrawn =
    (isNamed && LIGATURE_FONT.test(classes)) ||
    (name === "i" &&
      attribs["aria-hidden"] === "true" &&
      (attribs["translate"] === "no" || /(?:^|\s)notranslate(?:\s|$)/.test(classes)));
  const [text] = children;
  if (!isDrawn || text === undefined || !isText(text)) return "";
  return LIGATURE.test(text.data) ? text.data.trim() : "";
}

/** True if a font draws an icon instead of the element's text. */
export const isLigature = (element: Element): boolean => findLigature(element) !== "";

/** True if a link only leads to the picture inside it, perhaps in a larger size. */
export function isOwnPicture(link: Element, target: string): boolean {
  const image = findOnlyImage(link);
  return (
    image !== undefined && computeImageKey(readAttribute(image, "src")) === computeImageKey(target)
  );
}

function findOnlyImage(link: Element): Element | undefined {
  let image: Element | undefined;
  for (const child of link.children) {
    if (isText(child) ? isBlank(child.data) : !isTag(child)) continue;
    if (image !== undefined || !isTag(child)) return undefined;
    image = child;
  }
  if (image === undefined || image.name === "img") return image;
  return image.name === "picture" || image.name === "span" ? findOnlyImage(image) : undefined;
}

/** True for a whole reference in <cite>, which is not set in italics as a title would be. */
export const isWholeReference = (cite: Element): boolean =>
  cite.name === "cite" &&
  (/(?:^|\s)citation(?:\s|$)/.test(readAttribute(cite, "class")) ||
    readText(cite, MAX_TITLE_CHARACTERS + 1).length > MAX_TITLE_CHARACTERS);

/** In characters. */
const MAX_TITLE_CHARACTERS = 120;

/** True if a heading only names the kind of its note, such as "Warning". */
export function isNoteTitle({ attribs, parent }: Element): boolean {
  const classes = attribs["class"];
  if (classes === undefined) return false;
  if (isAdmonitionTitle(classes)) return true;
  return (
    classes === "title" &&
    parent !== null &&
    isTag(parent) &&
    isAdmonition(readAttribute(parent, "class"))
  );
}

/** True if the quoted author starts a quotation and its text follows directly, as in forums. */
export function isQuoteAuthor({ prev, next, parent }: Element): boolean {
  if (parent === null || !isTag(parent) || (prev !== null && !(isText(prev) && isBlank(prev.data))))
    return false;
  const outer = parent.parent;
  const isInQuote =
    parent.name === "blockquote" ||
    (outer !== null && isTag(outer) && outer.name === "blockquote" && parent.prev === null);
  return isInQuote && next !== null && isText(next) && /^\S/.test(next.data);
}

/** True if an element contains only one link. */
export function isOnlyLink(element: Element): boolean {
  let links = 0;
  for (const child of element.children) {
    if (isText(child) && child.data.trim() !== "") return false;
    if (isTag(child)) {
      if (child.name !== "a" || ++links > 1) return false;
    }
  }
  return links === 1;
}

/** True if a quote only frames a listing. */
export function isCodeFrame(quote: Element): boolean {
  if (!/example|code|listing|highlight/i.test(readAttribute(quote, "class"))) return false;
  return quote.children.every((child) =>
    isTag(child) ? child.name === "pre" : !isText(child) || child.data.trim() === "",
  );
}

const LANGUAGE_TAG =
  /(?:^|\s)(?:language-name|code-lang|code-block-lang|code-language|highlight-lang)(?:\s|$)/;
const CODE_FRAME = /(?:^|\s)(?:language-\S+|code-?header|code-?block)(?:\s|$)/i;

/** True if an element beside a listing only states its language or line numbers. */
export function isBesideCode(element: Element, classes: string): boolean {
  if (classes.includes("lang")) {
    if (LANGUAGE_TAG.test(classes)) return true;
    if (element.name !== "span" || (classes !== "lang" && classes !== "language")) return false;
    const { parent } = element;
    return parent !== null && isTag(parent) && CODE_FRAME.test(readAttribute(parent, "class"));
  }
  return (
    element.name === "div" &&
    classes.includes("line-number") &&
    /^[\d\s]+$/.test(readText(element, 10_000))
  );
}

const YES =
  /(?:^|[\s_-])(?:check(?:mark|ed)?|done|tick|yes|true|included|available|fa-check\S*|icon-check\S*)(?:$|[\s_-])/i;
const NO =
  /(?:^|[\s_-])(?:x-?mark|cancel|clear|cross|times|close|no|false|not-included|unavailable|minus|fa-times|fa-xmark)(?:$|[\s_-])/i;

/** Returns a tick or a cross for a picture without description, by its file name, else "". */
export function findPictureSign(markdown: string): string {
  const file = /^!\[\]\(\S*?([^/\s]+)\.(?:png|svg|gif|webp)(?:[?#]\S*)?\)$/i.exec(markdown)?.[1];
  if (file === undefined) return "";
  const name = ` ${file.replace(/[_\d.-]+/g, " ")} `;
  if (/ (?:tick|check|checkmark|yes) /i.test(name)) return "✓";
  return / (?:cross|xmark|no) /i.test(name) ? "✗" : "";
}

/** Returns the text for an icon that fills a table cell: its label, or a tick or a cross. */
export function findIconText(cell: Element): string {
  const icon = findElement(cell, (element) => {
    if (element.name === "title") return true;
    const { attribs } = element;
    return ["aria-label", "title", "alt", "data-icon", "class"].some(
      (name) => (attribs[name] ?? "") !== "",
    );
  });
  if (icon === undefined) return "";
  const label = foldSpace(
    icon.name === "title"
      ? readText(icon, 100)
      : readAttribute(icon, "aria-label") ||
          readAttribute(icon, "title") ||
          readAttribute(icon, "alt"),
  );
  if (label !== "" && label.length < 60) return label;
  const marks = `${findLigature(icon)} ${readAttribute(icon, "data-icon")} ${readAttribute(icon, "class")}`;
  if (YES.test(marks)) return "✓";
  return NO.test(marks) ? "✗" : "";
}
