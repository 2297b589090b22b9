// Finds the places of an example's value on a page: nodes, attributes, and data of the head and
// scripts.
import type { ProgramSource, ScalarType } from "../../contract/extractors/program.ts";
import { isHidden, hasOwnText, type PageNode } from "../../page-model/node.ts";
import { convert, foldBlanks, type Conversion, type Scalar } from "../convert.ts";
import { isInScope, type ExtractorPage, type Scope } from "../extractor-page.ts";

export type Occurrence = {
  /** Undefined for data. */
  readonly node: PageNode | undefined;
  readonly attribute?: string;
  readonly data?: NonNullable<ProgramSource["data"]>;
  /** All words at the place. */
  readonly text: string;
  /** The text is exactly the value. */
  readonly isExact: boolean;
};

const MAX_OCCURRENCES = 30;
const MAX_TEXT = 4_000;
const ATTRIBUTES: readonly string[] = [
  "href",
  "src",
  "content",
  "datetime",
  "value",
  "title",
  "alt",
  "aria-label",
  "srcset",
];

/**
 * A value of an example: as written on the page if the example gives it so, and converted to the
 * field's type.
 */
export type Target = {
  readonly value: Scalar;
  readonly literal?: string | undefined;
};

/** Places of a value, exact ones first, each kind in document order; at most 30 of a kind. */
export function findOccurrences(
  target: Target,
  conversion: Conversion,
  page: ExtractorPage,
  scope: Scope,
): Occurrence[] {
  const { type } = conversion;
  const exact: Occurrence[] = [];
  const parts: Occurrence[] = [];
  const add = (occurrence: Occurrence): void => {
    const occurrences = occurrence.isExact ? exact : parts;
    if (occurrences.length < MAX_OCCURRENCES) occurrences.push(occurrence);
  };
  const equals = (text: string): boolean =>
    isEqual(convert(text, conversion, page), target.value, page, type);
  addTexts(target, type, page, scope, equals, add);
  addAttributes(target, page, scope, equals, add);
  if (scope.root !== undefined) addHeadings(page, scope, equals, add);
  if (scope.root === undefined && scope.from === 0)
    for (const kind of ["json-ld", "meta"] as const)
      for (const [path, values] of page.data.entries(kind))
        for (const each of values.slice(0, 5)) {
          const text = String(each);
          if (equals(text)) add({ node: undefined, data: { kind, path }, text, isExact: true });
        }
  return [...exact, ...parts];
}

export function isEqual(
  found: Scalar | undefined,
  wanted: Scalar,
  page: ExtractorPage,
  type: ScalarType,
): boolean {
  if (found === undefined) return false;
  if (typeof found === "string" && typeof wanted === "string") {
    if (type === "url") return found === (page.resolve(wanted) ?? wanted);
    return foldBlanks(found) === foldBlanks(wanted);
  }
  return found === wanted;
}

type Add = (occurrence: Occurrence) => void;

/** Adds headings above a record, such as that of its group. */
function addHeadings(
  page: ExtractorPage,
  scope: Scope,
  equals: (text: string) => boolean,
  add: Add,
): void {
  for (const path of ["h1", "h2", "h3", "h4", "h5", "h6"]) {
    const node = page.headingAbove(path, scope);
    if (node === undefined) continue;
    const text = page.textOf(node);
    if (equals(text))
      add({ node: undefined, data: { kind: "heading", path }, text, isExact: true });
  }
}

function addTexts(
  { value, literal }: Target,
  type: ScalarType,
  page: ExtractorPage,
  scope: Scope,
  equals: (text: string) => boolean,
  add: Add,
): void {
  const { nodes } = page.model;
  if (type === "string" || literal !== undefined) {
    const needle = foldBlanks(literal ?? String(value));
    const seen = new Set<number>();
    for (const [from, to] of findText(page, needle, scope)) {
      const node = findInnermost(page, from, to, scope);
      if (node === undefined || seen.has(node.index)) continue;
      // Adjacent elements may have no blank between their words.
      const isWhole =
        (node.from === from || isBoundary(page.flat, from)) &&
        (node.to === to || isBoundary(page.flat, to));
      if (!isWhole) continue;
      seen.add(node.index);
      const text = foldBlanks(page.textOf(node));
      addWithOuter(page, node, text === needle || equals(text), scope, add);
    }
    return;
  }
  const written = typeof value === "number" ? String(Math.trunc(Math.abs(value))).slice(0, 1) : "";
  for (let index = scope.from; index < scope.to; index += 1) {
    const node = nodes[index] as PageNode;
    if (isHidden(node) || !hasOwnText(node) || !isInScope(node, scope)) continue;
    const text = page.textOf(node);
    if (text.length > 400 || !text.includes(written)) continue;
    if (equals(text)) addWithOuter(page, node, true, scope, add);
    else if (holdsTyped(text, value, type, page)) addWithOuter(page, node, false, scope, add);
  }
}

/** True if the text has a number or date of that value among other words. */
function holdsTyped(text: string, value: Scalar, type: ScalarType, page: ExtractorPage): boolean {
  if (type === "url") return false;
  if (type === "date")
    return page.model.read(text).some(({ unit, type: kind }) => kind === "date" && unit === value);
  if (page.model.read(text).some(({ amount }) => amount === value)) return true;
  return [...text.matchAll(/[-−+]?\d[\d.,'’]*/gu)].some(
    ([written]) => convert(written.replace(/[.,]$/, ""), { type }, page) === value,
  );
}

/** Elements that hold only this node's text are the same place. */
function addWithOuter(
  page: ExtractorPage,
  node: PageNode,
  isExact: boolean,
  scope: Scope,
  add: Add,
): void {
  let at: PageNode | undefined = node;
  for (let left = 4; left > 0 && at !== undefined && isInScope(at, scope); left -= 1) {
    if (at.from !== node.from || at.to !== node.to) break;
    add({ node: at, text: page.textOf(at).slice(0, MAX_TEXT), isExact });
    at = page.model.parent(at);
  }
}

/** Places of a text in the visible text of a scope. */
function* findText(
  page: ExtractorPage,
  needle: string,
  scope: Scope,
): Generator<readonly [from: number, to: number]> {
  if (needle === "") return;
  const { flat } = page;
  const [start, end] = findTextRange(page, scope);
  let left = 200;
  for (
    let at = flat.indexOf(needle, start);
    at !== -1 && left > 0;
    at = flat.indexOf(needle, at + 1)
  ) {
    left -= 1;
    const to = at + needle.length;
    if (to > end) return;
    yield [at, to];
  }
}

const WORD = /[\p{L}\p{N}]/u;
const isBoundary = (text: string, at: number): boolean =>
  at === 0 || at === text.length || !WORD.test(text[at - 1] ?? "") || !WORD.test(text[at] ?? "");

function findTextRange(page: ExtractorPage, scope: Scope): readonly [from: number, to: number] {
  const { nodes } = page.model;
  if (scope.root !== undefined) return [scope.root.from, scope.root.to];
  return [nodes[scope.from]?.from ?? 0, nodes[scope.to]?.from ?? page.flat.length];
}

/** The smallest node around a range of the visible text. */
function findInnermost(
  page: ExtractorPage,
  from: number,
  to: number,
  scope: Scope,
): PageNode | undefined {
  const { nodes } = page.model;
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.from ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  let node = nodes[low - 1];
  while (node !== undefined && node.to < to) node = page.model.parent(node);
  return node !== undefined && isInScope(node, scope) ? node : undefined;
}

function addAttributes(
  { value, literal }: Target,
  page: ExtractorPage,
  scope: Scope,
  equals: (text: string) => boolean,
  add: Add,
): void {
  const needle = literal ?? String(value);
  for (let index = scope.from; index < scope.to; index += 1) {
    const node = page.model.nodes[index] as PageNode;
    if (!isInScope(node, scope)) continue;
    for (const [attribute, written] of Object.entries(node.element.attribs)) {
      if (written === "" || written.length > MAX_TEXT) continue;
      if (!ATTRIBUTES.includes(attribute) && !attribute.startsWith("data-")) continue;
      const text = foldBlanks(written);
      if (equals(text)) add({ node, attribute, text, isExact: true });
      else if (needle.length >= 4 && text.includes(needle))
        add({ node, attribute, text, isExact: false });
    }
  }
}
