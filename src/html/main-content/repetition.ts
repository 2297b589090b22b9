// What repeats on a page: elements at the same path, siblings of one make (cards, rows, teasers), texts said twice.
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";

/** Sums over a set of like elements or blocks. */
export type Kin = {
  count: number;
  size: number;
  squares: number;
  characters: number;
  linkCharacters: number;
  images: number;
  headings: number;
};

export type Repetition = {
  /** For each block: the blocks whose container has the same path. */
  readonly pathKin: Kin[];
  /** For each element: its siblings of the same tag and first class, itself included. */
  readonly siblings: Kin[];
  /** For each element: the nearest ancestor or self that is one of three or more like siblings holding several blocks; -1 for none. */
  readonly card: Int32Array;
  /** For each element: its place among its like siblings, from 0. */
  readonly place: Int32Array;
  /** For each block: how many blocks of the page say the same; and how many before it. */
  readonly copies: Int32Array;
  readonly copiesBefore: Int32Array;
};

const newKin = (): Kin => ({
  count: 0,
  size: 0,
  squares: 0,
  characters: 0,
  linkCharacters: 0,
  images: 0,
  headings: 0,
});

function kinOf<Key>(map: Map<Key, Kin>, key: Key): Kin {
  let kin = map.get(key);
  if (kin === undefined) map.set(key, (kin = newKin()));
  return kin;
}

/** Finds the repetitions in time linear in blocks and elements. */
export function findRepetition(page: Segmentation, facts: ElementFacts): Repetition {
  const { blocks, elements } = page;
  const paths = new Map<number, Kin>();
  const pathKin: Kin[] = [];
  const said = new Map<number, number>();
  const copies = new Int32Array(blocks.length);
  const copiesBefore = new Int32Array(blocks.length);
  blocks.forEach((block, index) => {
    const kin = kinOf(paths, block.container < 0 ? 0 : facts.path[block.container]!);
    kin.count++;
    kin.size += block.size;
    kin.squares += block.size * block.size;
    kin.characters += block.characters;
    kin.linkCharacters += block.linkCharacters;
    pathKin.push(kin);
    const before = said.get(block.hash) ?? 0;
    copiesBefore[index] = before;
    said.set(block.hash, before + 1);
  });
  blocks.forEach((block, index) => (copies[index] = said.get(block.hash) ?? 1));
  return { pathKin, copies, copiesBefore, ...findSiblings(elements, facts) };
}

function findSiblings(
  elements: Segmentation["elements"],
  facts: ElementFacts,
): Pick<Repetition, "siblings" | "card" | "place"> {
  const count = elements.nodes.length;
  const groups = new Map<number, Map<number, Kin>>();
  const siblings: Kin[] = [];
  const place = new Int32Array(count);
  const card = new Int32Array(count);
  for (let element = 0; element < count; element++) {
    const up = elements.parent[element]!;
    let family = groups.get(up);
    if (family === undefined) groups.set(up, (family = new Map()));
    const kin = kinOf(family, facts.own[element]!);
    place[element] = kin.count++;
    const size = facts.size[element]!;
    kin.size += size;
    kin.squares += size * size;
    kin.characters += facts.characters[element]!;
    kin.linkCharacters += facts.linkCharacters[element]!;
    kin.images += facts.images[element]! > 0 ? 1 : 0;
    kin.headings += facts.headings[element]! > 0 ? 1 : 0;
    siblings.push(kin);
  }
  for (let element = 0; element < count; element++) {
    const up = elements.parent[element]!;
    const several = elements.blockEnd[element]! - elements.blockStart[element]! >= 2;
    card[element] = several && siblings[element]!.count >= 3 ? element : up < 0 ? -1 : card[up]!;
  }
  return { siblings, card, place };
}
