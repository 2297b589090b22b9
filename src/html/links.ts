// The `links` format (wire contract §4.3).
import { isTag, type ParentNode } from "domhandler";
import { resolveUrl } from "./base-url.ts";
import { attributeOf, walk } from "./tree.ts";

const FOLLOWABLE = /^(?:https?|mailto|tel|ftp):/i;

/**
 * Where the anchors below `root` lead: absolute, in order of appearance, each once. Anchors that only move within the page
 * (`#part`), scripts and addresses that cannot be parsed are left out; `mailto:` stays.
 */
export function linksOf(root: ParentNode, base: string): string[] {
  const links = new Set<string>();
  const page = base.replace(/#.*$/s, "");
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (node.name === "a") {
      const href = attributeOf(node, "href").trim();
      if (href !== "" && !href.startsWith("#")) {
        const url = resolveUrl(href, base);
        if (url !== undefined && FOLLOWABLE.test(url) && !url.startsWith(`${page}#`))
          links.add(url);
      }
    }
    return "children";
  });
  return [...links];
}
