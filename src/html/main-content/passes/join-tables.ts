// Data tables are judged as wholes: their blocks share one probability.
import { readAttribute } from "../../parse/tree.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { computeMean, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";

const TABLE = tagNumber("table");
const ROW = tagNumber("tr");
const CELLS = tagSet("td th");

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
  const findTable = new Int32Array(nodes.length).fill(-1);
  const rows = new Map<number, { rows: number; cells: number; isLayout: boolean }>();
  for (let element = 0; element < nodes.length; element++) {
    const own = tag[element]!;
    const up = parent[element]!;
    const outer = up < 0 ? -1 : findTable[up]!;
    findTable[element] = outer;
    if (own === TABLE) {
      const around = rows.get(outer);
      if (around !== undefined) around.isLayout = true;
      const isLayout = readAttribute(nodes[element]!, "role") === "presentation";
      rows.set(element, { rows: 0, cells: 0, isLayout });
      findTable[element] = element;
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
