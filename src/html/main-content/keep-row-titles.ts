// A table with a fixed first column is drawn as two tables side by side: row titles and rows. The
// numbers are useless without the titles.
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

const TABLE = tagNumber("table");
const ROW = tagNumber("tr");
const CELLS = tagSet("td th");
const MIN_ROWS = 3;
/** Maximum blocks between the two, such as a scroll hint. */
const MAX_BETWEEN = 1;

type Table = { readonly element: number; rows: number; cells: number };

/** Keeps the dropped row titles beside a kept table with as many rows. */
export function keepRowTitles(page: Segmentation, verdicts: Verdict[]): void {
  const { blockStart, blockEnd } = page.elements;
  const tables = findTables(page);
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

/** Returns all tables in order, with their own rows and cells. */
function findTables({ elements: { tag, parent } }: Segmentation): Table[] {
  const tables: Table[] = [];
  /** Index in `tables` of the table around each element, or -1. */
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
