// Shortens quotes of earlier posts of the page: their beginning identifies the quoted post.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { detachAll, getNextNode, readText } from "../parse/tree.ts";

/** Words of a quote that stays whole, and of the beginning that is left of a longer one. */
const MAX_WHOLE = 25;
const MAX_BEGINNING_WORDS = 15;
/** Words that are looked up together, and minimum share of them that earlier posts have. */
const WORDS_PER_RUN = 6;
const MIN_QUOTED_SHARE = 0.7;

const QUOTES: ReadonlySet<string> = new Set(["blockquote"]);

/** Shortens the quotes in the bodies of posts, which are in order. */
export function shortenQuotes(bodies: readonly Element[]): void {
  const known = new Set<string>();
  for (const body of bodies) {
    for (const quote of findOutermostQuotes(body))
      if (isKnown(readWords(quote), known)) shorten(quote);
    for (const run of iterateRuns(readWords(body))) known.add(run);
  }
}

function findOutermostQuotes(body: Element): Element[] {
  const found: Element[] = [];
  let node = getNextNode(body, body);
  while (node !== null) {
    const isQuote = isTag(node) && QUOTES.has(node.name);
    if (isQuote && isTag(node)) found.push(node);
    node = getNextNode(node, body, isQuote);
  }
  return found;
}

const readWords = (element: Element): string[] =>
  readText(element)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function* iterateRuns(words: readonly string[]): Generator<string> {
  for (let at = 0; at + WORDS_PER_RUN <= words.length; at++)
    yield words.slice(at, at + WORDS_PER_RUN).join(" ");
}

function isKnown(words: readonly string[], known: ReadonlySet<string>): boolean {
  if (words.length <= MAX_WHOLE) return false;
  let [all, found] = [0, 0];
  for (const run of iterateRuns(words)) {
    all++;
    if (known.has(run)) found++;
  }
  return found >= all * MIN_QUOTED_SHARE;
}

/** Cuts everything after the first words. */
function shorten(quote: Element): void {
  let left = MAX_BEGINNING_WORDS;
  let last: ChildNode | null = null;
  for (let node = getNextNode(quote, quote); node !== null; node = getNextNode(node, quote)) {
    if (!isText(node)) continue;
    const words = [...node.data.matchAll(/\S+/g)];
    if (words.length <= left) {
      left -= words.length;
      continue;
    }
    const end = left === 0 ? 0 : words[left - 1]!.index + words[left - 1]![0].length;
    node.data = `${node.data.slice(0, end)} …`;
    last = node;
    break;
  }
  if (last === null) return;
  const going: ChildNode[] = [];
  for (let node: ChildNode | ParentNode = last; node !== quote; node = node.parent as ParentNode)
    for (let next = (node as ChildNode).next; next !== null; next = next.next) going.push(next);
  detachAll(going);
}
