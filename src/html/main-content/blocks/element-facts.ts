// Facts about every recorded element: sums over its blocks, and names of its ancestors.
import type { Segmentation } from "./blocks.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { NameReader } from "./name-reader.ts";
import { tagNumber, TAG_NUMBERS } from "../../parse/tag-numbers.ts";

/** No ancestor in that group. */
export const NO_ANCESTOR_DISTANCE = 20;
const GROUPS = GROUP_NAMES.length;

export type ElementFacts = {
  readonly size: Float64Array;
  readonly characters: Float64Array;
  readonly linkCharacters: Float64Array;
  readonly commas: Float64Array;
  /** Size of the blocks that read like running text. */
  readonly prose: Float64Array;
  readonly images: Float64Array;
  /**
   * For element e and group g at e * groups + g: steps to the nearest ancestor in the group, 0 for
   * the element itself, NO_ANCESTOR_DISTANCE for none.
   */
  readonly distance: Uint8Array;
  /** Heading level 1 to 6, else 0. */
  readonly level: Uint8Array;
  /** Signature of the tags and first classes from the root down. */
  readonly path: Int32Array;
  /** Signature of the element's tag and first class. */
  readonly own: Int32Array;
  /** Index of each element's class in `names.reader.classes`, and 1 for each that has an id. */
  readonly classes: Int32Array;
  readonly hasId: Uint8Array;
  /** The microdata types on the page. */
  readonly itemTypes: ReadonlySet<string>;
  readonly names: ElementNames;
};

/**
 * For each element the numbers of its name lists and their start; one entry longer than the
 * elements. `reader` holds the lists.
 */
export type ElementNames = {
  readonly reader: NameReader;
  readonly own: number[];
  readonly ownStart: number[];
};

/** Heading level 1 to 6 by tag number; 0 for all other tags. */
const MAX_LEVELS = new Uint8Array(TAG_NUMBERS);
for (let level = 1; level <= 6; level++) MAX_LEVELS[tagNumber(`h${level}`)] = level;

/** True for a block that reads like running text: long enough and not mostly links. */
export function isProse(block: {
  size: number;
  characters: number;
  linkCharacters: number;
}): boolean {
  return block.size >= 15 && block.linkCharacters * 2 < block.characters;
}

/** Collects the facts of all elements in two passes over the table. */
export function gatherElementFacts(page: Segmentation): ElementFacts {
  const { nodes, parent, images } = page.elements;
  const count = nodes.length;
  const column = (): Float64Array => new Float64Array(count);
  const facts: ElementFacts = {
    size: column(),
    characters: column(),
    linkCharacters: column(),
    commas: column(),
    prose: column(),
    images: new Float64Array(images),
    distance: new Uint8Array(count * GROUPS),
    level: new Uint8Array(count),
    path: new Int32Array(count),
    own: new Int32Array(count),
    classes: new Int32Array(count),
    hasId: new Uint8Array(count),
    itemTypes: new Set(),
    names: { reader: new NameReader(), own: [], ownStart: [0] },
  };
  for (const block of page.blocks) {
    const element = block.container;
    if (element < 0) continue;
    facts.size[element]! += block.size;
    facts.characters[element]! += block.characters;
    facts.linkCharacters[element]! += block.linkCharacters;
    facts.commas[element]! += block.commas;
    if (isProse(block)) facts.prose[element]! += block.size;
  }
  for (let element = count - 1; element >= 0; element--) {
    const up = parent[element]!;
    if (up < 0) continue;
    facts.size[up]! += facts.size[element]!;
    facts.characters[up]! += facts.characters[element]!;
    facts.linkCharacters[up]! += facts.linkCharacters[element]!;
    facts.commas[up]! += facts.commas[element]!;
    facts.prose[up]! += facts.prose[element]!;
    facts.images[up]! += facts.images[element]!;
  }
  descend(page, facts);
  // A copy, because inline elements are read later and must not be included.
  return { ...facts, itemTypes: new Set(facts.names.reader.itemTypes) };
}

function descend(page: Segmentation, facts: ElementFacts): void {
  const { nodes, tag, parent } = page.elements;
  const { distance } = facts;
  const { reader, own: lists, ownStart } = facts.names;
  for (let element = 0; element < nodes.length; element++) {
    const node = nodes[element]!;
    const up = parent[element]!;
    const row = element * GROUPS;
    const above = up * GROUPS;
    for (let group = 0; group < GROUPS; group++) {
      const steps = up < 0 ? NO_ANCESTOR_DISTANCE : distance[above + group]!;
      distance[row + group] = steps < NO_ANCESTOR_DISTANCE - 1 ? steps + 1 : steps;
    }
    for (let bits = reader.read(node, lists); bits !== 0; bits &= bits - 1)
      distance[row + 31 - Math.clz32(bits & -bits)] = 0;
    ownStart.push(lists.length);
    facts.level[element] = MAX_LEVELS[tag[element]!]!;
    facts.own[element] = reader.signature;
    facts.path[element] = (Math.imul(up < 0 ? 17 : facts.path[up]!, 31) + reader.signature) | 0;
    facts.classes[element] = reader.classIndex;
    if (reader.hasId) facts.hasId[element] = 1;
  }
}
