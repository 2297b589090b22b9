// What the model is told about a block: a row of numbers, written family by family.
import { GROUPS, OWN } from "./own-features.ts";
import { pageFeatures, PAGE_NAMES } from "./page-features.ts";
import type { Family, PageView } from "./page-view.ts";
import { CONTAINERS, NEIGHBOURS, OUTLINE, POSITION, TOP } from "./place-features.ts";
import { REPEATED } from "./repetition-features.ts";

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
];

/** The features of every block, row after row. */
export function computeFeatures(view: PageView): Float32Array {
  const { blocks } = view.segmentation;
  const width = FEATURE_NAMES.length;
  const rows = new Float32Array(blocks.length * width);
  const page = Float32Array.from(pageFeatures(view));
  for (let index = 0; index < blocks.length; index++) rows.set(page, index * width);
  let at = page.length;
  for (const { names, write } of FAMILIES) {
    for (let index = 0; index < blocks.length; index++)
      write(view, index, blocks[index]!, rows, index * width + at);
    at += names.length;
  }
  return rows;
}
