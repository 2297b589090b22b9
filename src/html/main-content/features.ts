// What the model is told about a block: a row of numbers, written family by family.
import { EVIDENCE_NAMES, weighSigns } from "./evidence.ts";
import { GROUPS, OWN } from "./own-features.ts";
import { pageFeatures, PAGE_NAMES } from "./page-features.ts";
import type { Family, PageView } from "./page-view.ts";
import { CONTAINERS, NEIGHBOURS, OUTLINE, POSITION, TOP } from "./place-features.ts";
import { REPEATED } from "./repetition-features.ts";
import type { WordTables } from "./word-table.ts";

const FAMILIES: readonly Family[] = [
  OWN,
  GROUPS,
  REPEATED,
  NEIGHBOURS,
  POSITION,
  OUTLINE,
  CONTAINERS,
  TOP,
];

/** The names of all features, in the order of a row. */
export const FEATURE_NAMES: readonly string[] = [
  ...PAGE_NAMES,
  ...FAMILIES.flatMap(({ names }) => names),
  ...EVIDENCE_NAMES,
];
/** Where in a row the evidence of learned words begins. */
export const EVIDENCE_AT = FEATURE_NAMES.length - EVIDENCE_NAMES.length;

/** The features of every block, row after row, with what the tables say of its words. */
export function computeFeatures(view: PageView, tables: WordTables): Float32Array {
  const { blocks } = view.segmentation;
  const width = FEATURE_NAMES.length;
  const rows = new Float32Array(blocks.length * width);
  const page = Float32Array.from(pageFeatures(view));
  for (let index = 0; index < blocks.length; index++) rows.set(page, index * width);
  let at = page.length;
  for (const { names, write } of FAMILIES) {
    write(view, rows, width, at);
    at += names.length;
  }
  weighSigns(view.signs, tables, rows, width, at);
  return rows;
}
