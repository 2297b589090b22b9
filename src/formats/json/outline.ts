// Outline of a page without semantic markup: content under each heading, values beside labels,
// class names, and repeated rows.
import { isTag, isText, type Document, type Element } from "domhandler";
import { attributeOf, foldSpace, walk } from "../../html/parse/tree.ts";
import { blockText, isBreaking, isUnseen } from "./block-text.ts";

/** A short text that names the following one. */
export type Label = {
  readonly text: string;
  readonly element: Element;
  readonly value: Element | string;
};

/** A heading with the elements up to the next heading of the same or a higher level. */
export type Section = {
  readonly text: string;
  readonly element: Element;
  readonly blocks: readonly Element[];
};

export type Outline = {
  readonly labels: readonly Label[];
  readonly sections: readonly Section[];
  /** Elements by class name and id, as written. */
  readonly marks: ReadonlyMap<string, readonly Element[]>;
  readonly tables: readonly Element[];
  /** Parents with at least three similar children. */
  readonly repeaters: readonly Element[];
};

const MAX_LABELS = 3_000;
const MAX_MARKS = 20_000;
const MAX_PER_MARK = 300;
const MAX_BLOCKS = 400;
const LABEL_LENGTH = 60;

/** Page parts about the site rather than the page. */
const ASIDE: ReadonlySet<string> = new Set(["nav", "footer", "aside"]);
const ASIDE_MARK =
  /(?:^|[\s_-])(?:nav|navbar|menu|breadcrumbs?|footer|sidebar|comments?|related|newsletter|cookie|share|social|advert|promo|recommended|upsell|carousel-related)(?:$|[\s_-])/i;

export function isAside(element: Element): boolean {
  if (ASIDE.has(element.name)) return true;
  if (
    element.name === "body" ||
    element.name === "html" ||
    element.name === "main" ||
    element.name === "article"
  )
    return false;
  const mark = `${attributeOf(element, "class")} ${attributeOf(element, "id")} ${attributeOf(element, "role")}`;
  return mark.length > 2 && ASIDE_MARK.test(mark);
}

const HEADING = /^h[1-6]$/;

/** Reads the outline in one walk and bounds what it keeps. */
export function readOutline(document: Document): Outline {
  const labels: Label[] = [];
  const marks = new Map<string, Element[]>();
  const tables: Element[] = [];
  const repeaters: Element[] = [];
  const blocks: Element[] = [];
  let marked = 0;
  walk(document, (node) => {
    if (!isTag(node)) return "skip";
    if (isUnseen(node) || isAside(node) || node.name === "head") return "skip";
    for (const name of namesOn(node)) {
      const known = marks.get(name);
      if (known === undefined) marks.set(name, [node]);
      else if (known.length < MAX_PER_MARK) known.push(node);
      marked += 1;
    }
    if (labels.length < MAX_LABELS) readLabel(node, labels);
    if (node.name === "table") tables.push(node);
    if (isRepeater(node)) repeaters.push(node);
    if (blocks.length < 50_000 && (isBreaking(node.name) || HEADING.test(node.name)))
      blocks.push(node);
    return marked < MAX_MARKS ? "children" : "stop";
  });
  return { labels, sections: readSections(blocks), marks, tables, repeaters };
}

function namesOn({ attribs }: Element): string[] {
  const names = (attribs["class"] ?? "")
    .split(/\s+/)
    .concat(attribs["id"] ?? "", attribs["data-testid"] ?? "", attribs["data-test"] ?? "");
  return [...new Set(names)].filter((name) => name.length > 2 && name.length < 60);
}

/**
 * Reads a label: "Weight: 2 kg", a term with its description, a header cell with its cell, or a
 * short element before another.
 */
function readLabel(element: Element, labels: Label[]): void {
  const { name } = element;
  if (name === "dt" || name === "th") {
    const value = followingElement(element, name === "dt" ? "dd" : "td");
    if (value !== undefined) add(shortText(element), value);
    return;
  }
  if (name === "td") {
    const value = onlyOther(element);
    if (value !== undefined) add(shortText(element), value);
    return;
  }
  if (isBreaking(name) && hasOwnText(element)) {
    const text = foldSpace(blockText(element, 400));
    const colon = text.search(/[:：]/);
    if (colon > 1 && colon <= LABEL_LENGTH && colon < text.length - 1 && text.length < 300)
      labels.push({ text: text.slice(0, colon), element, value: text.slice(colon + 1).trim() });
  }
  const text = shortText(element);
  if (text === "" || text.length > 40) return;
  const next = nextElement(element);
  if (next !== undefined && !HEADING.test(next.name)) add(text, next);
  else {
    const rest = trailingText(element);
    if (rest !== "") labels.push({ text: bare(text), element, value: rest });
    // A label in its own wrapper: <div><span>Serves</span></div><div>4</div>.
    const { parent } = element;
    if (rest === "" && parent !== null && isTag(parent) && shortText(parent) === text) {
      const beside = nextElement(parent);
      if (beside !== undefined && !HEADING.test(beside.name)) add(text, beside);
    }
  }

  function add(label: string, value: Element): void {
    if (label !== "" && label.length <= LABEL_LENGTH)
      labels.push({ text: bare(label), element, value });
  }
}

const bare = (label: string): string => label.replace(/\s*[:：]\s*$/, "");

function hasOwnText(element: Element): boolean {
  return (
    element.children.some((child) => isText(child) && child.data.trim() !== "") ||
    element.name === "p" ||
    element.name === "li"
  );
}

function shortText(element: Element): string {
  const text = foldSpace(blockText(element, LABEL_LENGTH * 3).replaceAll("\n", " "));
  return text.length <= LABEL_LENGTH ? text : "";
}

function nextElement(element: Element): Element | undefined {
  for (let node = element.next; node !== null; node = node.next) {
    if (isTag(node)) return node.name === "br" ? undefined : node;
    if (isText(node) && /[^\s:：|·–-]/.test(node.data)) return undefined;
  }
  return undefined;
}

/** Returns the next element if the given one is the first of two. */
function onlyOther(element: Element): Element | undefined {
  for (let node = element.prev; node !== null; node = node.prev) if (isTag(node)) return undefined;
  const other = nextTag(element);
  return other !== undefined && nextTag(other) === undefined ? other : undefined;
}

function nextTag(element: Element): Element | undefined {
  for (let node = element.next; node !== null; node = node.next) if (isTag(node)) return node;
  return undefined;
}

function followingElement(element: Element, name: string): Element | undefined {
  for (let node = element.next; node !== null; node = node.next)
    if (isTag(node)) return node.name === name ? node : undefined;
  return undefined;
}

/** Returns the text right after an element, as in <b>Serves</b> 4. */
function trailingText(element: Element): string {
  const parts: string[] = [];
  for (let node = element.next; node !== null; node = node.next) {
    if (isTag(node) && (isBreaking(node.name) || parts.length > 0)) break;
    if (isText(node)) parts.push(node.data);
  }
  return foldSpace(parts.join(""))
    .replace(/^[:：\s-]+/, "")
    .slice(0, 300);
}

/** Returns the level of a heading, or of a block that contains only bold words. */
function headingLevel(element: Element): number {
  if (HEADING.test(element.name)) return Number(element.name[1]);
  if (element.name === "dt" || element.name === "summary" || element.name === "legend") return 5;
  if (
    /(?:^|[\s_-])(?:title|heading|headline|header|titulo|titel|subtitle)(?:$|[\s_-])/i.test(
      attributeOf(element, "class"),
    )
  ) {
    const text = shortText(element);
    return text === "" || element.name === "li" ? 0 : 5;
  }
  if (element.name !== "p" && element.name !== "div" && element.name !== "li") return 0;
  const inner = element.children.filter((child) => !isText(child) || child.data.trim() !== "");
  const [only] = inner;
  return inner.length === 1 &&
    only !== undefined &&
    isTag(only) &&
    /^(?:b|strong|u|em)$/.test(only.name)
    ? 6
    : 0;
}

function readSections(blocks: readonly Element[]): Section[] {
  const sections: (Section & { readonly level: number; readonly blocks: Element[] })[] = [];
  let open: typeof sections = [];
  for (const block of blocks) {
    const level = headingLevel(block);
    const text = level > 0 ? shortText(block) : "";
    if (text !== "") {
      open = open.filter((section) => section.level < level);
      const section = { text: bare(text), element: block, level, blocks: [] as Element[] };
      sections.push(section);
      open.push(section);
      if (sections.length > 500) break;
      continue;
    }
    for (const section of open) if (section.blocks.length < MAX_BLOCKS) section.blocks.push(block);
  }
  return sections;
}

function isRepeater(element: Element): boolean {
  if (/^(?:p|table|thead|tbody|tr|select|html|head)$/.test(element.name)) return false;
  let most = 0;
  const counts = new Map<string, number>();
  for (const child of element.children) {
    if (!isTag(child) || isUnseen(child)) continue;
    const looks = looksOf(child);
    const count = (counts.get(looks) ?? 0) + 1;
    counts.set(looks, count);
    most = Math.max(most, count);
  }
  return most >= 3;
}

/** Returns tag and first class, which rows of a list share. */
export const looksOf = ({ name, attribs }: Element): string =>
  `${name}.${(attribs["class"] ?? "").trim().split(/\s+/)[0] ?? ""}`;
