// A table whose first column stays in sight while the others scroll is two tables side by side: the titles of the rows, and the rows.
// Numbers without their names are nothing.
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

const TABLE = tagNumber("table");
const ROW = tagNumber("tr");
const CELLS = tagSet("td th");
const MIN_ROWS = 3;
/** Blocks between the two, such as a note that one can scroll. */
const MAX_BETWEEN = 1;

type Table = { readonly element: number; rows: number; cells: number };

/** Keeps the dropped titles of rows beside a kept table of as many rows. */
export function keepRowTitles(page: Segmentation, verdicts: Verdict[]): void {
  const { blockStart, blockEnd } = page.elements;
  const tables = tablesOf(page);
  for (let at = 0; at + 1 < tables.length; at++) {
    const titles = tables[at]!;
    const rows = tables[at + 1]!;
    const from = blockStart[titles.element]!;
    const to = blockEnd[titles.element]!;
    const next = blockStart[rows.element]!;
    const isColumn = titles.rows >= MIN_ROWS && titles.cells === titles.rows;
    const isBeside = titles.rows === rows.rows && rows.cells > rows.rows;
    if (!isColumn || !isBeside || next < to || next - to > MAX_BETWEEN) continue;
    if (!isKept(verdicts[next]) || next === blockEnd[rows.element]) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
}

/** All tables in order, with the rows and cells that are their own. */
function tablesOf({ elements: { tag, parent } }: Segmentation): Table[] {
  const tables: Table[] = [];
  /** The place in `tables` of the table around each element, -1 for none. */
  const around = new Int32Array(tag.length).fill(-1);
  for (let element = 0; element < tag.length; element++) {
    const own = tag[element]!;
    const up = parent[element]!;
    const table = up < 0 ? -1 : around[up]!;
    around[element] = table;
    if (own === TABLE) {
      around[element] = tables.length;
      tables.push({ element, rows: 0, cells: 0 });
    } else if (table < 0) continue;
    else if (own === ROW) tables[table]!.rows++;
    else if (CELLS[own] === 1) tables[table]!.cells++;
  }
  return tables;
}
