// Features of a block's position: neighbors, headings, containers, top candidate.
import { computeShare } from "./page-facts.ts";
import type { Family, PageView } from "./page-view.ts";

/** Larger than any distance between blocks. */
const NO_BLOCK_DISTANCE = 1_000_000;

/** Returns the block-level parent of an element, or -1. */
function findBlockParent(view: PageView, element: number): number {
  if (element < 0) return -1;
  const { parent, container } = view.segmentation.elements;
  const up = parent[element]!;
  return up < 0 ? -1 : container[up]!;
}

/** Neighboring blocks. */
export const NEIGHBORS: Family = {
  names: [
    "size-1",
    "size+1",
    "around-4-mean",
    "around-4-links",
    "around-4-prose",
    "around-12-links",
  ],
  write({ page, segmentation: { blocks } }, rows, width, first) {
    const { sizeBefore, charactersBefore, linkCharactersBefore, proseBefore } = page;
    const count = blocks.length;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      rows[at] = index > 0 ? blocks[index - 1]!.size : 0;
      rows[at + 1] = index + 1 < count ? blocks[index + 1]!.size : 0;
      let from = Math.max(index - 4, 0);
      let to = Math.min(index + 5, count);
      const size = sizeBefore[to]! - sizeBefore[from]!;
      rows[at + 2] = size / (to - from);
      rows[at + 3] = computeShare(
        linkCharactersBefore[to]! - linkCharactersBefore[from]!,
        charactersBefore[to]! - charactersBefore[from]!,
      );
      rows[at + 4] = computeShare(proseBefore[to]! - proseBefore[from]!, size);
      from = Math.max(index - 12, 0);
      to = Math.min(index + 13, count);
      rows[at + 5] = computeShare(
        linkCharactersBefore[to]! - linkCharactersBefore[from]!,
        charactersBefore[to]! - charactersBefore[from]!,
      );
    }
  },
};

/** Position on the page and in its outline. */
export const POSITION: Family = {
  names: [
    "position",
    "index",
    "index-from-end",
    "text-before",
    "prose-before",
    "depth",
    "articles-before",
    "from-main-heading",
    "from-described",
  ],
  write({ page, segmentation: { blocks, elements } }, rows, width, first) {
    const count = blocks.length;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const { container } = blocks[index]!;
      rows[at] = index / count;
      rows[at + 1] = index;
      rows[at + 2] = count - index;
      rows[at + 3] = computeShare(page.sizeBefore[index]!, page.size);
      rows[at + 4] = computeShare(page.proseBefore[index]!, page.proseBefore[count]!);
      rows[at + 5] = container < 0 ? 0 : elements.depth[container]!;
      rows[at + 6] = container < 0 ? 0 : page.articlesBefore[container]!;
      rows[at + 7] = page.mainHeading < 0 ? -NO_BLOCK_DISTANCE : index - page.mainHeading;
      rows[at + 8] = page.described < 0 ? -NO_BLOCK_DISTANCE : index - page.described;
    }
  },
};

/** The heading above and its section. */
export const OUTLINE: Family = {
  names: [
    "heading-level",
    "heading-distance",
    "heading-title-words",
    "section-size",
    "section-links",
  ],
  write({ page, elements, segmentation: { blocks } }, rows, width, first) {
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const heading = page.heading[index]!;
      const from = Math.max(heading, 0);
      const to = page.nextHeading[index]!;
      rows[at] = heading < 0 ? 0 : elements.level[blocks[heading]!.container]!;
      rows[at + 1] = heading < 0 ? -1 : index - heading;
      rows[at + 2] = heading < 0 ? -1 : blocks[heading]!.titleWords;
      rows[at + 3] = page.sizeBefore[to]! - page.sizeBefore[from]!;
      rows[at + 4] = computeShare(
        page.linkCharactersBefore[to]! - page.linkCharactersBefore[from]!,
        page.charactersBefore[to]! - page.charactersBefore[from]!,
      );
    }
  },
};

const CONTAINER_LEVELS = [1, 2, 3, 5];
/** Block-level ancestors. */
export const CONTAINERS: Family = {
  names: CONTAINER_LEVELS.flatMap((level) => [
    `up${level}-size`,
    `up${level}-links`,
    `up${level}-prose`,
  ]),
  write(view, rows, width, first) {
    const { blocks } = view.segmentation;
    const { size, characters, linkCharacters, prose } = view.elements;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      let element = blocks[index]!.container;
      let level = 0;
      let next = at;
      for (const wanted of CONTAINER_LEVELS) {
        for (; level < wanted; level++) element = findBlockParent(view, element);
        rows[next] = element < 0 ? 0 : size[element]!;
        rows[next + 1] =
          element < 0 ? -1 : computeShare(linkCharacters[element]!, characters[element]!);
        rows[next + 2] = element < 0 ? -1 : computeShare(prose[element]!, size[element]!);
        next += 3;
      }
    }
  },
};

/** Blocks between a block and an element: negative before it, 0 inside. */
function measureSpanDistance(view: PageView, index: number, element: number): number {
  if (element < 0) return -NO_BLOCK_DISTANCE;
  const { blockStart, blockEnd } = view.segmentation.elements;
  if (index < blockStart[element]!) return index - blockStart[element]!;
  return index >= blockEnd[element]! ? index - blockEnd[element]! + 1 : 0;
}
/** Distance to the likely article element. */
export const TOP: Family = {
  names: ["top-steps", "top-span", "half-span", "most-span", "best-votes", "up-votes"],
  write(view, rows, width, first) {
    const { top } = view;
    const { blocks } = view.segmentation;
    for (let index = 0, at = first; index < blocks.length; index++, at += width) {
      const { container } = blocks[index]!;
      const up = findBlockParent(view, container);
      rows[at] = container < 0 ? 30 : top.stepsToTop[container]!;
      rows[at + 1] = measureSpanDistance(view, index, top.top);
      rows[at + 2] = measureSpanDistance(view, index, top.half);
      rows[at + 3] = measureSpanDistance(view, index, top.most);
      rows[at + 4] = container < 0 ? 0 : computeShare(top.best[container]!, top.topScore);
      rows[at + 5] = up < 0 ? 0 : computeShare(top.score[up]!, top.topScore);
    }
  },
};
