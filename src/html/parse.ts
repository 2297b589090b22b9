import { type Document, type Element, isTag } from "domhandler";
import { HtmlTokenizer } from "./tokenizer.ts";
import { nextNode } from "./tree.ts";
import { TreeBuilder } from "./tree-builder.ts";

/** Elements that speak of the page and are few, wherever they stand. */
const SIGNS: ReadonlySet<string> = new Set(["base", "meta", "script", "title"]);
const signsOf = new WeakMap<Document, readonly Element[]>();

/**
 * The base, meta, script and title elements a page was parsed with, in document order: noted on the way, so that nobody walks
 * the tree for them.
 */
export function signsIn(document: Document): readonly Element[] {
  let signs = signsOf.get(document);
  if (signs === undefined) {
    signs = [...elementsBelow(document)].filter(({ name }) => SIGNS.has(name));
    signsOf.set(document, signs);
  }
  return signs;
}

function* elementsBelow(document: Document): Iterable<Element> {
  for (let node = nextNode(document, document); node !== null; node = nextNode(node, document))
    if (isTag(node)) yield node;
}

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in time linear in the length.
 * Never throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  const builder = new TreeBuilder(html);
  new HtmlTokenizer(html, builder).read();
  signsOf.set(builder.root, builder.signs);
  return builder.root;
}
