// What is known of every recorded element: sums over its blocks from below, names of its ancestors from above.
import type { Segmentation } from "./blocks.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { NameReader } from "./name-reader.ts";

/** No ancestor of that group. */
export const FAR = 20;
const GROUPS = GROUP_NAMES.length;

export type ElementFacts = {
  readonly size: Float64Array;
  readonly characters: Float64Array;
  readonly linkCharacters: Float64Array;
  readonly commas: Float64Array;
  /** Size of the blocks that read like running text. */
  readonly prose: Float64Array;
  readonly images: Float64Array;
  /** For element e and group g at e * groups + g: steps up to the nearest ancestor of the group, 0 for itself, FAR for none. */
  readonly distance: Uint8Array;
  /** Level 1 to 6 of a heading element, else 0. */
  readonly level: Uint8Array;
  /** Signature of tag and first class down from the root. */
  readonly path: Int32Array;
  /** Signature of tag and first class alone. */
  readonly own: Int32Array;
  /** The types of microdata on the page. */
  readonly itemTypes: ReadonlySet<string>;
  readonly names: ElementNames;
};

/** For each element the numbers of its lists of names, and where they begin; one longer than the elements. `reader` holds the lists. */
export type ElementNames = {
  readonly reader: NameReader;
  readonly own: number[];
  readonly ownStart: number[];
};

/** Level 1 to 6 of a heading's tag, else 0. */
function levelOf(name: string): number {
  if (name.length !== 2 || name.charCodeAt(0) !== 104) return 0;
  const level = name.charCodeAt(1) - 48;
  return level >= 1 && level <= 6 ? level : 0;
}

/** True for a block that reads like running text: long enough and not made of links. */
export function isProse(block: {
  size: number;
  characters: number;
  linkCharacters: number;
}): boolean {
  return block.size >= 15 && block.linkCharacters * 2 < block.characters;
}

/** The facts of all elements, in two passes over the table. */
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
  // Those that stand inline, which are read later, are not meant.
  return { ...facts, itemTypes: new Set(facts.names.reader.itemTypes) };
}

function descend(page: Segmentation, facts: ElementFacts): void {
  const { nodes, parent } = page.elements;
  const classes = new Map<string, number>();
  const tags = new Map<string, number>();
  const { distance } = facts;
  const { reader, own: lists, ownStart } = facts.names;
  for (let element = 0; element < nodes.length; element++) {
    const node = nodes[element]!;
    const up = parent[element]!;
    const row = element * GROUPS;
    const above = up * GROUPS;
    for (let group = 0; group < GROUPS; group++) {
      const steps = up < 0 ? FAR : distance[above + group]!;
      distance[row + group] = steps < FAR - 1 ? steps + 1 : steps;
    }
    for (let bits = reader.read(node, lists); bits !== 0; bits &= bits - 1)
      distance[row + 31 - Math.clz32(bits & -bits)] = 0;
    ownStart.push(lists.length);
    facts.level[element] = levelOf(node.name);
    const own =
      hashOf(node.name, tags) ^ Math.imul(hashOf(node.attribs["class"], classes, firstName), 7);
    facts.own[element] = own;
    facts.path[element] = (Math.imul(up < 0 ? 17 : facts.path[up]!, 31) + own) | 0;
  }
}

/** The first of several class names, numbers left out. */
const firstName = (names: string): string =>
  /[^\s]+/.exec(names.slice(0, 200))?.[0].replace(/\d+/g, "") ?? "";

/** Hash of a name, remembered as long as the page is looked at; 0 for none. */
function hashOf(
  name: string | undefined,
  seen: Map<string, number>,
  reduce?: (name: string) => string,
): number {
  if (name === undefined) return 0;
  let hash = seen.get(name);
  if (hash === undefined) {
    hash = 0x811c9dc5;
    const text = reduce === undefined ? name : reduce(name);
    for (let index = 0; index < text.length; index++)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    seen.set(name, hash);
  }
  return hash;
}
