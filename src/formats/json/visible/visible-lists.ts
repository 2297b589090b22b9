// Finds visible lists of texts for one property: the items below a heading or beside a label that
// names it.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { Leaf } from "../declared/finding.ts";
import { scoreSimilarity, parseName, withoutWords, type Name } from "../names/names.ts";
import { selectOutermost, type VisibleScope } from "./visible-scope.ts";
import { readCategories } from "./breadcrumbs.ts";
import { listCitedAuthors } from "./citations.ts";
import { listChoiceGroups } from "./choice-groups.ts";
import { listByClass } from "./class-labels.ts";
import { PROPERTIES } from "./label-lists.ts";
import { toVisibleLeaf } from "./visible-value.ts";

const MAX_ITEMS = 1_000;

export function findVisibleList(
  property: Name,
  scope: VisibleScope,
  typeWords: ReadonlySet<string>,
  description: Name,
): readonly Leaf[] {
  const cited = listCitedAuthors(property, scope);
  if (cited.length > 0) return cited;
  const wanted = withoutWords(property, typeWords);
  const describing = new Set(description.words);
  const means = (text: string): boolean => {
    const name = parseName(text);
    return (
      scoreSimilarity(property, name) >= 0.9 ||
      scoreSimilarity(wanted, withoutWords(name, typeWords)) >= 0.9
    );
  };
  const offered = withoutWords(property, AVAILABLE);
  const meansChoice = (label: string): boolean => {
    const { words } = parseName(label);
    const name = parseName(words.at(-1) ?? "");
    return means(label) || scoreSimilarity(offered, name) >= 0.9;
  };
  const choices = listChoices(scope, meansChoice, isOnlyAvailable(property, description));
  if (choices.length > 0) return choices;
  if (scope.isPage && property.words.at(-1) === "category") {
    const levels = readCategories(scope.model);
    if (levels.length > 0) return levels.map((node) => toItem(scope, node));
  }
  const column = scope.cells.filter(({ name }) => means(name));
  if (column.length === 1)
    return column.flatMap(({ cell }) => {
      if (!/[\p{L}\d]/u.test(cell.text) || NO_ITEMS.test(cell.text.trim())) return [];
      const items = listItems(scope, cell.node);
      if (items.length > 1 && !/[,;]/.test(cell.text)) return items;
      return splitText(cell.text).map((text) => toVisibleLeaf(scope, cell.node, text, "table"));
    });
  const own = scope.model.sections.filter(({ heading }) => scope.has(heading));
  const isDescribed = (title: string): boolean => {
    const { words } = parseName(findCore(title));
    return words.length > 0 && words.every((word) => word.length > 3 && describing.has(word));
  };
  const described = own.filter(({ title }) => isDescribed(title));
  // Labels with their values are specifications, no features.
  const wantsLabels = property.words.some((word) => PROPERTIES.test(word));
  const isOfTexts = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    wantsLabels || !isOfLabels(scope, start, end);
  const labeled = scope.pairs.filter(
    ({ label, node: { index: start, end } }) => means(label) && isOfTexts({ start, end }),
  );
  for (const { node, labelNode, value, kind } of labeled) {
    const column = listFirstColumn(scope, node);
    if (column.length > 0) return column;
    const items = listItems(scope, node, labelNode);
    if (items.length > 1) return items;
    const lines = scope.model.textOf(node).split("\n");
    if (lines.length > 1)
      return lines
        .slice(0, MAX_ITEMS)
        .map((line) => toVisibleLeaf(scope, node, line, "section", line));
    if (kind !== "section" && LISTED.test(value) && value.length <= 400)
      return splitText(value).map((text) => toVisibleLeaf(scope, node, text, "label", value));
  }
  const named = own.filter(
    (section) => (means(section.title) || means(findCore(section.title))) && isOfTexts(section),
  );
  const sections = named.length > 0 ? named : described;
  for (const { start, end } of sections) {
    const first = scope.model.nodes[start];
    const column = first === undefined ? [] : listFirstColumn(scope, first, end);
    if (column.length > 0) return column;
    const items = splitSingle(listSectionItems(scope, start, end));
    if (items.length > 0) return items;
  }
  const [single] = labeled;
  if (single !== undefined)
    return splitSingle([toVisibleLeaf(scope, single.node, single.value, "label")]);
  const parts = listByClass([property, wanted], scope);
  const [only] = parts;
  // "Ada Holm, Jon Lind" in the part for speakers.
  return only !== undefined && parts.length === 1
    ? splitText(String(only.value)).map((value) => ({ ...only, value }))
    : parts;
}

const AVAILABLE: ReadonlySet<string> = new Set(
  "available stock selectable open ordered orderable buyable bought".split(" "),
);

/** True if only the choices that can be made are asked for. */
const isOnlyAvailable = ({ words }: Name, { words: described }: Name): boolean =>
  [...words, ...described].some((word) => AVAILABLE.has(word));

/** The choices of the only group with such a label. */
function listChoices(
  scope: VisibleScope,
  means: (label: string) => boolean,
  isOpenOnly: boolean,
): Leaf[] {
  const [group, ...others] = listChoiceGroups(scope).filter(({ label }) => means(label));
  if (group === undefined || others.length > 0) return [];
  return group.items
    .filter(({ isOpen }) => isOpen || !isOpenOnly)
    .map(({ node, text }) => toVisibleLeaf(scope, node, text, "list", text));
}

/** Maximum characters of one of several items in a line. */
const MAX_LISTED = 50;
const MIN_LISTED = 3;

/** One text with several short items, separated by commas, is their list; other texts stay whole. */
function splitSingle(leaves: readonly Leaf[]): readonly Leaf[] {
  const [only, another] = leaves;
  if (only === undefined || another !== undefined || typeof only.value !== "string") return leaves;
  const parts = splitText(only.value.replace(/(?<=\p{L}{3})\.$/u, ""));
  const isList =
    parts.length >= MIN_LISTED &&
    parts.every((part) => part.length <= MAX_LISTED && !/\p{L}{3}[.!?。]\s/u.test(part));
  return isList ? parts.map((value) => ({ ...only, value })) : leaves;
}

/** A heading without its qualifiers: "Ingredients for the cake", "Key features (2026)". */
const findCore = (title: string): string =>
  title
    .replace(/\s*[([].*$/, "")
    .replace(/\s+(?:for|of|in|für|pour|para|per|di|de|voor|til|för)\s.*$/iu, "")
    .replace(/^(?:the|your|our|key|main|die|der|das|les|los|las)\s+/iu, "");

/** Suffixes behind a comma that belong to the name before it: "Gull Foods, Inc.". */
const SUFFIX =
  /^(?:inc|ltd|llc|llp|lp|plc|gmbh|ag|kg|se|co|corp|s\.?a|b\.?v|n\.?v|jr|sr|ph\.?d|m\.?d)\.?$/i;

const OR = String.raw`\s(?:or|oder|ou|of|eller|lub|nebo)\s`;
/** Several items in a line: "Visa, PayPal or bank transfer". */
const LISTED = new RegExp(String.raw`[,;、،|·]|^[^.!?]{2,40}${OR}[^.!?]{2,40}$`, "iu");
/** No comma within a number: "1,200 kg". */
const BETWEEN_ITEMS = new RegExp(String.raw`\s*(?:[;、،|·]|,(?!\d)|(?<!\d),)\s*|${OR}`, "iu");
/** A cell that says that there are no items. */
const NO_ITEMS =
  /^(?:none|no|n\/?a|nil|not applicable|keine?|nichts|entfällt|aucune?|néant|ningun[oa]?|nessun[oa]?|nenhum[ao]?|geen|brak|žádn[éý]|ingen|inga)$/iu;

function splitText(text: string): string[] {
  const parts: string[] = [];
  for (const written of text.split(BETWEEN_ITEMS)) {
    const part = written.trim();
    const last = parts.length - 1;
    if (last >= 0 && SUFFIX.test(part)) parts[last] = `${parts[last]}, ${part}`;
    else if (part !== "") parts.push(part);
  }
  return parts;
}

/**
 * The names in the first column of a table at or below a node, or up to `end`; none if a list comes
 * before the table.
 */
function listFirstColumn(scope: VisibleScope, from: PageNode, end = from.end): Leaf[] {
  const { model } = scope;
  const grid = model.grids.find(({ node }) => node.index >= from.index && node.index < end);
  if (grid === undefined || grid.headers.length < 2 || !scope.has(grid.node)) return [];
  const before = model.nodes.slice(from.index, grid.node.index);
  if (before.some(({ element: { name } }) => name === "li")) return [];
  return grid.rows
    .slice(0, MAX_ITEMS)
    .flatMap(({ cells: [cell], isFooter }) =>
      cell === undefined || isFooter || cell.text === ""
        ? []
        : [toVisibleLeaf(scope, cell.node, cell.text, "table", cell.text)],
    );
}

/** Items of the lists in a section; without lists its rows of short parts or its paragraphs. */
function listSectionItems(scope: VisibleScope, start: number, end: number): Leaf[] {
  const { model } = scope;
  const nodes = model.nodes.slice(start, end).filter((node) => !isHidden(node) && scope.has(node));
  const items = selectOutermost(
    model,
    nodes.filter(
      ({ element: { name, attribs } }) => name === "li" || attribs["role"] === "listitem",
    ),
  );
  if (items.length > 0) return items.map((node) => toItem(scope, node));
  const group = nodes.find((node) => isRow(scope, node));
  if (group !== undefined) return listItems(scope, group);
  const all = nodes.filter(
    ({ element: { name }, from, to }) => (name === "p" || name === "tr") && to > from,
  );
  // Paragraphs of different styles are parts of one item, such as a name over a position.
  const isUniform = new Set(all.map(({ element }) => element.attribs["class"] ?? "")).size <= 1;
  const paragraphs = isUniform ? all.slice(0, MAX_ITEMS) : [];
  // Lines separated by line breaks.
  return paragraphs.flatMap((node) =>
    model
      .textOf(node)
      .split("\n")
      .map((line) => toVisibleLeaf(scope, node, line, "section", line)),
  );
}

/** True for a section of labels with their values. */
const isOfLabels = ({ pairs }: VisibleScope, start: number, end: number): boolean =>
  pairs.filter(
    ({ kind, labelNode: { index } }) => LABELS.has(kind) && start <= index && index < end,
  ).length >= MIN_LABELS;

const LABELS: ReadonlySet<string> = new Set(["term", "row", "neighbors"]);
const MIN_LABELS = 3;

const toItem = (scope: VisibleScope, node: PageNode): Leaf =>
  toVisibleLeaf(scope, node, scope.model.lineOf(node), "section");

/** Several short children of one kind, such as tags and buttons. */
function isRow(scope: VisibleScope, node: PageNode): boolean {
  const children = scope.model
    .children(node)
    .filter((child) => !isHidden(child) && child.to > child.from);
  const [first] = children;
  return (
    first !== undefined &&
    children.length >= 2 &&
    children.every(
      ({ element, from, to }) => element.name === first.element.name && to - from <= 300,
    )
  );
}

function listItems(scope: VisibleScope, node: PageNode, label?: PageNode): Leaf[] {
  const { model } = scope;
  const items = model
    .below(node)
    .filter(
      ({ element: { name, attribs }, index }) =>
        index !== node.index &&
        (name === "li" || attribs["role"] === "listitem" || attribs["role"] === "radio"),
    );
  const listed = selectOutermost(model, items);
  const parts =
    listed.length > 0 ? listed : model.children(node).filter((child) => child.to > child.from);
  return parts
    .slice(0, MAX_ITEMS)
    .filter((part) => part !== label && !isHidden(part) && part.to > part.from)
    .map((part) => toItem(scope, part));
}
