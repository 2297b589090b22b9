// Finds candidates on the page for the value of one property, best first.
import { isTag, type Element } from "domhandler";
import { foldSpace, pathOf } from "../../html/parse/tree.ts";
import { blockText, linesOf } from "./block-text.ts";
import {
  shorten,
  type Evidence,
  type Leaf,
  type SourceKind,
  type Thing,
  type Value,
} from "./finding.ts";
import { likeness, nameOf, withoutWords, type Name } from "./names.ts";
import type { Outline, Section } from "./outline.ts";

export type Candidate = {
  readonly values: readonly Value[];
  readonly score: number;
  readonly source: SourceKind;
};

/** Trust in each source. */
export const WEIGHTS: Readonly<Record<SourceKind, number>> = {
  "json-ld": 1,
  microdata: 0.98,
  rdfa: 0.95,
  metadata: 0.72,
  state: 0.8,
  table: 0.8,
  label: 0.8,
  section: 0.8,
  mark: 0.7,
  list: 0.7,
};

/** Maximum fields of a thing and its nested things to check per property. */
const MAX_FIELDS = 1_500;
/** Minimum similarity. */
const LEAST = 0.55;

/** Nested things that describe something else. */
const OTHERS = new Set(
  [
    "review",
    "reviews",
    "comment",
    "comments",
    "itemListElement",
    "isRelatedTo",
    "isSimilarTo",
    "breadcrumb",
    "potentialAction",
    "mainEntityOfPage",
    "isPartOf",
    "video",
    "hasVariant",
    "itemReviewed",
    "relatedLink",
    "recommendations",
    "related",
  ].map((name) => nameOf(name).key),
);
/** Properties that many things have; only read from the thing itself. */
const OWN = [
  "name",
  "description",
  "image",
  "url",
  "date",
  "published",
  "modified",
  "body",
  "keywords",
  "category",
  "language",
  "rating",
  "yields",
  "status",
];

const isOwn = ({ concepts }: Name): boolean =>
  OWN.some((concept) => concepts.has(concept)) && !concepts.has("price");

/** Returns fields of a thing, and of things nested in it, whose names match the property. */
export function inThing(property: Name, thing: Thing, typeWords: ReadonlySet<string>): Candidate[] {
  const found: Candidate[] = [];
  const wanted = withoutWords(property, typeWords);
  const weight = WEIGHTS[thing.source];
  let left = MAX_FIELDS;
  search(thing, [], 0);
  return found;

  function search(at: Thing, above: readonly Name[], depth: number): void {
    for (const [key, values] of at.fields) {
      left -= 1;
      if (left < 0) return;
      const field = withoutWords(nameOf(key), typeWords);
      let score = Math.max(likeness(wanted, field), likeness(property, nameOf(key)));
      if (depth > 0) {
        const inside = above.some((container) => joins(property, container, field));
        score = inside ? 0.95 : isOwn(wanted) || score < 0.9 ? 0 : score * 0.9 ** depth;
      }
      if (score >= LEAST) found.push({ values, score: score * weight, source: thing.source });
      if (depth === 3 || OTHERS.has(nameOf(key).key)) continue;
      for (const value of values.slice(0, 40)) {
        if (value.kind === "leaf") continue;
        const named = namedValue(value);
        if (named !== undefined) {
          const like = likeness(wanted, nameOf(named.name));
          if (like >= 0.9)
            found.push({ values: named.values, score: like * 0.95 * weight, source: thing.source });
        } else search(value, [...above, nameOf(key)], depth + 1);
      }
    }
  }
}

/** Reads a value that carries its own name (schema.org PropertyValue). */
function namedValue(
  thing: Thing,
): { readonly name: string; readonly values: readonly Value[] } | undefined {
  const name = thing.fields.get("name")?.[0];
  const values = thing.fields.get("value");
  return name?.kind === "leaf" && values !== undefined && thing.fields.size <= 5
    ? { name: String(name.value), values }
    : undefined;
}

/**
 * True if the name combines a thing and its field, such as "company_name" for
 * hiringOrganization.name.
 */
function joins(property: Name, container: Name, field: Name): boolean {
  for (let at = 1; at < property.words.length; at += 1) {
    const first = nameOf(property.words.slice(0, at).join(" "));
    const second = nameOf(property.words.slice(at).join(" "));
    const fits = (outer: Name, inner: Name): boolean =>
      likeness(outer, container) >= 0.9 && likeness(inner, field) >= 0.9;
    if (fits(first, second) || fits(second, first)) return true;
  }
  return false;
}

/** Returns texts under headings, beside labels and in elements with a matching name. */
export function inOutline(
  property: Name,
  outline: Outline,
  options: { readonly typeWords: ReadonlySet<string>; readonly wantsList: boolean },
): Candidate[] {
  const wanted = withoutWords(property, options.typeWords);
  const like = (text: string): number =>
    Math.max(
      likeness(property, nameOf(text)),
      likeness(wanted, withoutWords(nameOf(text), options.typeWords)),
    );
  const found: Candidate[] = [];
  for (const label of outline.labels) {
    const score = like(label.text);
    if (score < 0.9) continue;
    const values =
      typeof label.value === "string"
        ? [textLeaf(label.value, label.element, "label")]
        : valuesIn(label.value, options.wantsList, "label");
    found.push({ values, score: score * WEIGHTS.label, source: "label" });
  }
  if (options.wantsList || wanted.concepts.has("body") || wanted.concepts.has("description"))
    for (const section of outline.sections) {
      const score = headingLikeness(section.text, like);
      if (score > 0)
        found.push({
          values: sectionItems(section),
          score: score * WEIGHTS.section,
          source: "section",
        });
    }
  for (const [mark, elements] of outline.marks) {
    const name = markName(mark, options.typeWords);
    if (name === undefined) continue;
    const score = Math.max(likeness(wanted, name), likeness(property, name));
    if (score < 0.9) continue;
    const values = options.wantsList
      ? markedItems(elements)
      : valuesIn(elements[0] as Element, false, "mark");
    found.push({ values, score: score * WEIGHTS.mark, source: "mark" });
  }
  return found;
}

/** A heading may contain more words: "Ingredients for the cake", "For the sauce: method". */
function headingLikeness(text: string, like: (text: string) => number): number {
  const whole = like(text);
  if (whole >= 0.9) return whole;
  const { words } = nameOf(text);
  if (words.length > 8) return 0;
  for (const length of [3, 2, 1])
    if (
      words.length > length &&
      (like(words.slice(0, length).join(" ")) >= 0.9 || like(words.slice(-length).join(" ")) >= 0.9)
    )
      return 0.7;
  return 0;
}

const STRUCTURE = new Set([
  "list",
  "item",
  "wrapper",
  "wrap",
  "container",
  "content",
  "section",
  "block",
  "box",
  "text",
  "value",
  "inner",
  "main",
  "page",
  "detail",
  "info",
  "body",
  "the",
  "group",
  "row",
  "col",
  "area",
  "panel",
  "card",
  "field",
  "data",
  "js",
  "ul",
  "li",
  "div",
  "module",
  "component",
  "single",
  "post",
  "entry",
  "c",
  "m",
  "o",
  "u",
  "print",
  "field",
  "article",
]);
const NAMING = new Set([
  "label",
  "title",
  "heading",
  "header",
  "icon",
  "btn",
  "button",
  "link",
  "tab",
  "nav",
  "toggle",
  "img",
  "form",
  "input",
  "ad",
  "ads",
  "footer",
  "filter",
  "scaler",
  "adjust",
  "rating",
  "count",
  "step number",
  "checkbox",
  "number",
]);

/**
 * Returns the name in an element's class without structural words, or undefined if it names
 * something else.
 */
function markName(mark: string, typeWords: ReadonlySet<string>): Name | undefined {
  const { words } = nameOf(mark);
  if (words.length > 6 || words.some((word) => NAMING.has(word))) return undefined;
  const kept = words.filter(
    (word) => !STRUCTURE.has(word) && !typeWords.has(word) && word.length > 1,
  );
  return kept.length === 0 || kept.length > 3 ? undefined : nameOf(kept.join(" "));
}

/** Several elements with the name are the items; a single one contains them. */
function markedItems(elements: readonly Element[]): Leaf[] {
  const outer = elements.filter(
    (element) => !elements.some((other) => other !== element && isInside(element, other)),
  );
  const [only] = outer;
  if (outer.length === 1 && only !== undefined) return itemsIn(only, "mark");
  const texts = outer.map((element) => ({
    element,
    text: foldSpace(blockText(element, 4_000).replaceAll("\n", " ")),
  }));
  // Nested containers with the same name, one per group, hold the items.
  if (outer.some((element) => hasItems(element)))
    return outer.flatMap((element) => itemsIn(element, "mark"));
  return texts
    .filter(({ text }) => text !== "")
    .map(({ element, text }) => textLeaf(text, element, "mark"));
}

function isInside(element: Element, other: Element): boolean {
  for (let node = element.parent; node !== null && isTag(node); node = node.parent)
    if (node === other) return true;
  return false;
}

const elementsBelow = (root: Element, names: ReadonlySet<string>): Element[] => {
  const found: Element[] = [];
  const open: Element[] = root.children
    .filter((child): child is Element => isTag(child))
    .toReversed();
  for (let at = open.pop(); at !== undefined && found.length < 400; at = open.pop()) {
    if (names.has(at.name)) found.push(at);
    else for (const child of at.children.toReversed()) if (isTag(child)) open.push(child);
  }
  return found;
};

const LIST_ITEMS = new Set(["li"]);
const PARAGRAPHS = new Set(["p", "dd", "tr"]);
const hasItems = (element: Element): boolean => elementsBelow(element, LIST_ITEMS).length > 1;

/** Returns the items of an element: of its lists, else its paragraphs and rows, else its lines. */
function itemsIn(element: Element, source: SourceKind): Leaf[] {
  const items = elementsBelow(element, LIST_ITEMS);
  const parts = items.length > 0 ? items : elementsBelow(element, PARAGRAPHS);
  const whole = foldSpace(blockText(element).replaceAll("\n", " "));
  const leaves = parts.flatMap((part) => itemLeaf(part, source));
  const covered = leaves.reduce((length, { value }) => length + String(value).length, 0);
  if (leaves.length > 0 && covered * 2 > whole.length) return leaves;
  return linesOf(element).map((line) => textLeaf(line, element, source));
}

function itemLeaf(element: Element, source: SourceKind): Leaf[] {
  const text = foldSpace(blockText(element, 8_000).replaceAll("\n", " "));
  return text === "" ? [] : [textLeaf(text, element, source)];
}

/** Returns the items under a heading: those of the first list or the first run of paragraphs. */
function sectionItems({ blocks }: Section): Leaf[] {
  const items = blocks.filter(({ name }) => name === "li");
  const outermost = items.filter(
    (item) => !items.some((other) => other !== item && isInside(item, other)),
  );
  if (outermost.length > 0) return outermost.flatMap((item) => itemLeaf(item, "section"));
  const rows = blocks.filter(({ name }) => name === "tr");
  const paragraphs = blocks.filter(({ name }) => name === "p" || name === "dd");
  const parts = rows.length > paragraphs.length ? rows : paragraphs;
  if (parts.length > 0)
    return parts.flatMap((part) => linesOf(part).map((line) => textLeaf(line, part, "section")));
  const [first] = blocks;
  return first === undefined ? [] : linesOf(first).map((line) => textLeaf(line, first, "section"));
}

function valuesIn(element: Element, wantsList: boolean, source: SourceKind): Leaf[] {
  if (wantsList) return itemsIn(element, source);
  const written = element.attribs["content"] ?? element.attribs["datetime"] ?? "";
  const text =
    written === "" ? foldSpace(blockText(element, 4_000).replaceAll("\n", " ")) : written;
  const address = element.attribs["href"] ?? element.attribs["src"];
  const values = text === "" ? [] : [textLeaf(text, element, source)];
  return address === undefined ? values : [...values, textLeaf(address, element, source)];
}

export function textLeaf(text: string, element: Element, source: SourceKind): Leaf {
  const evidence: Evidence = { source, selector: pathOf(element), text: shorten(text) };
  return { kind: "leaf", value: text, evidence };
}
