// Finds the heading that names the topic of a page.
import type { Document } from "domhandler";
import { getHeadElements } from "../html/parse/parse.ts";
import { readText as textIn } from "../html/parse/tree.ts";
import { hasOwnText, isAside, isHidden, type PageNode } from "./node.ts";

/** Longer titles of a page are sentences. */
const MAX_NAME = 250;
/** Minimum share of a heading's words that also occur in the page's title. */
const MIN_SHARED = 0.6;

/**
 * Finds the first visible `h1` outside of asides that matches the title of the page; a notice or a
 * count of reviews may be an `h1` as well. Without one, the text that equals the title, else the
 * first `h1`, else the first `h2`, else the first text in large type. `titles` are those of the
 * document, such as `title` and `og:title`; `textOf` gives the visible text of a node.
 */
export function findMainHeading(
  nodes: readonly PageNode[],
  titles: readonly string[],
  textOf: (node: PageNode) => string,
): PageNode | undefined {
  const shown = nodes.filter(isShown);
  const tops = shown.filter(isTopHeading);
  const words = titles.map(toWordSet).filter((title) => title.size > 0);
  const first =
    tops[0] ??
    shown.find(({ element }) => element.name === "h2") ??
    shown.find((node) => isLargeText(node) && toWordSet(textOf(node)).size >= MIN_LARGE_WORDS);
  if (words.length === 0) return first;
  const sharedWith = (node: PageNode): number => {
    const own = toWordSet(textOf(node).slice(0, MAX_NAME));
    return Math.max(...words.map((title) => computeSharedShare(own, title)));
  };
  const named = tops.find((node) => sharedWith(node) >= MIN_SHARED);
  const spoken = (): PageNode | undefined =>
    shown.find(
      (node) =>
        HEADING.test(node.element.name) &&
        toWordSet(textOf(node).slice(0, MAX_NAME)).size >= 3 &&
        sharedWith(node) >= 0.8,
    );
  const text = findTitleText(shown, titles, textOf);
  // "Lot 214" in the title is a number of the page, its `h1` the name.
  const isNumber = text !== undefined && NUMBERED.test(textOf(text).trim());
  return named ?? (isNumber ? tops[0] : undefined) ?? text ?? spoken() ?? first;
}

/** Different words of a line in large type; fewer are a label or a price. */
const MIN_LARGE_WORDS = 3;
/** In sizes of `font`, of which 3 is that of text. */
const MIN_FONT_SIZE = 4;
const LARGE_STYLE =
  /(?:^|[;\s])font-size:\s*(?:(?:1[4-9]|[2-9]\d)(?:\.\d+)?pt|(?:1[89]|[2-9]\d)(?:\.\d+)?px|(?:1[3-9]\d|[2-9]\d\d)%|(?:x{0,2}-?large))/i;

/** True for a line in large type, which older pages and filings have in place of a heading. */
const isLargeText = ({ element: { name, attribs }, to, from }: PageNode): boolean =>
  to - from <= MAX_NAME &&
  ((name === "font" && Number(attribs["size"]) >= MIN_FONT_SIZE) ||
    LARGE_STYLE.test(attribs["style"] ?? ""));

/** A word and a number. */
const NUMBERED = /^\p{L}+\.?\s?#?\d[\d./-]*$/u;

/** Reads the document's titles: `title` and `og:title`. */
export function readTitles(document: Document): string[] {
  const titles: string[] = [];
  for (const element of getHeadElements(document)) {
    const { name, attribs } = element;
    if (name === "title") titles.push(textIn(element, 1_000));
    else if (name === "meta" && (attribs["property"] ?? attribs["name"]) === "og:title")
      titles.push(attribs["content"] ?? "");
  }
  return titles.filter((title) => title.trim() !== "");
}

/**
 * The first heading, or else piece of text, that equals the title or its part before the name of
 * the site.
 */
function findTitleText(
  shown: readonly PageNode[],
  titles: readonly string[],
  textOf: (node: PageNode) => string,
): PageNode | undefined {
  const parts = new Set(
    titles
      .flatMap((title) => [title, ...title.split(/\s+[|–—·•:»-]\s+/u).slice(0, 1)])
      .map(fold)
      .filter((part) => part.length >= MIN_PART),
  );
  if (parts.size === 0) return undefined;
  const isNamed = (node: PageNode): boolean =>
    node.to - node.from <= MAX_NAME && parts.has(fold(textOf(node)));
  return (
    shown.find((node) => HEADING.test(node.element.name) && isNamed(node)) ??
    shown.find((node) => hasOwnText(node) && isNamed(node))
  );
}

/** Minimum characters of a title part, so that it does not match by chance. */
const MIN_PART = 4;
const HEADING = /^h[1-6]$/;

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Words of a text; single characters in scripts without spaces. */
const toWordSet = (text: string): Set<string> =>
  new Set(
    text
      .slice(0, 1_000)
      .toLowerCase()
      .match(
        /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu,
      ) ?? [],
  );

function computeSharedShare(own: ReadonlySet<string>, title: ReadonlySet<string>): number {
  if (own.size === 0) return 0;
  let shared = 0;
  for (const word of own) if (title.has(word)) shared += 1;
  return shared / own.size;
}

/** True for a heading of the first level. */
export const isTopHeading = ({ element: { name, attribs } }: PageNode): boolean =>
  name === "h1" || (attribs["role"] === "heading" && attribs["aria-level"] === "1");

const isShown = (node: PageNode): boolean =>
  !isHidden(node) && !isAside(node) && node.to > node.from;
