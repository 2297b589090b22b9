// Fragments of a page's URL that lead to its headings.
import { type Element, isTag, isText } from "domhandler";
import { findElement, isBlank } from "../parse/tree.ts";

/** Ids with other characters cannot be written as an attribute after a heading. */
const WRITABLE = /^[^\s{}"'<>`\\]{1,200}$/;
/** Wrappers between a heading and the section that it starts. */
const MAX_WRAPPERS = 5;

/**
 * Returns the fragment of a heading: its own id, that of an anchor in or right before it, or that of
 * a part of the page that starts with it.
 */
export function findAnchor(heading: Element): string | undefined {
  const own =
    readId(heading) ??
    readId(findElement(heading, (element) => readId(element) !== undefined)) ??
    readId(findAnchorBefore(heading));
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

/** An empty `<a id="…">` in front of the heading. */
function findAnchorBefore(heading: Element): Element | undefined {
  let before = heading.prev;
  while (before !== null && isText(before) && isBlank(before.data)) before = before.prev;
  return before !== null && isTag(before) && before.name === "a" && before.children.length === 0
    ? before
    : undefined;
}

/** True if only blank text stands before an element in its parent. */
function isFirst(element: Element): boolean {
  let before = element.prev;
  while (before !== null && !isTag(before) && (!isText(before) || isBlank(before.data)))
    before = before.prev;
  return before === null;
}
