// Features of where a block stands: neighbours, headings, containers, the top candidate.
import { share } from "./page-facts.ts";
import type { Family, PageView } from "./page-view.ts";

/** Larger than any distance between blocks. */
const NOWHERE = 1_000_000;

/** The block-level element around an element, -1 for none. */
function above(view: PageView, element: number): number {
  if (element < 0) return -1;
  const { parent, container } = view.segmentation.elements;
  const up = parent[element]!;
  return up < 0 ? -1 : container[up]!;
}

/** The blocks around. */
export const NEIGHBOURS: Family = {
  names: [
    "size-1",
    "size+1",
    "around-4-mean",
    "around-4-links",
    "around-4-prose",
    "around-12-links",
  ],
  write({ page, segmentation: { blocks } }, index, _, row, at) {
    const { sizeBefore, charactersBefore, linkCharactersBefore, proseBefore } = page;
    const count = blocks.length;
    row[at] = index > 0 ? blocks[index - 1]!.size : 0;
    row[at + 1] = index + 1 < count ? blocks[index + 1]!.size : 0;
    let from = Math.max(index - 4, 0);
    let to = Math.min(index + 5, count);
    const size = sizeBefore[to]! - sizeBefore[from]!;
    row[at + 2] = size / (to - from);
    row[at + 3] = share(
      linkCharactersBefore[to]! - linkCharactersBefore[from]!,
      charactersBefore[to]! - charactersBefore[from]!,
    );
    row[at + 4] = share(proseBefore[to]! - proseBefore[from]!, size);
    from = Math.max(index - 12, 0);
    to = Math.min(index + 13, count);
    row[at + 5] = share(
      linkCharactersBefore[to]! - linkCharactersBefore[from]!,
      charactersBefore[to]! - charactersBefore[from]!,
    );
  },
};

/** The place on the page and in its outline. */
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
  write({ page, segmentation: { blocks, elements } }, index, { container }, row, at) {
    const count = blocks.length;
    row[at] = index / count;
    row[at + 1] = index;
    row[at + 2] = count - index;
    row[at + 3] = share(page.sizeBefore[index]!, page.size);
    row[at + 4] = share(page.proseBefore[index]!, page.proseBefore[count]!);
    row[at + 5] = container < 0 ? 0 : elements.depth[container]!;
    row[at + 6] = container < 0 ? 0 : page.articlesBefore[container]!;
    row[at + 7] = page.mainHeading < 0 ? -NOWHERE : index - page.mainHeading;
    row[at + 8] = page.described < 0 ? -NOWHERE : index - page.described;
  },
};

/** The heading above and the section it opens. */
export const OUTLINE: Family = {
  names: [
    "heading-level",
    "heading-distance",
    "heading-title-words",
    "section-size",
    "section-links",
  ],
  write({ page, elements, segmentation: { blocks } }, index, _, row, at) {
    const heading = page.heading[index]!;
    const from = Math.max(heading, 0);
    const to = page.nextHeading[index]!;
    row[at] = heading < 0 ? 0 : elements.level[blocks[heading]!.container]!;
    row[at + 1] = heading < 0 ? -1 : index - heading;
    row[at + 2] = heading < 0 ? -1 : blocks[heading]!.titleWords;
    row[at + 3] = page.sizeBefore[to]! - page.sizeBefore[from]!;
    row[at + 4] = share(
      page.linkCharactersBefore[to]! - page.linkCharactersBefore[from]!,
      page.charactersBefore[to]! - page.charactersBefore[from]!,
    );
  },
};

const CONTAINER_LEVELS = [1, 2, 3, 5];
/** The block-level elements above. */
export const CONTAINERS: Family = {
  names: CONTAINER_LEVELS.flatMap((level) => [
    `up${level}-size`,
    `up${level}-links`,
    `up${level}-prose`,
  ]),
  write(view, _, { container }, row, at) {
    const { size, characters, linkCharacters, prose } = view.elements;
    let element = container;
    let level = 0;
    let next = at;
    for (const wanted of CONTAINER_LEVELS) {
      for (; level < wanted; level++) element = above(view, element);
      row[next] = element < 0 ? 0 : size[element]!;
      row[next + 1] = element < 0 ? -1 : share(linkCharacters[element]!, characters[element]!);
      row[next + 2] = element < 0 ? -1 : share(prose[element]!, size[element]!);
      next += 3;
    }
  },
};

/** Blocks between a block and an element: negative before it, 0 inside. */
function spanDistance(view: PageView, index: number, element: number): number {
  if (element < 0) return -NOWHERE;
  const { blockStart, blockEnd } = view.segmentation.elements;
  if (index < blockStart[element]!) return index - blockStart[element]!;
  return index >= blockEnd[element]! ? index - blockEnd[element]! + 1 : 0;
}
/** The way to where the article is thought to be. */
export const TOP: Family = {
  names: ["top-steps", "top-span", "half-span", "most-span", "best-votes", "up-votes"],
  write(view, index, { container }, row, at) {
    const { top } = view;
    const up = above(view, container);
    row[at] = container < 0 ? 30 : top.stepsToTop[container]!;
    row[at + 1] = spanDistance(view, index, top.top);
    row[at + 2] = spanDistance(view, index, top.half);
    row[at + 3] = spanDistance(view, index, top.most);
    row[at + 4] = container < 0 ? 0 : share(top.best[container]!, top.topScore);
    row[at + 5] = up < 0 ? 0 : share(top.score[up]!, top.topScore);
  },
};
