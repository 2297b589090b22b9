// The `links` format (wire contract §4.3).
import { isTag, type ParentNode } from "domhandler";
import { LinkResolver } from "./base-url.ts";
import { decodeEmailTarget } from "../clean/protected-email.ts";
import { getNextNode } from "../parse/tree.ts";

const FOLLOWABLE = /^(?:https?|mailto|tel|ftp):/i;

/**
 * Lists the link targets below `root`: absolute, in order of appearance, each once. Omits in-page
 * links (`#part`), scripts and invalid addresses; keeps `mailto:`.
 */
export function listLinks(root: ParentNode, base: string): string[] {
  const links = new Set<string>();
  const resolver = new LinkResolver(base);
  const page = `${base.replace(/#.*$/s, "")}#`;
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root)) {
    if (!isTag(node) || (node.name !== "a" && node.name !== "area")) continue;
    const href = decodeEmailTarget(node) ?? node.attribs["href"]?.trim() ?? "";
    if (href === "" || href.startsWith("#") || links.has(href)) continue;
    const url = resolver.resolve(href);
    if (url !== undefined && !url.startsWith(page) && FOLLOWABLE.test(url)) links.add(url);
  }
  return [...links];
}
