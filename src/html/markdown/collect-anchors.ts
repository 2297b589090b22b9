import { type Element, isTag, type ParentNode } from "domhandler";
import { walk } from "../parse/tree.ts";
import { findAnchor, type HeadingAnchors } from "./anchors.ts";
import { getHeadingLevel } from "./headings.ts";

const HEADING_NAME = /^h[1-6]$/;

/**
 * Maps the headings of a page to their fragments. To be called before anything is removed from the
 * page: permalinks and empty elements are removed first.
 */
export function collectAnchors(page: ParentNode): HeadingAnchors {
  const anchors = new Map<Element, string>();
  walk(page, (node) => {
    if (!isTag(node)) return "skip";
    const named = HEADING_NAME.test(node.name) ? Number(node.name.slice(1)) : 0;
    if (getHeadingLevel(node, named) === 0) return "children";
    const anchor = findAnchor(node);
    if (anchor !== undefined) anchors.set(node, anchor);
    return "skip";
  });
  return anchors;
}
