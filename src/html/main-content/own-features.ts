// Features of a block's own text and of the names above it.
import { FAR } from "./element-facts.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { share } from "./page-facts.ts";
import type { Family } from "./page-view.ts";

const TAG_KINDS = new Map(
  "p li div td h1 h2 h3 h4 h5 h6 dt dd pre button blockquote figcaption section article th summary"
    .split(" ")
    .map((name, kind) => [name, kind]),
);
const ENDS: ReadonlySet<number> = new Set(
  Array.from('.!?:。！？…"”', (character) => character.charCodeAt(0)),
);

/** What the text itself looks like. */
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
  write({ segmentation }, _, block, row, at) {
    const { characters, words } = block;
    row[at] = block.size;
    row[at + 1] = characters;
    row[at + 2] = share(block.linkCharacters, characters);
    row[at + 3] = block.links;
    row[at + 4] = block.sentenceMarks;
    row[at + 5] = ENDS.has(block.last) ? 1 : 0;
    row[at + 6] = share(block.upperCase, characters);
    row[at + 7] = share(block.capitalWords, words);
    row[at + 8] = block.separators;
    row[at + 9] = share(block.bold, characters);
    row[at + 10] = share(block.titleWords, words);
    row[at + 11] = block.titleWords;
    row[at + 12] = share(block.describedWords, words);
    row[at + 13] = block.describedWords;
    row[at + 14] = TAG_KINDS.get(segmentation.elements.nodes[block.container]?.name ?? "") ?? -1;
  },
};

/** How far up the nearest element of each group of names is. */
export const GROUPS: Family = {
  names: GROUP_NAMES,
  write({ elements }, _, { container }, row, at) {
    const groups = GROUP_NAMES.length;
    for (let group = 0; group < groups; group++)
      row[at + group] = container < 0 ? FAR : elements.distance[container * groups + group]!;
  },
};
