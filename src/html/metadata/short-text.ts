import { type Element, isTag, isText } from "domhandler";
import { foldSpace, getNextNode } from "../parse/tree.ts";

const HIDDEN_TAGS: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "button",
]);
/** Ruby annotates parts of words; its readings are no text of their own. */
const RUBY_READINGS: ReadonlySet<string> = new Set(["rt", "rp"]);
const MAX_NODES = 200;

/**
 * Returns the readable text of an element with single spaces, cut at `limit` characters or 200
 * nodes to bound the cost.
 */
export function readShortText(element: Element, limit: number): string {
  const parts: string[] = [];
  let length = 0;
  let node = getNextNode(element, element);
  for (let seen = 0; node !== null && seen < MAX_NODES && length < limit; seen++) {
    if (isText(node)) {
      parts.push(node.data.slice(0, limit));
      length += node.data.length;
    } else if (isTag(node) && node.name !== "ruby" && !RUBY_READINGS.has(node.name)) {
      parts.push(" ");
    }
    const isSkipped = isTag(node) && (HIDDEN_TAGS.has(node.name) || RUBY_READINGS.has(node.name));
    node = getNextNode(node, element, isSkipped);
  }
  // Parts of a code name are separate links: std::net::Ipv4Addr.
  return foldSpace(parts.join(""))
    .replaceAll(/(?<=\w) ?:: ?(?=\w)/g, "::")
    .slice(0, limit);
}

/** Returns the first descendant that passes a test, among the first 200 nodes. */
export function findNear(
  element: Element,
  test: (candidate: Element) => boolean,
): Element | undefined {
  let node = getNextNode(element, element);
  for (let seen = 0; node !== null && seen < MAX_NODES; seen++) {
    if (isTag(node) && test(node)) return node;
    node = getNextNode(node, element);
  }
  return undefined;
}
