// Facts about the whole page and its block order: neighbors, headings, articles.
import type { Segmentation } from "../blocks/blocks.ts";
import { isProse, type ElementFacts } from "../blocks/element-facts.ts";
import { tagNumber, TAG_NUMBERS } from "../../parse/tag-numbers.ts";
import type { PageHints } from "../../evidence/page-hints.ts";

export type PageFacts = {
  readonly size: number;
  readonly linkShare: number;
  readonly proseShare: number;
  /** Share of headings that are mostly a link. */
  readonly linkedHeadingShare: number;
  readonly largest: number;
  /** Element counts of `COUNTED_TAGS`. */
  readonly tags: readonly number[];
  readonly currencies: number;
  /** Words and characters of the last path segment. */
  readonly slugHyphens: number;
  readonly slugLength: number;
  /** The block that holds most of the description, or -1. */
  readonly described: number;
  /** Type of the page in linked data: 0 none, 1 article, 2 list, 3 product. */
  readonly linkedDataType: number;
  /** Prefix sums over blocks, one entry longer than the blocks. */
  readonly sizeBefore: Float64Array;
  readonly charactersBefore: Float64Array;
  readonly linkCharactersBefore: Float64Array;
  readonly proseBefore: Float64Array;
  /** For each block the nearest heading block at or before it, or -1, and the next one after it. */
  readonly heading: Int32Array;
  readonly nextHeading: Int32Array;
  /** The main heading: the h1 that shares most with the title, or the first h1; -1 for none. */
  readonly mainHeading: number;
  /** For each element: number of outermost articles that start before it. */
  readonly articlesBefore: Int32Array;
};

/** Tags whose count on the page is a feature. */
export const COUNTED_TAGS = [
  "p",
  "h2",
  "h3",
  "li",
  "article",
  "section",
  "form",
  "button",
  "td",
  "pre",
] as const;
const COUNTED = COUNTED_TAGS.map(tagNumber);
const ARTICLE = tagNumber("article");

/** Returns part / whole, or 0 if whole is 0. */
export const computeShare = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** Collects the page's facts in a few passes. */
export function gatherPageFacts(
  page: Segmentation,
  facts: ElementFacts,
  url: string,
  hints: PageHints,
): PageFacts {
  const { blocks } = page;
  const count = blocks.length;
  const sizeBefore = new Float64Array(count + 1);
  const charactersBefore = new Float64Array(count + 1);
  const linkCharactersBefore = new Float64Array(count + 1);
  const proseBefore = new Float64Array(count + 1);
  let currencies = 0;
  let largest = 0;
  let described = -1;
  let describedWords = 4;
  for (let index = 0; index < count; index++) {
    const block = blocks[index]!;
    sizeBefore[index + 1] = sizeBefore[index]! + block.size;
    charactersBefore[index + 1] = charactersBefore[index]! + block.characters;
    linkCharactersBefore[index + 1] = linkCharactersBefore[index]! + block.linkCharacters;
    proseBefore[index + 1] = proseBefore[index]! + (isProse(block) ? block.size : 0);
    if (block.currencies > 0) currencies++;
    if (block.describedWords > describedWords) {
      described = index;
      ({ describedWords } = block);
    }
    if (block.size > largest) largest = block.size;
  }
  const size = sizeBefore[count]!;
  return {
    size,
    linkShare: computeShare(linkCharactersBefore[count]!, charactersBefore[count]!),
    proseShare: computeShare(proseBefore[count]!, size),
    largest,
    currencies,
    described,
    linkedDataType: hints.linkedDataType,
    sizeBefore,
    charactersBefore,
    linkCharactersBefore,
    proseBefore,
    ...countTags(page),
    ...readOutline(page, facts),
    ...measureAddress(url),
  };
}

/** Finds the headings above and below each block. */
function readOutline(
  { blocks }: Segmentation,
  facts: ElementFacts,
): Pick<PageFacts, "heading" | "nextHeading" | "mainHeading" | "linkedHeadingShare"> {
  const count = blocks.length;
  const heading = new Int32Array(count);
  const nextHeading = new Int32Array(count);
  let mainHeading = -1;
  let mainWords = -1;
  let last = -1;
  let headings = 0;
  let linked = 0;
  for (let index = 0; index < count; index++) {
    const block = blocks[index]!;
    const level = block.container < 0 ? 0 : facts.level[block.container]!;
    if (level > 0) {
      last = index;
      headings++;
      if (block.linkCharacters * 2 > block.characters) linked++;
    }
    heading[index] = last;
    if (level === 1 && block.titleWords > mainWords) {
      mainWords = block.titleWords;
      mainHeading = index;
    }
  }
  let next = count;
  for (let index = count - 1; index >= 0; index--) {
    nextHeading[index] = next;
    if (heading[index] === index) next = index;
  }
  return { heading, nextHeading, mainHeading, linkedHeadingShare: computeShare(linked, headings) };
}

/** Counts elements by tag, and for each element the articles that start before it. */
function countTags({ elements }: Segmentation): Pick<PageFacts, "tags" | "articlesBefore"> {
  const { tag, end } = elements;
  const counts = new Uint32Array(TAG_NUMBERS);
  const articlesBefore = new Int32Array(tag.length);
  let seen = 0;
  let inside = -1;
  for (let element = 0; element < tag.length; element++) {
    counts[tag[element]!]!++;
    articlesBefore[element] = element < inside ? seen - 1 : seen;
    if (tag[element] === ARTICLE && element >= inside) {
      seen++;
      inside = end[element]!;
    }
  }
  return { tags: COUNTED.map((number) => counts[number]!), articlesBefore };
}

function measureAddress(url: string): Pick<PageFacts, "slugHyphens" | "slugLength"> {
  const path = /^[a-z]+:\/\/[^/?#]+([^?#]*)/i.exec(url)?.[1] ?? "";
  const slug = path.replace(/\/+$/, "").split("/").pop() ?? "";
  return {
    slugHyphens: slug.split(/[-_+]/).length - 1,
    slugLength: Math.min(slug.length, 200),
  };
}
