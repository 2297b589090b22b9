// Labels with their values, in all common forms: definition lists, rows of two cells, "Label:
// value", labels of controls, names for assistive technology, and a label beside its value in
// neighboring elements.
import { isText } from "domhandler";
import { parseDateText } from "../html/metadata/date-text.ts";
import { foldSpace } from "../html/parse/tree.ts";
import { labelGridCells } from "./label-grid.ts";
import { readLabelRow } from "./label-rows.ts";
import { hasOwnText, isBlock, isHidden, type PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";
import {
  OWN_LABEL,
  stripLabel,
  isLabel,
  splitLabeled,
  splitAtColon,
  cutAtContact,
} from "./labels.ts";

export type PairKind =
  /** `dt` and `dd`. */
  | "term"
  /** A row of two cells, or a header cell with its only cell. */
  | "row"
  /** One text: "Label: value". */
  | "colon"
  /** `<label>` with its control. */
  | "control"
  /** `aria-label`, `aria-labelledby` or text for screen readers. */
  | "spoken"
  /** Two elements side by side. */
  | "neighbors"
  /** A number above or before the counted noun. */
  | "count"
  /** A heading over a short text. */
  | "section"
  /** Words before a number or date in one short text: "Lot 214", "Updated 20 November 2026". */
  | "prefix";

export type Pair = {
  readonly kind: PairKind;
  readonly label: string;
  /** Node of the label. */
  readonly labelNode: PageNode;
  /** Node of the value. */
  readonly node: PageNode;
  /** The text of the value. */
  readonly value: string;
};

const MAX_PAIRS = 6_000;

/** Lines of a text below a heading that are one value, such as opening hours. */
const MAX_SECTION_LINES = 3;

const MAX_VALUE_CHARACTERS = 1_000;

export function readPairs(tree: NodeTree): Pair[] {
  const reader = new Reader(tree);
  for (const node of tree.nodes) {
    if (reader.pairs.length >= MAX_PAIRS) break;
    if (!isHidden(node)) reader.readNode(node);
    else if (node.spoken !== "") reader.readSpoken(node);
  }
  return reader.pairs;
}

class Reader {
  readonly pairs: Pair[] = [];
  readonly #tree: NodeTree;
  readonly #byId = new Map<string, PageNode>();
  /** The header cell alone in its row above the rows that are read. */
  #rowGroup: PageNode | undefined;

  constructor(tree: NodeTree) {
    this.#tree = tree;
    for (const node of tree.nodes) {
      const { id } = node.element.attribs;
      if (id !== undefined && id !== "" && !this.#byId.has(id)) this.#byId.set(id, node);
    }
  }

  readNode(node: PageNode): void {
    const { name, attribs } = node.element;
    if (name === "dl") this.#readTerms(node);
    else if (name === "tr" || attribs["role"] === "row") this.#readRow(node);
    else if (name === "label") this.#readControl(node);
    else {
      this.#readSpokenLabel(node);
      if (hasOwnText(node)) this.#readColon(node);
      else this.#readNeighbors(node);
      if (/^h[2-6]$/.test(name)) this.#readSection(node);
    }
  }

  /** Text for screen readers labels the text after it. */
  readSpoken(node: PageNode): void {
    const parent = this.#tree.parent(node);
    if (parent === undefined || node.element.attribs["class"] === undefined) return;
    const written = readTextBehind(node);
    if (written !== "") {
      if (isLabel(node.spoken))
        this.#push({
          kind: "spoken",
          label: stripLabel(node.spoken),
          labelNode: node,
          node: parent,
          value: written,
        });
      return;
    }
    const next = this.#tree.next(node);
    const target = next !== undefined && !isHidden(next) ? next : parent;
    if (next === undefined || !isHidden(next)) this.#add("spoken", node.spoken, node, target);
  }

  #readTerms(list: PageNode): void {
    let terms: PageNode[] = [];
    let hasValue = false;
    const take = (node: PageNode): void => {
      if (node.element.name === "dt") {
        if (hasValue) terms = [];
        hasValue = false;
        terms.push(node);
      } else if (node.element.name === "dd") {
        hasValue = true;
        for (const term of terms) this.#add("term", this.#tree.lineOf(term), term, node);
      } else {
        for (const child of this.#tree.children(node))
          if (/^d[td]$/.test(child.element.name)) take(child);
      }
    };
    for (const child of this.#tree.children(list)) take(child);
  }

  #readRow(row: PageNode): void {
    const cells = this.#tree.children(row).filter((cell) => !isHidden(cell));
    const [first, second, third] = cells;
    if (first !== undefined && second === undefined)
      this.#rowGroup = first.element.name === "th" ? first : undefined;
    for (const [label, value] of readLabelRow(this.#tree, cells) ?? [])
      this.#add("row", this.#tree.lineOf(label), label, value);
    if (first === undefined || second === undefined || cells.length > 3) return;
    // "Area" over "• Total": the total is the area.
    const group = this.#rowGroup;
    if (group !== undefined && third === undefined && TOTAL_OF.test(this.#tree.lineOf(first)))
      this.#add("row", this.#tree.lineOf(group), group, second);
    if (third !== undefined) {
      // A unit in a separate cell.
      const unit = this.#tree.lineOf(third);
      const value = this.#tree.lineOf(second);
      const isUnit = unit.length > 0 && unit.length <= 12 && !/\d/.test(unit) && /\d/.test(value);
      if (isUnit && isLabel(this.#tree.lineOf(first)))
        this.#push({
          kind: "row",
          label: stripLabel(this.#tree.lineOf(first)),
          labelNode: first,
          node: second,
          value: `${value} ${unit}`,
        });
      return;
    }
    if (second.element.name === "th" || second.element.attribs["role"] === "columnheader") return;
    this.#add("row", this.#tree.lineOf(first), first, second);
  }

  #readControl(label: PageNode): void {
    const id = label.element.attribs["for"];
    const control =
      (id === undefined ? undefined : this.#byId.get(id)) ??
      this.#tree.below(label).find(({ element }) => CONTROLS.has(element.name));
    if (control === undefined) return;
    const value = this.#readValue(control);
    if (value !== "")
      this.#push({
        kind: "control",
        label: stripLabel(this.#tree.lineOf(label)),
        labelNode: label,
        node: control,
        value,
      });
  }

  #readValue(control: PageNode): string {
    const { name, attribs } = control.element;
    if (name === "select") {
      const options = this.#tree.nodes
        .slice(control.index, control.end)
        .filter(({ element }) => element.name === "option");
      const chosen = options.find(({ element }) => element.attribs["selected"] !== undefined);
      return chosen === undefined ? "" : readOptionText(chosen);
    }
    if (name === "input") {
      const type = attribs["type"] ?? "text";
      if (type === "password" || type === "hidden" || type === "submit" || type === "button")
        return "";
      if (type === "checkbox" || type === "radio") return "";
      return (attribs["value"] ?? "").trim();
    }
    if (name === "meter" || name === "progress") return attribs["value"] ?? "";
    return this.#tree.lineOf(control);
  }

  #readSpokenLabel(node: PageNode): void {
    const { attribs, name } = node.element;
    const by = attribs["aria-labelledby"];
    if (by !== undefined && by !== "") {
      const label = this.#byId.get(by.split(/\s+/, 1)[0] ?? "");
      if (
        label !== undefined &&
        !this.#tree.contains(node, label) &&
        !/^(?:section|form|dialog|nav|main|table)$/.test(name)
      )
        this.#add("spoken", this.#tree.lineOf(label), label, node);
    }
    const label = attribs["aria-label"];
    if (label === undefined || name === "a" || name === "button" || name === "nav") return;
    const text = this.#tree.textOf(node);
    // "☀↑" for "Sunrise".
    const isIcon = !VALUE_SIGN.test(text);
    if (text !== "" && !isIcon && text.length <= 200 && !label.includes(text))
      this.#add("spoken", label, node, node);
    // An icon with a name before a text.
    const written = isIcon ? readTextBehind(node) : "";
    const parent = this.#tree.parent(node);
    if (written !== "" && parent !== undefined && isLabel(label))
      this.#push({
        kind: "spoken",
        label: stripLabel(label),
        labelNode: node,
        node: parent,
        value: written,
      });
    const colon = splitAtColon(label);
    if (colon !== undefined)
      this.#push({ kind: "spoken", label: colon[0], labelNode: node, node, value: colon[1] });
  }

  #readColon(node: PageNode): void {
    const text = this.#tree.textOf(node);
    if (text.length > 400) return;
    for (const line of text.split("\n", 12).flatMap(splitLabeled)) {
      const parts = splitAtColon(line);
      if (parts !== undefined)
        this.#push({ kind: "colon", label: parts[0], labelNode: node, node, value: parts[1] });
    }
    this.#readPrefix(node, text);
    const [, counted = "", count = ""] = TRAILING_COUNT.exec(text) ?? [];
    if (count !== "" && isLabel(counted))
      this.#push({ kind: "count", label: counted.trim(), labelNode: node, node, value: count });
    // <p><b>Serves</b> 4</p>
    const [first] = this.#tree.children(node);
    if (first === undefined || first.from !== node.from || first.to >= node.to) return;
    if (!/^(?:b|strong|em|span|dfn|small)$/.test(first.element.name)) return;
    const label = this.#tree.lineOf(first);
    const value = cutAtContact(
      text
        .slice(first.to - node.from)
        .replace(/^[\s:：–-]+/, "")
        .trim(),
    );
    if (value !== "" && !value.includes("\n") && isLabel(label) && !/[:：]/.test(text))
      this.#push({ kind: "neighbors", label: stripLabel(label), labelNode: first, node, value });
  }

  #readPrefix(node: PageNode, text: string): void {
    // "Departure 09:14 – Arrival 12:47" has two.
    for (const part of text.split(/[\n·•|]|\s[–—]\s(?=\p{Lu}\p{L}{2,20}\s\d)/u, 12)) {
      const [, label = "", value = ""] = PREFIX.exec(part.trim()) ?? [];
      if (label === "" || value === "" || part.length > 90) continue;
      // "Dew point 7°" has no month.
      const [, word = ""] = /^(\p{L}+)\.?\s/u.exec(value) ?? [];
      const isMonth = word === "" || parseDateText(`${word} 5, 2026`, "day-first") !== undefined;
      // "Notice 2026-0417 (PDF, 179 kB)": brackets explain.
      const bare = (isMonth ? value : value.slice(word.length).trim()).replace(/\s\([^()]*\)$/, "");
      this.#push({
        kind: "prefix",
        label: stripLabel(isMonth ? label : `${label} ${word}`),
        labelNode: node,
        node,
        value: bare,
      });
    }
  }

  #readNeighbors(node: PageNode): void {
    const children = this.#tree.children(node).filter((child) => !isHidden(child));
    const shown = children.filter(({ from, to, spoken }) => to > from || spoken !== "");
    const cells = labelGridCells(this.#tree, node);
    if (cells !== undefined) {
      for (let at = 0; at < cells.length; at += 2)
        this.#addNeighbors(cells[at] as PageNode, cells[at + 1] as PageNode);
    } else if (shown.length === 2) {
      const [label, value] = shown as [PageNode, PageNode];
      this.#addNeighbors(label, value);
    } else if (shown.length === 3) {
      // Label, value and a note, each in a style of its own: "Estimated delivery", a date, hours.
      const [label, value, note] = shown as [PageNode, PageNode, PageNode];
      const styles = new Set([label, value, note].map(toStyleKey));
      if (styles.size === 3) this.#addNeighbors(label, value);
    } else if (
      shown.length >= 4 &&
      shown.length % 2 === 0 &&
      (isAlternating(this.#tree, shown) || (!isGrid(node) && isLabeledByTurns(this.#tree, shown)))
    )
      for (let at = 0; at < shown.length; at += 2)
        this.#addNeighbors(shown[at] as PageNode, shown[at + 1] as PageNode);
  }

  #addNeighbors(first: PageNode, second: PageNode): void {
    // Two parts of a page are not a label with its value.
    if (this.#tree.textOf(first).includes("\n") || this.#lines(second) > 6) return;
    if (this.#isLink(first) && this.#isLink(second)) return;
    // An icon has a name instead of a text.
    const label = this.#tree.lineOf(first) || first.spoken;
    const value = this.#tree.lineOf(second);
    if (/^h[1-6]$/.test(first.element.name) && value.length > 120) return;
    // A value with a label of its own: "Latest release" before "Released: Apr 21, 2026".
    if (OWN_LABEL.test(value)) return;
    const isCount =
      /^[\s\p{Sc}+~≈]*\d[\d.,\s%kKmM+]*$/u.test(label) && isLabel(value) && !/\d/.test(value);
    if (isCount) this.#add("count", value, second, first);
    else if (isLabel(label) && !/\d/.test(label.replace(/\([^)]*\)/g, "")))
      this.#add("neighbors", label, first, second);
  }

  /** True if all text of a node is one link: two of these are items of a list. */
  #isLink(node: PageNode): boolean {
    return this.#tree
      .below(node)
      .some(
        ({ element, from, to }) => element.name === "a" && from === node.from && to === node.to,
      );
  }

  #lines(node: PageNode): number {
    return this.#tree.textOf(node).split("\n", 8).length;
  }

  /** A heading over one short text of a few lines. */
  #readSection(heading: PageNode): void {
    const next = this.#tree.next(heading);
    if (next === undefined || /^h[1-6]$/.test(next.element.name)) return;
    const value = this.#tree.textOf(next);
    if (value.length > 0 && value.length <= 200 && this.#lines(next) <= MAX_SECTION_LINES)
      this.#add("section", this.#tree.lineOf(heading), heading, next);
  }

  #add(kind: PairKind, label: string, labelNode: PageNode, node: PageNode): void {
    if (!isLabel(label)) return;
    const value = CONTROLS.has(node.element.name) ? this.#readValue(node) : this.#tree.lineOf(node);
    this.#push({ kind, label: stripLabel(label), labelNode, node, value });
  }

  #push(pair: Pair): void {
    const value = pair.value.trim();
    if (value === "" || value.length > MAX_VALUE_CHARACTERS || pair.label === "") return;
    this.pairs.push({ ...pair, value });
  }
}

/**
 * Up to four words without digits, then a value that begins with a digit, a sign of currency or a
 * month's name and a digit; or a code such as "TSD-OAK-45".
 */
const PREFIX =
  /^(\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,3}?)(?: (?:on|at|by|from|of|pay|only|no\.?|nr\.?|am|le|el|il|em))?[ :#№]{1,3}((?:\p{L}{3,9}\.? )?[\p{Sc}#+-]?\d[^\n]{0,60}|(?=\S{0,40}\d)[A-Z]{1,10}\d{0,10}(?:[-/][A-Z\d]{1,12}){1,5})$/u;

/** "Reviews (1,286)". */
const TRAILING_COUNT =
  /^(\p{L}[\p{L} '’-]{1,40})[\s\u00A0]?[(（]\s?(?!(?:19|20)\d\d\s?[)）])(\d[\d.,\u00A0\u202F ]{0,12})\s?(?:件|条|個|个|개)?[)）]$/u;

const CONTROLS: ReadonlySet<string> = new Set([
  "input",
  "select",
  "textarea",
  "output",
  "meter",
  "progress",
]);

/** The text of the page between an element and the next one. */
function readTextBehind({ element: { next } }: PageNode): string {
  return next !== null && isText(next) ? foldSpace(next.data).trim() : "";
}

/**
 * Signs that have a meaning of their own: letters, digits, marks for yes, no and a range, those of
 * ratings, currencies, and the letters that flags are made of.
 */
const VALUE_SIGN = /[\p{L}\p{N}\p{Sc}\p{RI}✓✔✗✘×–—★☆⭐●○]/u;

/** Text of an option, which is not part of the page's visible text. */
function readOptionText({ element }: PageNode): string {
  const [first] = element.children;
  return first !== undefined && "data" in first
    ? first.data.trim()
    : (element.attribs["value"] ?? "");
}

/** Odd and even children of one style each: labels and values in the cells of a grid. */
function isAlternating(tree: NodeTree, nodes: readonly PageNode[]): boolean {
  const [first, second] = nodes;
  if (first === undefined || second === undefined) return false;
  const styles = [toStyleKey(first), toStyleKey(second)];
  if (styles[0] === styles[1] && first.element.name === second.element.name) return false;
  return nodes.every(
    (node, at) =>
      toStyleKey(node) === styles[at % 2] &&
      (at % 2 === 1 ||
        (isLabel(tree.lineOf(node)) && (isBlock(node) || tree.lineOf(node).length <= 40))),
  );
}

/** Total in a group of rows: "• Total", "– Gesamt". */
const TOTAL_OF =
  /^[•·∙–—-]?\s?(?:total|gesamt|insgesamt|totale|totaal|razem|celkem|всего|合計|总计|總計|합계)$/iu;

/** Minimum share of values with digits among unstyled neighbors. */
const MIN_NUMERIC = 0.6;

/** A declared grid was read as one, or has no column of labels. */
const isGrid = ({ element: { attribs } }: PageNode): boolean =>
  /grid/.test(`${attribs["style"] ?? ""} ${attribs["class"] ?? ""}`);

/**
 * Unstyled neighbors by turns: every other one is a label without digits, most of the rest are
 * numbers.
 */
function isLabeledByTurns(tree: NodeTree, nodes: readonly PageNode[]): boolean {
  const isPlain = new Set(nodes.map(({ element: { name } }) => name)).size === 1;
  if (!isPlain || nodes.some((node) => !isBlock(node))) return false;
  const texts = nodes.map((node) => tree.lineOf(node));
  const labels = texts.filter((_, at) => at % 2 === 0);
  const values = texts.filter((_, at) => at % 2 === 1);
  return (
    labels.every(
      (label) =>
        isLabel(label) &&
        /^\p{Lu}|^\p{Lo}/u.test(label) &&
        !/\d/.test(label.replace(/\s(?:19|20)\d\d$/, "")),
    ) && values.filter((value) => /\d/.test(value)).length >= values.length * MIN_NUMERIC
  );
}

const toStyleKey = ({ element: { name, attribs } }: PageNode): string =>
  `${name} ${attribs["class"] ?? ""} ${attribs["role"] ?? ""}`;
