// Pages made of frames, as older manuals were. Their text is in other pages.
// https://html.spec.whatwg.org/#frames
import {
  type ChildNode,
  type Document,
  type Element,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { createElement, createText, rename } from "../parse/nodes.ts";
import { getElementIndex } from "../evidence/element-index.ts";
import { parseHtml } from "../parse/parse.ts";
import {
  readAttribute,
  detachAll,
  foldSpace,
  isBlank,
  setChildren,
  readText,
} from "../parse/tree.ts";

/** Maximum characters of an element to read when checking that it is empty. */
const MAX_CHARACTERS = 1_000;

/**
 * Replaces the first frameset with a list of links to all frames, followed by the page's noframes
 * text. Returns the number of distinct frames, or 0 for a page with text above its first frameset,
 * which no browser shows as frames.
 */
export function replaceFramesets(
  document: Document,
  framesets: readonly Element[],
  noframes: readonly Element[],
): number {
  const [first] = framesets;
  if (first === undefined || isBelowText(first)) return 0;
  const frames = getElementIndex(document).linking.filter(({ name }) => name === "frame");
  const items = toItems(frames);
  const content = parseContent(noframes);
  detachAll([...frames, ...noframes]);
  for (const frameset of framesets) {
    rename(frameset, "div");
    frameset.attribs = {};
  }
  const list = items.length === 0 ? [] : [createParent("ul", items)];
  setChildren(first, [...list, ...content, ...first.children]);
  return items.length;
}

const HIDDEN_TAGS: ReadonlySet<string> = new Set(
  "head title script style noscript noframes".split(" "),
);

function isBelowText(frameset: Element): boolean {
  for (let at: ParentNode | null = frameset; at !== null && isTag(at); at = at.parent)
    for (let node = at.prev; node !== null; node = node.prev)
      if (isText(node) ? !isBlank(node.data) : isTag(node) && isShown(node)) return true;
  return false;
}

const isShown = (element: Element): boolean =>
  !HIDDEN_TAGS.has(element.name) && foldSpace(readText(element, MAX_CHARACTERS)) !== "";

function toItems(frames: readonly Element[]): Element[] {
  const names = new Map<string, string>();
  for (const frame of frames) {
    const source = readAttribute(frame, "src").trim();
    if (source === "" || /^(?:about|javascript|data):/i.test(source) || names.has(source)) continue;
    const name = foldSpace(readAttribute(frame, "title") || readAttribute(frame, "name"));
    names.set(source, name || source);
  }
  return Array.from(names, ([href, name]) =>
    createParent("li", [createParent("a", [createText(name)], { href })]),
  );
}

/** Parsers treat noframes content as text, so it is parsed here. */
function parseContent(noframes: readonly Element[]): ChildNode[] {
  const { children } = parseHtml(noframes.map((element) => readText(element)).join("\n"));
  const nodes = [...children];
  detachAll(nodes);
  return nodes;
}

function createParent(
  name: string,
  children: ChildNode[],
  attributes: Record<string, string> = {},
): Element {
  const element = createElement(name, attributes);
  setChildren(element, children);
  return element;
}
