// Features of repetition: blocks at the same path, similar siblings, the surrounding cards.
import { computeShare } from "./page-facts.ts";
import type { Family } from "./page-view.ts";
import type { SiblingStats } from "./repetition.ts";

const toFeatureNames = (name: string): string[] =>
  ["count", "mean", "share", "links", "variation"].map((part) => `${name}-${part}`);
const WINDOW_WORDS = 5;

function writeKin(
  kin: SiblingStats | undefined,
  whole: number,
  row: Float32Array,
  at: number,
): void {
  if (kin === undefined) {
    row.fill(-1, at, at + WINDOW_WORDS);
    return;
  }
  const mean = kin.size / kin.count;
  row[at] = kin.count;
  row[at + 1] = mean;
  row[at + 2] = computeShare(kin.size, whole);
  row[at + 3] = computeShare(kin.linkCharacters, kin.characters);
  row[at + 4] = Math.sqrt(Math.max(kin.squares / kin.count - mean * mean, 0)) / (mean + 1);
}

/** Numbers for the three kinds of repetition of a block. */
export const REPEATED: Family = {
  names: ["path", "sibling", "card"].flatMap(toFeatureNames),
  write({ page, repetition, segmentation: { blocks } }, rows, width, first) {
    const { pathKin, siblings, card } = repetition;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const { container } = blocks[index]!;
      writeKin(pathKin[index], page.size, rows, at);
      writeKin(container < 0 ? undefined : siblings[container], page.size, rows, at + WINDOW_WORDS);
      const around = container < 0 ? -1 : card[container]!;
      writeKin(around < 0 ? undefined : siblings[around], page.size, rows, at + 2 * WINDOW_WORDS);
    }
  },
};
