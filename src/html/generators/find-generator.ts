// Which generator made a page, and where its content stands. Every page is asked, so the walk looks at what can hold content, and at
// nothing inside anything else.
import { isTag, isText, type Document, type Element, type ParentNode } from "domhandler";
import { tagOf } from "../parse/nodes.ts";
import { tagSet } from "../parse/tag-numbers.ts";
import { countWords, findElement, hasText, nextNode } from "../parse/tree.ts";
import type { Generator } from "./generator.ts";
import { GENERATORS } from "./generators.ts";
import { readPlace, standsAtPlace, type Place } from "./place.ts";
import { ClassLookup, Places } from "./places.ts";

export type GeneratedPage = {
  readonly generator: Generator;
  /** The content, the main heading and what else belongs to it where they stand outside: none inside another. */
  readonly kept: readonly Element[];
  /** The main heading, where the generator has a place for it. */
  readonly title: Element | undefined;
};

/** What an element at a place means for a generator. */
type Sign = {
  readonly generator: Generator;
  readonly part: "content" | "needs" | "unless";
  /** Which of the generator's places of that kind it is. */
  readonly rank: number;
  readonly place: Place;
};

const SIGNS = GENERATORS.flatMap((generator) =>
  (["content", "needs", "unless"] as const).flatMap((part) =>
    (generator[part] ?? []).flatMap((texts, rank): Sign[] =>
      [texts].flat().map((text) => ({ generator, part, rank, place: readPlace(text) })),
    ),
  ),
);
const PLACES = new Places(SIGNS);
/** What stands outside the content of each generator, and is kept. */
const OUTSIDE = new Map(
  GENERATORS.map((generator) => [
    generator,
    { title: (generator.title ?? []).map(readPlace), also: (generator.also ?? []).map(readPlace) },
  ]),
);
/** Tags that places are looked for in, and what can stand at one. */
const HOLDERS = tagSet(
  [
    ...new Set([
      ..."html body div main article section form header nav aside".split(" "),
      ...SIGNS.map(({ place }) => place.tag),
    ]),
  ].join(" "),
);

type Candidate = { readonly sign: Sign; readonly element: Element };

/** The generator of a page and its content, if it is a known one. `says` is what the page calls its generator. */
export function findGenerator(root: Document, says: string): GeneratedPage | undefined {
  const candidates = findCandidates(root, says);
  if (candidates.length === 0) return undefined;
  for (const generator of GENERATORS) {
    const own = candidates.filter(({ sign }) => sign.generator === generator);
    const has = (part: Sign["part"]): boolean => own.some(({ sign }) => sign.part === part);
    if (!has("content") || has("unless") || (generator.needs !== undefined && !has("needs")))
      continue;
    const content = bestContent(own);
    if (!content.some(hasText) || isBesidesThePoint(root, content)) continue;
    const { title, also } = OUTSIDE.get(generator)!;
    const heading = findAt(root, title);
    const inside = new Set<ParentNode>(content);
    const outside = [heading, findAt(root, also)]
      .filter((element) => element !== undefined)
      .filter((element) => !isInside(element, inside, new Map()));
    return { generator, kept: [...content, ...outside], title: heading };
  }
  return undefined;
}

function findCandidates(root: Document, says: string): Candidate[] {
  const found: Candidate[] = [];
  const classes = new ClassLookup(PLACES);
  const take = (element: Element, signs: readonly Sign[]): void => {
    for (const sign of signs)
      if (sign.generator.says?.test(says) !== false && standsAtPlace(element, sign.place))
        found.push({ sign, element });
  };
  let isHolder = true;
  for (let node = nextNode(root, root); node !== null; node = nextNode(node, root, !isHolder)) {
    isHolder = isTag(node) && HOLDERS[tagOf(node)] === 1;
    if (!isTag(node) || !isHolder) continue;
    take(node, classes.of(node));
    take(node, PLACES.ofId(node));
    take(node, PLACES.ofTag(node));
  }
  return found;
}

/** All at the best place of content that is there, none inside another. */
function bestContent(candidates: readonly Candidate[]): Element[] {
  const those = candidates.filter(({ sign }) => sign.part === "content");
  const rank = Math.min(...those.map(({ sign }) => sign.rank));
  const found = new Set<ParentNode>();
  const known = new Map<ParentNode, boolean>();
  for (const { sign, element } of those)
    if (sign.rank === rank && !isInside(element, found, known)) found.add(element);
  return [...found].filter((node) => isTag(node));
}

/** Whether an element is one of these or inside one; `known` keeps what was found out about those above it. */
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

/** The first element at the first of these places that the page has. */
function findAt(root: Document, places: readonly Place[]): Element | undefined {
  for (const place of places) {
    const found = findElement(root, (element) => standsAtPlace(element, place));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Fewer words of prose, and less of the page's than this share, are no content: somebody shows a piece of a manual, or pretends to. */
const FEW_WORDS = 30;
const MIN_SHARE = 0.05;

/** Whether the page says nearly all that it says elsewhere. */
function isBesidesThePoint(root: Document, content: readonly Element[]): boolean {
  const own = content.reduce((sum, element) => sum + countProse(element, NOTHING, FEW_WORDS), 0);
  if (own >= FEW_WORDS) return false;
  const all = countProse(root, new Set(content), Number.POSITIVE_INFINITY);
  return own < all * MIN_SHARE;
}

const NOTHING: ReadonlySet<ParentNode> = new Set();

/** Words outside links and outside some elements; counted up to about `enough`. */
function countProse(root: ParentNode, without: ReadonlySet<ParentNode>, enough: number): number {
  let words = 0;
  let isSkipped = false;
  for (
    let node = nextNode(root, root);
    node !== null && words < enough;
    node = nextNode(node, root, isSkipped)
  ) {
    isSkipped = isTag(node) && (node.name === "a" || without.has(node));
    if (isText(node)) words += countWords(node.data);
  }
  return words;
}
