import { type AnyNode, type Element, isTag, isText, type ParentNode } from "domhandler";

const SILENT: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "button",
]);
const MOST_NODES = 200;

/** The node after `node` in document order within `root`, its children left out when `skip`; undefined at the end. */
export function nextNode(node: AnyNode, root: AnyNode, skip: boolean): AnyNode | undefined {
  if (!skip) {
    const first = (node as Partial<ParentNode>).children?.[0];
    if (first !== undefined) return first;
  }
  let at: AnyNode | null = node;
  while (at !== null && at !== root) {
    const { next } = at;
    if (next !== null) return next;
    at = at.parent;
  }
  return undefined;
}

/** Readable text of an element with single spaces, cut after `limit` characters or 200 nodes, so its cost is bounded. */
export function shortText(element: Element, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  let node = nextNode(element, element, false);
  for (let seen = 0; node !== undefined && seen < MOST_NODES && length < limit; seen++) {
    if (isText(node)) {
      parts.push(node.data.slice(0, limit));
      length += node.data.length;
    } else if (isTag(node)) {
      parts.push(" ");
    }
    node = nextNode(node, element, isTag(node) && SILENT.has(node.name));
  }
  return squash(parts.join("")).slice(0, limit);
}

/** The first descendant that satisfies a test, among the first 200 nodes. */
export function findNear(
  element: Element,
  test: (candidate: Element) => boolean,
): Element | undefined {
  let node = nextNode(element, element, false);
  for (let seen = 0; node !== undefined && seen < MOST_NODES; seen++) {
    if (isTag(node) && test(node)) return node;
    node = nextNode(node, element, false);
  }
  return undefined;
}

/** One space for every run of white space, none at the ends. */
export function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
