// Lists and data tables are judged as wholes: their blocks share one probability.
import { readAttribute } from "../parse/tree.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";
import { computeMean, type Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";

const LISTS = tagSet("ul ol dl");
const TABLE = tagNumber("table");
const ROW = tagNumber("tr");
const CELLS = tagSet("td th");
/** A list with more blocks holds the page rather than a part of it. */
const MAX_LIST_BLOCKS = 60;
/** Share of link characters that makes a list link-only, and the minimum number of blocks. */
const MIN_LINK_LIST_SHARE = 0.85;
const MIN_LINKS = 5;

/**
 * Moves the blocks of a list halfway to the list's mean, because a list is kept or dropped as a
 * whole unless its parts differ much. A link-only list, such as a table of contents, uses its mean
 * alone.
 */
export function joinLists(
  page: Segmentation,
  facts: ElementFacts,
  asked: Float64Array,
): Float64Array {
  const joined = asked.slice();
  const { tag, blockStart, blockEnd } = page.elements;
  let joinedTo = 0;
  for (let element = 0; element < tag.length; element++) {
    if (LISTS[tag[element]!] === 0) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (to <= joinedTo) continue;
    const isLinks =
      facts.linkCharacters[element]! >= MIN_LINK_LIST_SHARE * facts.characters[element]!;
    if (isLinks && to - from >= MIN_LINKS) {
      joined.fill(computeMean(page, asked, from, to), from, to);
      joinedTo = to;
    } else if (to - from <= MAX_LIST_BLOCKS) {
      const mean = computeMean(page, asked, from, to);
      for (let index = from; index < to; index++) joined[index] = (joined[index]! + mean) / 2;
    }
  }
  return joined;
}

/**
 * Gives every block of a data table the table's mean probability, so that no single cell is
 * dropped.
 */
export function joinTables(
  page: Segmentation,
  tables: readonly number[],
  asked: Float64Array,
): Float64Array {
  const joined = asked.slice();
  const { blockStart, blockEnd } = page.elements;
  for (const table of tables) {
    const from = blockStart[table]!;
    const to = blockEnd[table]!;
    if (from < to) joined.fill(computeMean(page, asked, from, to), from, to);
  }
  return joined;
}

/** Finds data tables: no nested table, several rows and columns, no cell as long as a text. */
export function findDataTables(page: Segmentation, facts: ElementFacts): number[] {
  const { nodes, tag, parent } = page.elements;
  if (!tag.includes(TABLE)) return [];
  const tableOf = new Int32Array(nodes.length).fill(-1);
  const rows = new Map<number, { rows: number; cells: number; isLayout: boolean }>();
  for (let element = 0; element < nodes.length; element++) {
    const own = tag[element]!;
    const up = parent[element]!;
    const outer = up < 0 ? -1 : tableOf[up]!;
    tableOf[element] = outer;
    if (own === TABLE) {
      const around = rows.get(outer);
      if (around !== undefined) around.isLayout = true;
      const isLayout = readAttribute(nodes[element]!, "role") === "presentation";
      rows.set(element, { rows: 0, cells: 0, isLayout });
      tableOf[element] = element;
      continue;
    }
    const table = outer < 0 ? undefined : rows.get(outer);
    if (table === undefined) continue;
    if (own === ROW) table.rows++;
    else if (CELLS[own] === 1) {
      table.cells++;
      if (facts.size[element]! > 100) table.isLayout = true;
    }
  }
  const tables: number[] = [];
  for (const [element, table] of rows)
    if (!table.isLayout && table.rows >= 2 && table.cells >= table.rows * 1.5) tables.push(element);
  return tables;
}
