// Finds the generator of a page and the place of its content. Every page is checked, so the walk
// visits only elements that can hold content.
import { isTag, isText, type Document, type Element, type ParentNode } from "domhandler";
import { getElementTagNumber } from "../parse/nodes.ts";
import { tagSet } from "../parse/tag-numbers.ts";
import { countWords, findElement, hasText, getNextNode } from "../parse/tree.ts";
import type { Generator } from "./generator.ts";
import { GENERATORS } from "./generators.ts";
import { THREAD_SOFTWARE, type ThreadSoftware } from "../threads/thread-software.ts";
import { readPlace, matchesPlace, type Place } from "./place.ts";
import { ClassLookup, Places } from "./places.ts";

export type GeneratedPage = {
  readonly generator: Generator;
  /**
   * The content, the main heading and related elements outside the content. None is inside another.
   */
  readonly kept: readonly Element[];
  /** The main heading, if the generator has a place for it. */
  readonly title: Element | undefined;
};

/** The meaning of a place for a generator. */
type Sign = {
  readonly generator: Generator;
  readonly part: "content" | "needs" | "unless";
  /** Index of the place among the generator's places of that kind. */
  readonly rank: number;
  readonly place: Place;
};

/** Forum software, as generators without a content element. */
const FORUMS = new Map(
  THREAD_SOFTWARE.map((software): [Generator, ThreadSoftware] => {
    const { name, declared, signs } = software;
    return [
      { name, content: [signs], ...(declared && { declared: new RegExp(declared) }) },
      software,
    ];
  }),
);
const SIGNS = [...GENERATORS, ...FORUMS.keys()].flatMap((generator) =>
  (["content", "needs", "unless"] as const).flatMap((part) =>
    (generator[part] ?? []).flatMap((texts, rank): Sign[] =>
      [texts].flat().map((text) => ({ generator, part, rank, place: readPlace(text) })),
    ),
  ),
);
const PLACES = new Places(SIGNS);
/** Elements kept although they are outside the content, by generator. */
const OUTSIDE = new Map(
  GENERATORS.map((generator) => [
    generator,
    {
      title: (generator.title ?? []).map(readPlace),
      extra: (generator.extra ?? []).map(readPlace),
    },
  ]),
);
/** Tags to search for places, and tags that can be at one. */
const CONTAINER_TAGS = tagSet(
  [
    ...new Set([
      ..."html body div main article section form header nav aside".split(" "),
      ...SIGNS.map(({ place }) => place.tag),
    ]),
  ].join(" "),
);

type Candidate = { readonly sign: Sign; readonly element: Element };

export type Makers = {
  readonly generated: GeneratedPage | undefined;
  /** Software that the page's threads may be of. */
  readonly forums: readonly ThreadSoftware[];
};

/**
 * Returns the generator or forum software of the page, if known. `declared` is the declared
 * generator.
 */
export function findMakers(root: Document, declared: string): Makers {
  const candidates = findCandidates(root, declared);
  const generated = findGenerated(root, candidates);
  const forums = [...FORUMS].filter(([generator]) =>
    candidates.some(({ sign }) => sign.generator === generator),
  );
  return { generated, forums: forums.map(([, software]) => software) };
}

/**
 * Returns the generator of a page and its content, if it is a known one. `declared` is the declared
 * generator.
 */
export const findGenerator = (root: Document, declared: string): GeneratedPage | undefined =>
  findMakers(root, declared).generated;

function findGenerated(
  root: Document,
  candidates: readonly Candidate[],
): GeneratedPage | undefined {
  if (candidates.length === 0) return undefined;
  for (const generator of GENERATORS) {
    const own = candidates.filter(({ sign }) => sign.generator === generator);
    const has = (part: Sign["part"]): boolean => own.some(({ sign }) => sign.part === part);
    if (!has("content") || has("unless") || (generator.needs !== undefined && !has("needs")))
      continue;
    const content = findBestContent(own);
    if (!content.some(hasText) || isMostlyOutsideContent(root, content)) continue;
    const { title, extra } = OUTSIDE.get(generator)!;
    const heading = findAtPlace(root, title);
    const inside = new Set<ParentNode>(content);
    const outside = [heading, findAtPlace(root, extra)]
      .filter((element) => element !== undefined)
      .filter((element) => !isInside(element, inside, new Map()));
    return { generator, kept: [...content, ...outside], title: heading };
  }
  return undefined;
}

function findCandidates(root: Document, declared: string): Candidate[] {
  const found: Candidate[] = [];
  const classes = new ClassLookup(PLACES);
  const take = (element: Element, signs: readonly Sign[]): void => {
    for (const sign of signs)
      if (sign.generator.declared?.test(declared) !== false && matchesPlace(element, sign.place))
        found.push({ sign, element });
  };
  let isHolder = true;
  for (
    let node = getNextNode(root, root);
    node !== null;
    node = getNextNode(node, root, !isHolder)
  ) {
    isHolder = isTag(node) && CONTAINER_TAGS[getElementTagNumber(node)] === 1;
    if (!isTag(node) || !isHolder) continue;
    take(node, classes.of(node));
    take(node, PLACES.ofId(node));
    take(node, PLACES.ofTag(node));
  }
  return found;
}

/** Returns all elements at the best content place found. None is inside another. */
function findBestContent(candidates: readonly Candidate[]): Element[] {
  const those = candidates.filter(({ sign }) => sign.part === "content");
  const rank = Math.min(...those.map(({ sign }) => sign.rank));
  const found = new Set<ParentNode>();
  const known = new Map<ParentNode, boolean>();
  for (const { sign, element } of those)
    if (sign.rank === rank && !isInside(element, found, known)) found.add(element);
  return [...found].filter((node) => isTag(node));
}

/** True if an element is one of these or inside one. `known` caches the result for ancestors. */
function isInside(
  element: Element,
  outer: ReadonlySet<ParentNode>,
  known: Map<ParentNode, boolean>,
): boolean {
  const climbed: ParentNode[] = [];
  let is = false;
  for (let node: ParentNode | null = element; node !== null; node = node.parent) {
    const answer = outer.has(node) ? true : known.get(node);
    if (answer === undefined) climbed.push(node);
    else {
      is = answer;
      break;
    }
  }
  for (const node of climbed) known.set(node, is);
  return is;
}

/** Returns the first element at the first of these places that exists. */
function findAtPlace(root: Document, places: readonly Place[]): Element | undefined {
  for (const place of places) {
    const found = findElement(root, (element) => matchesPlace(element, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Content has at least this many words of prose and this share of the page's words. Less is a
 * quoted part of a manual or an imitation.
 */
const MIN_WORDS = 30;
const MIN_SHARE = 0.05;

/** True if nearly all words of the page are outside its content. */
function isMostlyOutsideContent(root: Document, content: readonly Element[]): boolean {
  const own = content.reduce((sum, element) => sum + countProse(element, NOTHING, MIN_WORDS), 0);
  if (own >= MIN_WORDS) return false;
  const all = countProse(root, new Set(content), Number.POSITIVE_INFINITY);
  return own < all * MIN_SHARE;
}

const NOTHING: ReadonlySet<ParentNode> = new Set();

/** Counts words outside links and outside some elements, and stops soon after `enough`. */
function countProse(root: ParentNode, without: ReadonlySet<ParentNode>, enough: number): number {
  let words = 0;
  let isSkipped = false;
  for (
    let node = getNextNode(root, root);
    node !== null && words < enough;
    node = getNextNode(node, root, isSkipped)
  ) {
    isSkipped = isTag(node) && (node.name === "a" || without.has(node));
    if (isText(node)) words += countWords(node.data);
  }
  return words;
}
