// The model's input: one row of numbers per block, written family by family.
import { EVIDENCE_NAMES, weighTokens } from "./evidence.ts";
import { GROUPS, OWN } from "./own-features.ts";
import { computePageFeatures, PAGE_NAMES } from "./page-features.ts";
import type { Family, PageView } from "./page-view.ts";
import { CONTAINERS, NEIGHBORS, OUTLINE, POSITION, TOP } from "./place-features.ts";
import { REPEATED } from "./repetition-features.ts";
import type { WordTables } from "./word-table.ts";

const FAMILIES: readonly Family[] = [
  OWN,
  GROUPS,
  REPEATED,
  NEIGHBORS,
  POSITION,
  OUTLINE,
  CONTAINERS,
  TOP,
];

/** Names of all features, in row order. */
export const FEATURE_NAMES: readonly string[] = [
  ...PAGE_NAMES,
  ...FAMILIES.flatMap(({ names }) => names),
  ...EVIDENCE_NAMES,
];
/** Column of the first learned-word feature. */
export const FIRST_EVIDENCE_COLUMN = FEATURE_NAMES.length - EVIDENCE_NAMES.length;

/**
 * Computes the features of every block, row after row, including the learned-word evidence from
 * `tables`.
 */
export function computeFeatures(view: PageView, tables: WordTables): Float32Array {
  const { blocks } = view.segmentation;
  const width = FEATURE_NAMES.length;
  const rows = new Float32Array(blocks.length * width);
  const page = Float32Array.from(computePageFeatures(view));
  for (let index = 0; index < blocks.length; index++) rows.set(page, index * width);
  let at = page.length;
  for (const { names, write } of FAMILIES) {
    write(view, rows, width, at);
    at += names.length;
  }
  weighTokens(view.signs, tables, rows, width, at);
  return rows;
}
