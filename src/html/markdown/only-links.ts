import { type Element, isTag, isText } from "domhandler";
import { hasAttribute, walk } from "../parse/tree.ts";

/** Larger items have words of their own. */
const MAX_NODES = 500;
const SHOWN_TAGS = new Set("h1 h2 h3 h4 h5 h6 img picture svg video audio math table".split(" "));

/**
 * True if an item of a list says nothing but links without blocks, so that nothing is left of it
 * when links are left out.
 */
export function hasOnlyLinks(
  item: Element,
  withBlocks: { has(element: Element): boolean },
): boolean {
  let isOther = false;
  let links = 0;
  let nodes = 0;
  walk(item, (node) => {
    nodes += 1;
    if (isOther || nodes > MAX_NODES) return "stop";
    if (isText(node)) isOther = node.data.trim() !== "";
    if (!isTag(node)) return "skip";
    if (node.name === "a" && hasAttribute(node, "href")) {
      if (withBlocks.has(node)) isOther = true;
      else links += 1;
      return "skip";
    }
    isOther ||= SHOWN_TAGS.has(node.name);
    return "children";
  });
  return links > 0 && !isOther && nodes <= MAX_NODES;
}
