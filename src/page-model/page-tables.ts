// The tables and repeated records of a page as rows of text with columns that are the same on every
// page of a template. Callers name a table and its columns; the cells are copied from the page.
import { foldLabelText, getNodeKey, getNodePath } from "./node-keys.ts";
import type { Grid } from "./grids.ts";
import { isAside, isHidden, isStruck, type PageNode } from "./node.ts";
import type { PageModel } from "./page-model.ts";
import type { RecordSet } from "./records.ts";

export type PageColumn = {
  /** The same on every page of the template. */
  readonly key: string;
  /** The header or label; for parts without one, their tag and class. */
  readonly name: string;
};

export type PageTable = {
  /** Its reference on the page: `t1`, or `page` for the single values of the page. */
  readonly ref: string;
  readonly title: string;
  /** Position; the same on every page of the template. */
  readonly shape: string;
  readonly columns: readonly PageColumn[];
  /** One text per column; "" where the row has none. Addresses are absolute. */
  readonly rows: readonly (readonly string[])[];
  /** Rows past the limit were left out. */
  readonly isCut: boolean;
};

const MAX_TABLES = 12;
const MAX_CHECKED = 24;
const MAX_ROWS = 2_000;
const MAX_COLUMNS = 24;
const MAX_CELL = 500;
/** Characters of all cells of a page. */
const MAX_CHARACTERS = 400_000;
const MAX_PARTS = 60;

export type TableOptions = {
  /** Makes an address of the page absolute. */
  readonly resolve: (address: string) => string | undefined;
};

/**
 * The largest tables first; the last one has the single values of the page, such as those of its
 * labels.
 */
export function readPageTables(model: PageModel, options: TableOptions): PageTable[] {
  const found: Omit<PageTable, "ref">[] = [];
  for (const grid of model.grids) {
    if (found.length >= MAX_CHECKED) break;
    if (!isAside(grid.node)) found.push(convertGrid(model, grid, options));
  }
  for (const set of selectLargestSets(model)) found.push(recordTable(model, set, options));
  const tables: PageTable[] = [];
  let characters = 0;
  for (const table of found
    .filter(isTable)
    .toSorted((one, other) => countCells(other) - countCells(one))) {
    if (tables.length >= MAX_TABLES) break;
    characters += countCharacters(table);
    if (characters > MAX_CHARACTERS) break;
    tables.push({ ref: `t${tables.length + 1}`, ...table });
  }
  return [...tables, listPageValues(model, options)];
}

const isTable = ({ columns, rows }: Omit<PageTable, "ref">): boolean =>
  rows.length > 0 && columns.length > 0 && rows.length * columns.length >= 2;
const countCells = ({ rows, columns }: Omit<PageTable, "ref">): number =>
  rows.length * columns.length;
const countCharacters = ({ rows }: Omit<PageTable, "ref">): number =>
  rows.reduce((sum, row) => sum + row.reduce((inner, cell) => inner + cell.length, 0), 0);

/** Sets of content records, those with most text first. */
function selectLargestSets(model: PageModel): RecordSet[] {
  const countText = ({ records }: RecordSet): number =>
    records.reduce((sum, { nodes }) => sum + (nodes.at(-1)?.to ?? 0) - (nodes[0]?.from ?? 0), 0);
  return model.recordSets
    .filter((set) => !set.isAside)
    .map((set) => ({ set, size: countText(set) + 20 * set.records.length }))
    .toSorted((one, other) => other.size - one.size)
    .slice(0, MAX_CHECKED)
    .map(({ set }) => set);
}

/** Cells by column key, with the names of the columns in order of appearance. */
class TableBuilder {
  readonly #names = new Map<string, string>();
  readonly rows: Map<string, string>[] = [];

  addRow(): Map<string, string> {
    const row = new Map<string, string>();
    this.rows.push(row);
    return row;
  }

  set(row: Map<string, string>, key: string, name: string, text: string): void {
    const cell = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_CELL);
    if (cell === "") return;
    if (!this.#names.has(key)) {
      if (this.#names.size >= MAX_COLUMNS) return;
      this.#names.set(key, name);
    }
    const known = row.get(key);
    row.set(key, known === undefined ? cell : `${known}, ${cell}`.slice(0, MAX_CELL));
  }

  build(title: string, shape: string, isCut: boolean): Omit<PageTable, "ref"> {
    const rows = this.rows.filter((row) => row.size > 0);
    // The same words in every row are a caption or a button.
    const keys = [...this.#names.keys()].filter(
      (key) => rows.length < 3 || new Set(rows.map((row) => row.get(key) ?? "")).size > 1,
    );
    return {
      title: title.slice(0, 160),
      shape,
      columns: keys.map((key) => ({ key, name: this.#names.get(key) ?? key })),
      rows: rows.map((row) => keys.map((key) => row.get(key) ?? "")),
      isCut,
    };
  }
}

function convertGrid(
  model: PageModel,
  { caption, headers, rows, isCut }: Grid,
  options: TableOptions,
): Omit<PageTable, "ref"> {
  const builder = new TableBuilder();
  const used = new Map<string, number>();
  const keys = headers.map((header, at) => {
    const name = header === "" ? `column ${at + 1}` : header;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { name, key: `header:${foldLabelText(name)}${count === 1 ? "" : ` ${count}`}` };
  });
  for (const { cells, group, isFooter } of rows.slice(0, MAX_ROWS)) {
    if (isFooter) continue;
    const row = builder.addRow();
    for (const [at, cell] of cells.entries()) {
      const column = keys[at];
      if (cell === undefined || column === undefined) continue;
      builder.set(row, column.key, column.name, cell.text);
      const address = findLinkBelow(model, cell.node, options);
      if (address !== undefined)
        builder.set(row, `${column.key}@href`, `${column.name} link`, address);
    }
    if (group !== "") builder.set(row, "group", "group", group);
  }
  return builder.build(
    caption,
    `table ${keys.map(({ key }) => key).join("|")}`,
    isCut || rows.length > MAX_ROWS,
  );
}

function recordTable(
  model: PageModel,
  { parent, records, title, groups }: RecordSet,
  options: TableOptions,
): Omit<PageTable, "ref"> {
  const builder = new TableBuilder();
  const labels = indexLabels(model);
  const parts = withSharedLabels(
    records.slice(0, MAX_ROWS).map(({ nodes }) => collectParts(model, nodes, labels, options)),
  );
  const numbered = findKeysToNumber(parts);
  for (const [at, own] of parts.entries()) {
    const row = builder.addRow();
    const seen = new Map<string, number>();
    for (const { key, name, text } of own) {
      const nth = (seen.get(key) ?? 0) + 1;
      seen.set(key, nth);
      if (numbered.has(key)) builder.set(row, `${key}#${nth}`, `${name} ${nth}`, text);
      else builder.set(row, key, name, text);
    }
    const group = groups[at] ?? "";
    if (group !== "") builder.set(row, "group", "group", group);
  }
  const [first] = records;
  const shape = `records ${getNodePath(model, parent)} ${
    first?.nodes
      .map((node) => getNodeKey(node))
      .slice(0, 4)
      .join("+") ?? ""
  }`;
  return builder.build(title, shape, records.length > MAX_ROWS);
}

/** Parts by labels that at least two records have: a word of a single record is not a label. */
function withSharedLabels(records: readonly (readonly Part[])[]): Part[][] {
  const counts = new Map<string, number>();
  for (const parts of records)
    for (const key of new Set(parts.map(({ labelled }) => labelled?.key)))
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  return records.map((parts) =>
    parts.map((part) =>
      part.labelled !== undefined && (counts.get(part.labelled.key) ?? 0) >= 2
        ? { ...part, ...part.labelled }
        : part,
    ),
  );
}

/**
 * Keys that every record has equally often, more than once: their first, second … parts correspond.
 * Parts with other repeated keys form one list.
 */
function findKeysToNumber(records: readonly (readonly Part[])[]): Set<string> {
  const counts = records.map((parts) => {
    const own = new Map<string, number>();
    for (const { key } of parts) own.set(key, (own.get(key) ?? 0) + 1);
    return own;
  });
  const [first = new Map<string, number>()] = counts;
  const keys = [...first].filter(
    ([key, count]) => count > 1 && count <= 6 && counts.every((own) => own.get(key) === count),
  );
  return new Set(keys.map(([key]) => key));
}

/** Labels with single values, the heading, and styled parts that are unique on the page. */
function listPageValues(model: PageModel, options: TableOptions): PageTable {
  const builder = new TableBuilder();
  const row = builder.addRow();
  const { heading } = model;
  if (heading !== undefined) builder.set(row, "heading", "heading", model.lineOf(heading));
  const byLabel = new Map<string, { name: string; values: Set<string> }>();
  for (const { node, label, value, kind } of model.pairs) {
    if (isHidden(node) || isAside(node) || NO_LABELS.has(kind)) continue;
    const key = `label:${foldLabelText(label)}`;
    const known = byLabel.get(key) ?? { name: label, values: new Set() };
    byLabel.set(key, known);
    known.values.add(value);
  }
  for (const [key, { name, values }] of byLabel) {
    const [value = ""] = values;
    // Different values of one label belong to different items of the page.
    if (values.size === 1) builder.set(row, key, name, value);
  }
  const roots = model.nodes.filter(({ parent }) => parent === -1);
  const parts = collectParts(model, roots, new Map(), options).filter(({ node }) => !isAside(node));
  const counts = Map.groupBy(parts, ({ key }) => key);
  for (const [key, [part, ...more]] of counts)
    if (part !== undefined && more.length === 0 && part.text.length <= 300 && /[.]/.test(key))
      builder.set(row, key, part.name, part.text);
  return { ref: "page", ...builder.build("", "page", false) };
}

type Part = {
  readonly node: PageNode;
  readonly key: string;
  readonly name: string;
  readonly text: string;
  /** The same part by its label, if it has one. */
  readonly labelled?: { readonly key: string; readonly name: string; readonly text: string };
};

type Label = { readonly label: string; readonly value: string };

/** Words before a number and headings over texts are too rarely labels. */
const NO_LABELS: ReadonlySet<string> = new Set(["prefix", "count", "section"]);

const indexLabels = (model: PageModel): Map<number, Label> =>
  new Map(
    model.pairs
      .filter(({ kind }) => !NO_LABELS.has(kind))
      .map(({ node, label, value }) => [node.index, { label, value }]),
  );

/**
 * The pieces of a record with their labels or places, and the addresses of its links and pictures.
 */
function collectParts(
  model: PageModel,
  roots: readonly PageNode[],
  labels: ReadonlyMap<number, Label>,
  options: TableOptions,
): Part[] {
  const parts: Part[] = [];
  for (const root of roots) {
    const from = roots.length > 1 ? getNodeKey(root) : "";
    for (const node of model.pieces(root)) {
      if (parts.length >= MAX_PARTS) break;
      const label = findLabel(model, node, root, labels);
      const place = from + getNodePath(model, node, root);
      const struck = isStruck(node) ? " crossed out" : "";
      parts.push({
        node,
        key: `${place}${struck}`,
        name: `${getNodeKey(node)}${struck}`,
        text: model.lineOf(node),
        ...(label === undefined
          ? {}
          : {
              labelled: {
                key: `label:${foldLabelText(label.label)}`,
                name: label.label,
                text: label.value,
              },
            }),
      });
      parts.push(...listLabelledWithin(model, node, place, labels));
    }
    for (const node of model.below(root)) {
      if (parts.length >= 2 * MAX_PARTS) break;
      if (isHidden(node)) continue;
      const { name, attribs } = node.element;
      const raw = name === "a" ? attribs["href"] : name === "img" ? attribs["src"] : undefined;
      const address = raw === undefined || raw.startsWith("#") ? undefined : options.resolve(raw);
      if (address !== undefined && !address.startsWith("data:"))
        parts.push({
          node,
          key: `${from}${getNodePath(model, node, root)}@${name === "a" ? "href" : "src"}`,
          name: `${getNodeKey(node)} ${name === "a" ? "link" : "picture"}`,
          text: address,
        });
    }
  }
  return parts;
}

/** Labels with their values inside a piece, such as "Default: 5" at the end of a description. */
function listLabelledWithin(
  model: PageModel,
  piece: PageNode,
  place: string,
  labels: ReadonlyMap<number, Label>,
): Part[] {
  const parts: Part[] = [];
  for (const node of model.below(piece).slice(1, MAX_PARTS)) {
    const label = labels.get(node.index);
    if (label === undefined || isHidden(node)) continue;
    // A copy in an element of the same text is the same label.
    if (parts.some(({ node: { from, to } }) => from === node.from && to === node.to)) continue;
    const key = `label:${foldLabelText(label.label)}`;
    parts.push({
      node,
      key: `${place}>${getNodeKey(node)}`,
      name: getNodeKey(node),
      text: model.lineOf(node),
      labelled: { key, name: label.label, text: label.value },
    });
  }
  return parts;
}

/** The label of a piece or of one of its few ancestors in the record that has no other text. */
function findLabel(
  model: PageModel,
  node: PageNode,
  root: PageNode,
  labels: ReadonlyMap<number, Label>,
): Label | undefined {
  for (
    let at: PageNode | undefined = node, left = 3;
    at !== undefined && left > 0 && at.index >= root.index;
    at = model.parent(at), left -= 1
  ) {
    if (at.from !== node.from || at.to !== node.to) return undefined;
    const label = labels.get(at.index);
    if (label !== undefined) return label;
  }
  return undefined;
}

/** The address of the only link in a cell. */
function findLinkBelow(
  model: PageModel,
  node: PageNode,
  { resolve }: TableOptions,
): string | undefined {
  const addresses = new Set(
    model
      .below(node)
      .filter(({ element: { name, attribs } }) => name === "a" && attribs["href"] !== undefined)
      .map(({ element }) => element.attribs["href"] ?? ""),
  );
  const [only = "#"] = addresses;
  return addresses.size === 1 && !only.startsWith("#") ? resolve(only) : undefined;
}
