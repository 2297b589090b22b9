// Repetition on a page: blocks at the same path and similar siblings (cards, rows, teasers).
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";

/** Sums over a set of similar elements or blocks. */
export type SiblingStats = {
  count: number;
  size: number;
  squares: number;
  characters: number;
  linkCharacters: number;
};

export type Repetition = {
  /** For each block: the blocks whose container has the same path. */
  readonly pathKin: readonly SiblingStats[];
  /** For each element: its siblings with the same tag and first class, including itself. */
  readonly siblings: readonly SiblingStats[];
  /**
   * For each element: the nearest ancestor or self that is one of at least three similar siblings
   * with several blocks, or -1.
   */
  readonly card: Int32Array;
};

function getSiblingStats(kins: Map<number, SiblingStats>, key: number): SiblingStats {
  let kin = kins.get(key);
  if (kin === undefined) {
    kin = { count: 0, size: 0, squares: 0, characters: 0, linkCharacters: 0 };
    kins.set(key, kin);
  }
  return kin;
}

function add(kin: SiblingStats, size: number, characters: number, linkCharacters: number): void {
  kin.count++;
  kin.size += size;
  kin.squares += size * size;
  kin.characters += characters;
  kin.linkCharacters += linkCharacters;
}

/** Finds repetition in linear time. */
export function findRepetition(page: Segmentation, facts: ElementFacts): Repetition {
  const paths = new Map<number, SiblingStats>();
  const pathKin: SiblingStats[] = [];
  for (const { container, size, characters, linkCharacters } of page.blocks) {
    const kin = getSiblingStats(paths, container < 0 ? 0 : facts.path[container]!);
    add(kin, size, characters, linkCharacters);
    pathKin.push(kin);
  }
  return { pathKin, ...findSiblings(page.elements, facts) };
}

function findSiblings(
  elements: Segmentation["elements"],
  facts: ElementFacts,
): Pick<Repetition, "siblings" | "card"> {
  const { parent, blockStart, blockEnd } = elements;
  const count = parent.length;
  const kins = new Map<number, SiblingStats>();
  const siblings: SiblingStats[] = [];
  for (let element = 0; element < count; element++) {
    // One hash for parent and signature together. Collisions are too rare to justify a nested map.
    const kin = getSiblingStats(
      kins,
      Math.imul(parent[element]! + 2, 0x9e3779b1) ^ facts.own[element]!,
    );
    add(kin, facts.size[element]!, facts.characters[element]!, facts.linkCharacters[element]!);
    siblings.push(kin);
  }
  const card = new Int32Array(count);
  for (let element = 0; element < count; element++) {
    const up = parent[element]!;
    const several = blockEnd[element]! - blockStart[element]! >= 2;
    card[element] = several && siblings[element]!.count >= 3 ? element : up < 0 ? -1 : card[up]!;
  }
  return { siblings, card };
}
