// Features of a block's own text and of the names above it.
import { NO_ANCESTOR_DISTANCE } from "../blocks/element-facts.ts";
import { GROUP_NAMES } from "../blocks/name-groups.ts";
import { computeShare } from "./page-facts.ts";
import { tagNumber, TAG_NUMBERS } from "../../parse/tag-numbers.ts";
import type { Family } from "./page-view.ts";

/** By tag number; -1 for all others. */
const TAG_KINDS = new Int8Array(TAG_NUMBERS).fill(-1);
"p li div td h1 h2 h3 h4 h5 h6 dt dd pre button blockquote figcaption section article th summary"
  .split(" ")
  .forEach((name, kind) => {
    TAG_KINDS[tagNumber(name)] = kind;
  });
const SENTENCE_ENDS: ReadonlySet<number> = new Set(
  Array.from('.!?:。！？…"”', (character) => character.charCodeAt(0)),
);

/** Statistics of the text itself. */
export const OWN: Family = {
  names: [
    "size",
    "characters",
    "link-share",
    "links",
    "sentence-marks",
    "ends-sentence",
    "upper-share",
    "capital-words",
    "separators",
    "bold-share",
    "title-share",
    "title-words",
    "described-share",
    "described-words",
    "tag",
  ],
  write({ segmentation: { blocks, elements } }, rows, width, first) {
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const block = blocks[index]!;
      const { characters, words } = block;
      rows[at] = block.size;
      rows[at + 1] = characters;
      rows[at + 2] = computeShare(block.linkCharacters, characters);
      rows[at + 3] = block.links;
      rows[at + 4] = block.sentenceMarks;
      rows[at + 5] = SENTENCE_ENDS.has(block.last) ? 1 : 0;
      rows[at + 6] = computeShare(block.upperCase, characters);
      rows[at + 7] = computeShare(block.capitalWords, words);
      rows[at + 8] = block.separators;
      rows[at + 9] = computeShare(block.bold, characters);
      rows[at + 10] = computeShare(block.titleWords, words);
      rows[at + 11] = block.titleWords;
      rows[at + 12] = computeShare(block.describedWords, words);
      rows[at + 13] = block.describedWords;
      rows[at + 14] = block.container < 0 ? -1 : TAG_KINDS[elements.tag[block.container]!]!;
    }
  },
};

/** Distance to the nearest element of each name group. */
export const GROUPS: Family = {
  names: GROUP_NAMES,
  write({ elements, segmentation: { blocks } }, rows, width, first) {
    const groups = GROUP_NAMES.length;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const { container } = blocks[index]!;
      for (let group = 0; group < groups; group++)
        rows[at + group] =
          container < 0 ? NO_ANCESTOR_DISTANCE : elements.distance[container * groups + group]!;
    }
  },
};
