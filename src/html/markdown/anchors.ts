// Fragments of a page's URL that lead to its headings.
import { type ChildNode, type Element, isTag, isText } from "domhandler";
import { findElement, isBlank, readAttribute } from "../parse/tree.ts";
import { isPermalink } from "./labels.ts";

export type HeadingAnchors = ReadonlyMap<Element, string>;

/** Ids with other characters cannot be written as an attribute after a heading. */
const WRITABLE = /^[^\s{}"'<>`\\]{1,200}$/;
/** Wrappers between a heading and the section that it starts. */
const MAX_WRAPPERS = 5;

/**
 * Returns the fragment of a heading: its own id, that of its permalink, that of an element in it or
 * of an empty one right before it, or that of a part of the page that starts with it.
 */
export function findAnchor(heading: Element): string | undefined {
  const own =
    readId(heading) ??
    readPermalink(heading) ??
    readId(findElement(heading, (element) => readId(element) !== undefined)) ??
    findIdBefore(heading);
  if (own !== undefined) return own;
  let inner = heading;
  for (let step = 0; step < MAX_WRAPPERS; step++) {
    const { parent } = inner;
    if (parent === null || !isTag(parent) || parent.name === "body" || !isFirst(inner)) break;
    const id = readId(parent);
    if (id !== undefined) return id;
    inner = parent;
  }
  return undefined;
}

function readId(element: Element | undefined): string | undefined {
  if (element === undefined) return undefined;
  const { id, name } = element.attribs;
  const value = id ?? (element.name === "a" ? name : undefined);
  return value !== undefined && WRITABLE.test(value) ? value : undefined;
}

/** The address that the page itself offers for the heading. */
function readPermalink(heading: Element): string | undefined {
  const link = findElement(
    heading,
    (element) => readAttribute(element, "href").startsWith("#") && isPermalink(element, true),
  );
  const id = link === undefined ? "" : decode(readAttribute(link, "href").slice(1));
  return WRITABLE.test(id) && !/^top$/i.test(id) ? id : undefined;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function findIdBefore(heading: Element): string | undefined {
  for (let before = heading.prev; before !== null && isEmpty(before); before = before.prev) {
    const id = isTag(before) ? readId(before) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}

/** True if only empty elements and blank text stand before an element in its parent. */
function isFirst(element: Element): boolean {
  let before = element.prev;
  while (before !== null && isEmpty(before)) before = before.prev;
  return before === null;
}

const SHOWN = /^(?:img|picture|svg|video|audio|iframe|hr|br|input|canvas|object)$/;

const isEmpty = (node: ChildNode): boolean =>
  isTag(node)
    ? !SHOWN.test(node.name) &&
      node.children.every((child) => !isTag(child) && (!isText(child) || isBlank(child.data)))
    : !isText(node) || isBlank(node.data);
