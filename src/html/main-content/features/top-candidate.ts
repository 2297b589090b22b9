// The element most likely to hold an article, as reading modes find it: paragraphs vote for their
// ancestors.
import type { Segmentation } from "../blocks/blocks.ts";
import { isProse, type ElementFacts } from "../blocks/element-facts.ts";

export type TopCandidate = {
  /** Votes of each element, and the highest votes of any ancestor or self. */
  readonly score: Float64Array;
  readonly best: Float64Array;
  readonly topScore: number;
  /** The winner, or -1 on a page without paragraphs. */
  readonly top: number;
  /** The smallest element with 60 % and with 90 % of the running text. */
  readonly half: number;
  readonly most: number;
  /** For each element: steps to the nearest ancestor or self that also contains the winner. */
  readonly stepsToTop: Int32Array;
};

/**
 * Lets every block of at least 25 characters vote for its ancestors. Closer ancestors get more, and
 * links reduce the vote.
 */
export function findTopCandidate(page: Segmentation, facts: ElementFacts): TopCandidate {
  const { parent, container, end } = page.elements;
  const count = parent.length;
  const score = new Float64Array(count);
  for (const block of page.blocks) {
    if (block.characters < 25 || block.container < 0) continue;
    const weight =
      (1 + block.commas + Math.min(block.characters / 100, 3)) *
      (1 - block.linkCharacters / block.characters);
    let element = block.container;
    for (let level = 0; level < 5; level++) {
      const up = parent[element]!;
      if (up < 0) break;
      element = container[up]! < 0 ? up : container[up]!;
      score[element]! += level === 0 ? weight : level === 1 ? weight / 2 : weight / (level * 3);
    }
  }
  const best = new Float64Array(count);
  let top = -1;
  let topScore = 0;
  for (let element = 0; element < count; element++) {
    const characters = facts.characters[element]!;
    if (characters > 0) score[element]! *= 1 - facts.linkCharacters[element]! / characters;
    best[element] = Math.max(score[element]!, parent[element]! < 0 ? 0 : best[parent[element]!]!);
    if (score[element]! > topScore) {
      topScore = score[element]!;
      top = element;
    }
  }
  const holdsTop = new Uint8Array(count);
  for (let element = top; element >= 0; element = parent[element]!) holdsTop[element] = 1;
  const stepsToTop = new Int32Array(count);
  for (let element = 0; element < count; element++) {
    const inside = top >= 0 && element >= top && element < end[top]!;
    stepsToTop[element] = inside
      ? -1
      : holdsTop[element] === 1
        ? 0
        : parent[element]! < 0
          ? 30
          : Math.max(stepsToTop[parent[element]!]!, 0) + 1;
  }
  let whole = 0;
  for (const block of page.blocks) if (isProse(block)) whole += block.size;
  return {
    score,
    best,
    topScore,
    top,
    half: findSmallestContainer(page, facts, whole * 0.6),
    most: findSmallestContainer(page, facts, whole * 0.9),
    stepsToTop,
  };
}

function findSmallestContainer(page: Segmentation, facts: ElementFacts, prose: number): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  if (prose === 0) return found;
  for (let element = 0; element < facts.prose.length; element++) {
    if (facts.prose[element]! < prose) continue;
    // On equal sizes the inner element wins; it comes later.
    if (facts.size[element]! <= least) {
      least = facts.size[element]!;
      found = element;
    }
  }
  return found;
}
