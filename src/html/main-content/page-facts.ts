// Facts about the page as a whole, and the order in which its blocks stand: neighbours, headings, articles.
import type { Segmentation } from "./blocks.ts";
import { HEADING, isProse, type ElementFacts } from "./element-facts.ts";
import type { PageHints } from "./page-hints.ts";

export type PageFacts = {
  readonly size: number;
  readonly characters: number;
  readonly linkShare: number;
  readonly proseShare: number;
  readonly largest: number;
  /** Numbers of elements by tag. */
  readonly tags: ReadonlyMap<string, number>;
  readonly currencies: number;
  readonly noscriptShare: number;
  /** Words of the address's last part, and what kind of end it has. */
  readonly slugHyphens: number;
  readonly slugLength: number;
  readonly slugDigits: number;
  /** The block that holds most of the description, -1 for none; the share of the page that linked data holds as an article. */
  readonly described: number;
  readonly bodyShare: number;
  /** What the page's meta data calls it: 0 nothing, 1 article, 2 web site, 3 product, 4 other. */
  readonly openGraphType: number;
  readonly linkedDataType: number;
  /** Running sums over blocks, one longer than the blocks. */
  readonly sizeBefore: Float64Array;
  readonly charactersBefore: Float64Array;
  readonly linkCharactersBefore: Float64Array;
  readonly proseBefore: Float64Array;
  /** For each block: the nearest heading block at or before it, -1 for none; and the next after it. */
  readonly heading: Int32Array;
  readonly nextHeading: Int32Array;
  /** The main heading: the first h1 sharing most with the title, or the first h1; -1 for none. */
  readonly mainHeading: number;
  /** For each block: the nearest block of running text before and after (the block count when none). */
  readonly proseBeforeAt: Int32Array;
  readonly proseAfterAt: Int32Array;
  /** For each element: number of outermost article elements begun before it. */
  readonly articlesBefore: Int32Array;
};

/** Level 1 to 6 of a block in a heading, else 0. */
export function headingLevel(page: Segmentation, index: number): number {
  const name = page.elements.nodes[page.blocks[index]?.container ?? -1]?.name ?? "";
  return HEADING.test(name) ? Number(name[1]) : 0;
}

/** Gathers the page's facts in a few passes. */
export function gatherPageFacts(
  page: Segmentation,
  facts: ElementFacts,
  url: string,
  hints: PageHints,
): PageFacts {
  const { blocks, elements } = page;
  const count = blocks.length;
  const sums = () => new Float64Array(count + 1);
  const [sizeBefore, charactersBefore, linkCharactersBefore, proseBefore] = [
    sums(),
    sums(),
    sums(),
    sums(),
  ];
  const heading = new Int32Array(count).fill(-1);
  const nextHeading = new Int32Array(count).fill(count);
  const proseBeforeAt = new Int32Array(count).fill(-1);
  const proseAfterAt = new Int32Array(count).fill(count);
  let mainHeading = -1;
  let mainWords = -1;
  let currencies = 0;
  let largest = 0;
  let described = -1;
  let describedWords = 4;
  let bodyWords = 0;
  let lastHeading = -1;
  let lastProse = -1;
  blocks.forEach((block, index) => {
    const prose = isProse(block);
    sizeBefore[index + 1] = sizeBefore[index]! + block.size;
    charactersBefore[index + 1] = charactersBefore[index]! + block.characters;
    linkCharactersBefore[index + 1] = linkCharactersBefore[index]! + block.linkCharacters;
    proseBefore[index + 1] = proseBefore[index]! + (prose ? block.size : 0);
    if (block.currencies > 0) currencies++;
    bodyWords += block.bodyWords;
    if (block.describedWords > describedWords) {
      described = index;
      ({ describedWords } = block);
    }
    largest = Math.max(largest, block.size);
    proseBeforeAt[index] = lastProse;
    const level = headingLevel(page, index);
    if (level > 0) lastHeading = index;
    heading[index] = lastHeading;
    if (prose) lastProse = index;
    if (level === 1 && block.titleWords > mainWords) {
      mainWords = block.titleWords;
      mainHeading = index;
    }
  });
  let next = count;
  let nextProse = count;
  for (let index = count - 1; index >= 0; index--) {
    nextHeading[index] = next;
    proseAfterAt[index] = nextProse;
    if (heading[index] === index) next = index;
    if (isProse(blocks[index]!)) nextProse = index;
  }
  const tags = new Map<string, number>();
  for (const node of elements.nodes) tags.set(node.name, (tags.get(node.name) ?? 0) + 1);
  const whole = sizeBefore[count]!;
  const characters = charactersBefore[count]!;
  return {
    size: whole,
    characters,
    linkShare: share(linkCharactersBefore[count]!, characters),
    proseShare: share(proseBefore[count]!, whole),
    largest,
    tags,
    currencies,
    noscriptShare: share(noscriptSize(page, facts), whole),
    ...addressFacts(url),
    described,
    bodyShare: share(bodyWords, whole),
    openGraphType: hints.openGraphType,
    linkedDataType: hints.linkedDataType,
    sizeBefore,
    charactersBefore,
    linkCharactersBefore,
    proseBefore,
    heading,
    nextHeading,
    mainHeading,
    proseBeforeAt,
    proseAfterAt,
    articlesBefore: countArticles(page),
  };
}

/** a of b, 0 when b is 0. */
export const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

function noscriptSize(page: Segmentation, facts: ElementFacts): number {
  let size = 0;
  page.elements.nodes.forEach(
    (node, element) => (size += node.name === "noscript" ? facts.size[element]! : 0),
  );
  return size;
}

function countArticles(page: Segmentation): Int32Array {
  const { nodes, end } = page.elements;
  const before = new Int32Array(nodes.length);
  let seen = 0;
  let inside = -1;
  for (let element = 0; element < nodes.length; element++) {
    before[element] = element < inside ? seen - 1 : seen;
    if (nodes[element]!.name === "article" && element >= inside) {
      seen++;
      inside = end[element]!;
    }
  }
  return before;
}

function addressFacts(url: string): Pick<PageFacts, "slugHyphens" | "slugLength" | "slugDigits"> {
  const path = /^[a-z]+:\/\/[^/?#]+([^?#]*)/i.exec(url)?.[1] ?? "";
  const slug = path.replace(/\/+$/, "").split("/").pop() ?? "";
  return {
    slugHyphens: slug.split(/[-_+]/).length - 1,
    slugLength: Math.min(slug.length, 200),
    slugDigits: slug.replace(/\D+/g, "").length,
  };
}
